"""What `import snellen as sn` offers: tests on plain objects, and finished runs as values."""
