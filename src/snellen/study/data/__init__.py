"""The folder of a study: its design and the answers, in one SQLite file beside the pictures."""
