"""Programs in any language, over JSON lines."""
