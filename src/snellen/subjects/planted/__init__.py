"""Planted subjects: perfect ones on generated scenes, and wrappers with one fault each.

Tests use them to check that a fault is found on the right objects, and nothing else.
"""

from snellen.subjects.planted.adapter import ADAPTER, PlantedOptions, open_planted
from snellen.subjects.planted.correlations import CorrelatedClassifier, Correlation, Habit
from snellen.subjects.planted.deviations import DeviatingSubject, Deviation
from snellen.subjects.planted.failures import GarbledSubject, HangingSubject, Junk, RaisingSubject
from snellen.subjects.planted.instability import FlickeringSubject, RestlessSubject
from snellen.subjects.planted.perfect_classifier import PerfectClassifier
from snellen.subjects.planted.perfect_subject import PerfectSubject
from snellen.subjects.planted.victims import Victims

__all__ = [
    "ADAPTER",
    "CorrelatedClassifier",
    "Correlation",
    "DeviatingSubject",
    "Deviation",
    "FlickeringSubject",
    "GarbledSubject",
    "Habit",
    "HangingSubject",
    "Junk",
    "PerfectClassifier",
    "PerfectSubject",
    "PlantedOptions",
    "RaisingSubject",
    "RestlessSubject",
    "Victims",
    "open_planted",
]
