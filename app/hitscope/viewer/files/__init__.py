"""The user's files as a window with a disk has them: documents, autosaves, recovery, settings, thumbnails."""
