"""Decoders from a network's raw outputs to boxes, labels and scores, one file per family."""
