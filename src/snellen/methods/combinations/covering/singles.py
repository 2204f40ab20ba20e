"""Why combinations have two labels or more."""

SINGLES = (
    "A single label is no combination: `snellen objects validate` shows each label alone, and rows "
    "of pairs contain every label too."
)
