"""The rule by which participants are left out, as data."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from snellen.study.trial import StudyValue

Probability = Annotated[float, Field(gt=0, lt=1)]


class RaterTest(StrEnum):
    """A reason to leave a participant out."""

    SANITY = "sanity images"
    SPEED = "speed"
    CHANCE = "chance level"
    HALF = "chance level in half of the session"
    SAME = "the same choice again and again"


class RaterRule(StudyValue):
    """The thresholds of each test.

    sanity_error: the rate at which attentive people fail a sanity image; sanity_level: a
    participant fails if so many mistakes are less likely than this at that rate.
    fast_ms, fast_share: too fast to have looked; the share of such answers that is too many.
    easy: the largest visual change that counts as easy. chance_level, chance_least: a participant
    fails if guessing would give as many right easy answers with at least this probability; asked
    only with so many easy answers. half_level, half_least: the same in each half of the session.
    same_level, same_share: a participant fails if a run of one choice is less likely than the
    level where that choice is right in this share of trials, or in as many as it is.
    """

    sanity_error: Probability = 0.05
    sanity_level: Probability = 0.01
    fast_ms: Annotated[float, Field(ge=0)] = 150.0
    fast_share: Probability = 0.2
    easy: Annotated[float, Field(ge=0, le=1)] = 0.2
    chance_level: Probability = 0.05
    chance_least: Annotated[int, Field(ge=1)] = 10
    half_level: Probability = 0.2
    half_least: Annotated[int, Field(ge=1)] = 8
    same_level: Probability = 0.001
    same_share: Probability = 0.75
