"""Compiled loops of constructions and searches, imported only where used."""
