"""Ways of testing: one folder each, each a generator of questions."""
