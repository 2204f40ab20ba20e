"""What people answered, as the files of the studies hold it."""
