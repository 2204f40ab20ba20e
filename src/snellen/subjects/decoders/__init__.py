"""From a network's raw outputs to boxes, labels and scores: one file a family of networks."""
