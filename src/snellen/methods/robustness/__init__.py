"""Robustness of single instances (Kyushu): how close an insertion may come before one is lost."""
