"""The split of scenes and objects by use, and the checks for leakage."""
