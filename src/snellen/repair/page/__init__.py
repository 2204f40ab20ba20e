"""The page of a repair: `repair.html`, one file that needs no network."""
