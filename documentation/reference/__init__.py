"""Reference pages made from the code: configuration, command line, names in Python."""
