"""Psychometric curves that fall with visual change: shape, posterior, spread between clusters."""
