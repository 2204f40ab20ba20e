"""The testing methods, one folder each; each is a generator of questions."""
