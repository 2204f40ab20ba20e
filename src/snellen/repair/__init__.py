"""Repair: retraining sets, a training loop for torch subjects, and what came of it."""
