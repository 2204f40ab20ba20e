"""What a requirement is, how it is written in a file and generated."""
