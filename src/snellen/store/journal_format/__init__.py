"""The journal as a SQLite file: its schema, how it is opened, and the checksums of its units."""
