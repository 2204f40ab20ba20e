"""Repair: retraining sets, a training loop for torch subjects, before/after comparison."""
