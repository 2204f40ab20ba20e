"""Snellen: an eye exam for machine vision."""

__version__ = "0.1.0"
