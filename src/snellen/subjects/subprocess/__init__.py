"""Programs in any language, asked over JSON lines."""
