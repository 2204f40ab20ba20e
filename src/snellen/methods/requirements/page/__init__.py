"""The page sections of requirements."""
