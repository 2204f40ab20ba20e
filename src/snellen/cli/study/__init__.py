"""The commands of `snellen study`, one file each."""
