"""A page of objects by label, to look through and strike out bad ones."""
