"""Scene sets in and out: one reader and writer a file."""
