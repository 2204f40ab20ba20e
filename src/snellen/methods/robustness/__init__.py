"""Robustness of single instances (Kyushu): how near an insertion may come before one is lost."""
