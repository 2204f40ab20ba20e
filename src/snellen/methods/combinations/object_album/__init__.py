"""A page of objects by label, to review and exclude bad ones."""
