"""What is decided about a message before any model sees it."""
