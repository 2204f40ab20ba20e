"""Value types of vision and their maths: pure numpy, no files, models or displays."""
