"""Requirements: their definition, files and generation."""
