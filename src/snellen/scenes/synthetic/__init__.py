"""Generated scenes."""
