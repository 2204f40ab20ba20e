"""Label-value covering arrays: few rows that cover every combination of a few labels."""
