"""Fixtures of the tests of the album."""

from __future__ import annotations

from tests.browsing import browser

__all__ = ["browser"]
