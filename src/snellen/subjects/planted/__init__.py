"""Planted subjects: one that is always right on generated scenes, and wrappers with one fault each.

Tests use them to see that a fault is found, on the right objects, and that nothing else is.
"""

from snellen.subjects.planted.adapter import ADAPTER, PlantedOptions, open_planted
from snellen.subjects.planted.correlations import Correlated, Correlation, Habit
from snellen.subjects.planted.deviations import Deviating, Fault
from snellen.subjects.planted.failing import Garbled, Hanging, Junk, Raising
from snellen.subjects.planted.perfect import PerfectSubject
from snellen.subjects.planted.perfect_labels import PerfectClassifier
from snellen.subjects.planted.unsteady import Flickering, Restless
from snellen.subjects.planted.victims import Victims

__all__ = [
    "ADAPTER",
    "Correlated",
    "Correlation",
    "Deviating",
    "Fault",
    "Flickering",
    "Garbled",
    "Habit",
    "Hanging",
    "Junk",
    "PerfectClassifier",
    "PerfectSubject",
    "PlantedOptions",
    "Raising",
    "Restless",
    "Victims",
    "open_planted",
]
