"""Where the scene is seen from, and when and how finely it is drawn."""
