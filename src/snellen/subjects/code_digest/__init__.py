"""Digests of Python callables by their code and all that it refers to."""
