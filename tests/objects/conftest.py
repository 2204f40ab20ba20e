"""What the tests of objects share."""

from __future__ import annotations

from tests.browsing import browser

__all__ = ["browser"]
