"""Darknet networks as torch modules: gradients, dropout, loss and weights."""
