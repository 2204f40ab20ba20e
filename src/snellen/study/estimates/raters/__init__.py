"""Participants who did not look: found by rules that are recorded with each estimate."""
