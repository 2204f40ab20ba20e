"""What annotated photographs show: label counts of training sets, and a baseline."""
