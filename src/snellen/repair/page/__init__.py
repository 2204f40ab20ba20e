"""The page of a repair: `repair.html`, one self-contained file."""
