"""Values that JSON can represent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


def finite_or_none(value: Any) -> Any:
    """The value with None in place of NaN and infinities, which JSON cannot represent.

    >>> finite_or_none({"value": 0.5, "low": -math.inf, "high": [math.nan, 1.0]})
    {'value': 0.5, 'low': None, 'high': [None, 1.0]}
    """
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: finite_or_none(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [finite_or_none(one) for one in value]
    return value
