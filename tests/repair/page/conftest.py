"""Planted runs by name, the same as those of the evaluation."""

from __future__ import annotations

from tests.repair.evaluation.conftest import planted

__all__ = ["planted"]
