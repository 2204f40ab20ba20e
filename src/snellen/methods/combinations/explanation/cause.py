"""The cause of a failing composition."""

from __future__ import annotations

from enum import StrEnum

from snellen.contract.explanation import UNEXPLAINED as NOT_EXPLAINED


class Cause(StrEnum):
    """The cause of a failure; `snellen docs combinations` has the rule of each."""

    CORRELATION = "correlation"
    CONTACT = "contact"
    OCCLUSION = "occlusion"
    CROWDING = "crowding"
    LIKENESS = "likeness"
    SINGLE = "single-object"
    BACKGROUND = "background"
    ANY_CHANGE = "any-change"
    UNEXPLAINED = NOT_EXPLAINED
    INTERACTION = "interaction"
    """As earlier versions recorded it: one of the first four."""


INTERACTIONS = frozenset(
    {Cause.CORRELATION, Cause.CONTACT, Cause.OCCLUSION, Cause.CROWDING, Cause.INTERACTION}
)
"""The causes of failures that no object alone shows."""
EARLIER = {"undiagnosed": Cause.UNEXPLAINED}
"""Names of causes in journals of earlier versions."""
