"""The exam: a battery of methods on one subject within one budget, with one scorecard."""
