"""A run as tables for analysts, in formats that they read."""
