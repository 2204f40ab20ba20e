"""Compiled loops of the constructions and searches; imported where used."""
