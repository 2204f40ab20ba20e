"""The findings of a run as a data set that FiftyOne opens; FiftyOne itself is not needed."""
