"""Files and the clipboard: opening, saving, watching, autosaves, the gallery, the settings."""
