"""What the tests of the album share."""

from __future__ import annotations

from tests.browsing import browser

__all__ = ["browser"]
