"""Label value covering arrays: few rows that show every combination of a few labels."""
