"""The public interface for plug-ins: all that a method, recipe, subject or scene format needs.

A plug-in imports from here and from nowhere else in Snellen. Names stay as they are within a major
version. Each is imported when it is first used, so that a method does not load what draws pages.
`snellen docs api` lists every name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snellen.changes.identity import Identity as Identity
    from snellen.changes.recipe import Materials as Materials
    from snellen.changes.recipe import Recipe as Recipe
    from snellen.changes.reencode import Reencode as Reencode
    from snellen.changes.registry import RECIPES as RECIPES
    from snellen.changes.registry import recipe_from_json as recipe_from_json
    from snellen.configuration import Options as Options
    from snellen.configuration import parse as parse
    from snellen.configuration import read_yaml as read_yaml
    from snellen.contract.asked import Asked as Asked
    from snellen.contract.case_events import case_events as case_events
    from snellen.contract.explanation import UNEXPLAINED as UNEXPLAINED
    from snellen.contract.explanation import Explaining as Explaining
    from snellen.contract.explanation import Explanation as Explanation
    from snellen.contract.explanation import NamedCause as NamedCause
    from snellen.contract.explanation import Rung as Rung
    from snellen.contract.fault_target import FaultTarget as FaultTarget
    from snellen.contract.fault_target import targets_of_events as targets_of_events
    from snellen.contract.instances import InstanceKey as InstanceKey
    from snellen.contract.method import Method as Method
    from snellen.contract.method import PreparationProgress as PreparationProgress
    from snellen.contract.method import Setting as Setting
    from snellen.contract.method import Unit as Unit
    from snellen.contract.planned_verdict import PlannedVerdict as PlannedVerdict
    from snellen.contract.questions import Answer as Answer
    from snellen.contract.questions import BudgetSpentError as BudgetSpentError
    from snellen.contract.questions import Question as Question
    from snellen.contract.questions import Questions as Questions
    from snellen.contract.questions import detections_in as detections_in
    from snellen.contract.repairs import AllowedPlaces as AllowedPlaces
    from snellen.contract.repairs import FreePlaces as FreePlaces
    from snellen.contract.repairs import Repairs as Repairs
    from snellen.contract.repairs import ReplayedUnit as ReplayedUnit
    from snellen.contract.repairs import Retrains as Retrains
    from snellen.contract.verdict import CHANCE as CHANCE
    from snellen.contract.verdict import CHECK as CHECK
    from snellen.contract.verdict import CONTROL as CONTROL
    from snellen.contract.verdict import PART as PART
    from snellen.contract.verdict import TEST as TEST
    from snellen.contract.verdict import Case as Case
    from snellen.contract.verdict import Notes as Notes
    from snellen.contract.verdict import Status as Status
    from snellen.contract.verdict import Verdict as Verdict
    from snellen.contract.verdict import status_of as status_of
    from snellen.errors import MissingExtraError as MissingExtraError
    from snellen.errors import SubjectError as SubjectError
    from snellen.errors import UserError as UserError
    from snellen.errors import nearest as nearest
    from snellen.methods.kind import METHODS as METHODS
    from snellen.methods.kind import MethodKind as MethodKind
    from snellen.methods.run_comparison import OwnComparison as OwnComparison
    from snellen.methods.run_comparison import RunComparison as RunComparison
    from snellen.methods.run_comparison import RunSide as RunSide
    from snellen.methods.view import RunRecord as RunRecord
    from snellen.methods.view import View as View
    from snellen.methods.view import ViewWords as ViewWords
    from snellen.pages.embedded_pictures import Album as Album
    from snellen.pages.finding_pictures import CardKind as CardKind
    from snellen.pages.markup import Markup as Markup
    from snellen.pages.markup import joined as joined
    from snellen.pages.markup import tag as tag
    from snellen.pages.page_section import PageSection as PageSection
    from snellen.pages.page_section import Place as Place
    from snellen.pages.page_section import RateRow as RateRow
    from snellen.pages.page_section import Resource as Resource
    from snellen.pages.page_section import Tile as Tile
    from snellen.pages.pair_card import PairCards as PairCards
    from snellen.pages.tables import figure as figure
    from snellen.pages.tables import section as section
    from snellen.pages.tables import table as table
    from snellen.scenes.problems import InvalidItemError as InvalidItemError
    from snellen.scenes.problems import Problems as Problems
    from snellen.scenes.registry import READERS as READERS
    from snellen.scenes.registry import Reader as Reader
    from snellen.scenes.scene import Picture as Picture
    from snellen.scenes.scene import PictureArray as PictureArray
    from snellen.scenes.scene import PictureFile as PictureFile
    from snellen.scenes.scene import Scene as Scene
    from snellen.scenes.scene import SceneSet as SceneSet
    from snellen.statistics.intervals import Interval as Interval
    from snellen.statistics.intervals import Rate as Rate
    from snellen.statistics.intervals import wilson as wilson
    from snellen.statistics.intervals import wilson_rate as wilson_rate
    from snellen.statistics.non_inferiority import LossStatus as LossStatus
    from snellen.statistics.non_inferiority import loss_status as loss_status
    from snellen.store.estimate import Estimate as Estimate
    from snellen.store.estimate import percent as percent
    from snellen.store.estimate import points as points
    from snellen.store.explanations import RecordedExplanation as RecordedExplanation
    from snellen.store.explanations import RecordedRung as RecordedRung
    from snellen.store.explanations import explanation_of as explanation_of
    from snellen.store.faults import Fault as Fault
    from snellen.store.faults import faults as faults
    from snellen.store.findings import EventRow as EventRow
    from snellen.store.findings import Finding as Finding
    from snellen.store.journal import Journal as Journal
    from snellen.store.opened_run import OpenedRun as OpenedRun
    from snellen.store.rates import JudgedCases as JudgedCases
    from snellen.store.rates import Rates as Rates
    from snellen.store.summary import OwnNumbers as OwnNumbers
    from snellen.store.summary import RequirementVerdict as RequirementVerdict
    from snellen.store.summary import Summary as Summary
    from snellen.store.verdict_summary import FaultCounts as FaultCounts
    from snellen.store.verdict_summary import VerdictStatus as VerdictStatus
    from snellen.store.verdict_summary import VerdictSummary as VerdictSummary
    from snellen.subjects.registry import ADAPTERS as ADAPTERS
    from snellen.subjects.registry import Adapter as Adapter
    from snellen.subjects.subject import Prediction as Prediction
    from snellen.subjects.subject import Subject as Subject
    from snellen.subjects.subject import Task as Task
    from snellen.vision.annotations import Annotations as Annotations
    from snellen.vision.arrays import Boxes as Boxes
    from snellen.vision.arrays import Image as Image
    from snellen.vision.arrays import Labels as Labels
    from snellen.vision.arrays import Scores as Scores
    from snellen.vision.boxes.box_geometry import clip as clip
    from snellen.vision.boxes.box_geometry import iou as iou
    from snellen.vision.boxes.matching import Match as Match
    from snellen.vision.boxes.matching import match as match
    from snellen.vision.detections import Detections as Detections
    from snellen.vision.detections3d import Detections3D as Detections3D
    from snellen.vision.events import Event as Event
    from snellen.vision.events import EventKind as EventKind
    from snellen.vision.events import Severity as Severity
    from snellen.vision.events import compare_predictions as compare_predictions
    from snellen.vision.label_vector import LabelVector as LabelVector
    from snellen.vision.masks.rle_masks import Masks as Masks
    from snellen.vision.truth.annotated_objects import AnnotatedObjects as AnnotatedObjects
    from snellen.vision.truth.event_truth import EventTruth as EventTruth
    from snellen.vision.truth.event_truth import with_truth as with_truth

_PLACES = {
    # Questions and answers: what a method asks the subject, and what comes back.
    "Question": "snellen.contract.questions",
    "Answer": "snellen.contract.questions",
    "Questions": "snellen.contract.questions",
    "BudgetSpentError": "snellen.contract.questions",
    "detections_in": "snellen.contract.questions",
    # Cases and verdicts: what a method concludes.
    "Asked": "snellen.contract.asked",
    "Case": "snellen.contract.verdict",
    "Status": "snellen.contract.verdict",
    "Verdict": "snellen.contract.verdict",
    "Notes": "snellen.contract.verdict",
    "TEST": "snellen.contract.verdict",
    "CONTROL": "snellen.contract.verdict",
    "CHECK": "snellen.contract.verdict",
    "CHANCE": "snellen.contract.verdict",
    "PART": "snellen.contract.verdict",
    "status_of": "snellen.contract.verdict",
    "case_events": "snellen.contract.case_events",
    # Explanations: counterfactual questions about a finding.
    "Explanation": "snellen.contract.explanation",
    "Rung": "snellen.contract.explanation",
    "Explaining": "snellen.contract.explanation",
    "UNEXPLAINED": "snellen.contract.explanation",
    "FaultTarget": "snellen.contract.fault_target",
    "targets_of_events": "snellen.contract.fault_target",
    # A method: what the engine asks of it, and how it is registered.
    "Method": "snellen.contract.method",
    "MethodKind": "snellen.methods.kind",
    "Setting": "snellen.contract.method",
    "Unit": "snellen.contract.method",
    "PreparationProgress": "snellen.contract.method",
    "METHODS": "snellen.methods.kind",
    # What repair may ask of a method that inserts objects.
    "Retrains": "snellen.contract.repairs",
    "Repairs": "snellen.contract.repairs",
    "InstanceKey": "snellen.contract.instances",
    "AllowedPlaces": "snellen.contract.repairs",
    "FreePlaces": "snellen.contract.repairs",
    "ReplayedUnit": "snellen.contract.repairs",
    # The view of a method: what a run of it shows.
    "View": "snellen.methods.view",
    "PlannedVerdict": "snellen.contract.planned_verdict",
    "ViewWords": "snellen.methods.view",
    "RunRecord": "snellen.methods.view",
    "RunComparison": "snellen.methods.run_comparison",
    "OwnComparison": "snellen.methods.run_comparison",
    "RunSide": "snellen.methods.run_comparison",
    # Parts of a page.
    "PageSection": "snellen.pages.page_section",
    "Place": "snellen.pages.page_section",
    "Tile": "snellen.pages.page_section",
    "RateRow": "snellen.pages.page_section",
    "Resource": "snellen.pages.page_section",
    "Markup": "snellen.pages.markup",
    "tag": "snellen.pages.markup",
    "joined": "snellen.pages.markup",
    "section": "snellen.pages.tables",
    "table": "snellen.pages.tables",
    "figure": "snellen.pages.tables",
    "Album": "snellen.pages.embedded_pictures",
    "CardKind": "snellen.pages.finding_pictures",
    "PairCards": "snellen.pages.pair_card",
    # Numbers of a run.
    "Summary": "snellen.store.summary",
    "OwnNumbers": "snellen.store.summary",
    "RequirementVerdict": "snellen.store.summary",
    "VerdictSummary": "snellen.store.verdict_summary",
    "VerdictStatus": "snellen.store.verdict_summary",
    "FaultCounts": "snellen.store.verdict_summary",
    "OpenedRun": "snellen.store.opened_run",
    "Fault": "snellen.store.faults",
    "faults": "snellen.store.faults",
    "explanation_of": "snellen.store.explanations",
    "RecordedExplanation": "snellen.store.explanations",
    "RecordedRung": "snellen.store.explanations",
    "NamedCause": "snellen.contract.explanation",
    "Estimate": "snellen.store.estimate",
    "percent": "snellen.store.estimate",
    "points": "snellen.store.estimate",
    "Journal": "snellen.store.journal",
    "Rates": "snellen.store.rates",
    "JudgedCases": "snellen.store.rates",
    "Finding": "snellen.store.findings",
    "EventRow": "snellen.store.findings",
    # Recipes: what is done to a scene.
    "Recipe": "snellen.changes.recipe",
    "Materials": "snellen.changes.recipe",
    "Identity": "snellen.changes.identity",
    "Reencode": "snellen.changes.reencode",
    "RECIPES": "snellen.changes.registry",
    "recipe_from_json": "snellen.changes.registry",
    # Values: scenes, predictions, arrays.
    "Scene": "snellen.scenes.scene",
    "SceneSet": "snellen.scenes.scene",
    "Picture": "snellen.scenes.scene",
    "PictureFile": "snellen.scenes.scene",
    "PictureArray": "snellen.scenes.scene",
    "Annotations": "snellen.vision.annotations",
    "Detections": "snellen.vision.detections",
    "Detections3D": "snellen.vision.detections3d",
    "LabelVector": "snellen.vision.label_vector",
    "Masks": "snellen.vision.masks.rle_masks",
    "Prediction": "snellen.subjects.subject",
    "Image": "snellen.vision.arrays",
    "Boxes": "snellen.vision.arrays",
    "Labels": "snellen.vision.arrays",
    "Scores": "snellen.vision.arrays",
    # Events and matching.
    "Event": "snellen.vision.events",
    "EventKind": "snellen.vision.events",
    "Severity": "snellen.vision.events",
    "compare_predictions": "snellen.vision.events",
    "with_truth": "snellen.vision.truth.event_truth",
    "EventTruth": "snellen.vision.truth.event_truth",
    "AnnotatedObjects": "snellen.vision.truth.annotated_objects",
    "match": "snellen.vision.boxes.matching",
    "Match": "snellen.vision.boxes.matching",
    "iou": "snellen.vision.boxes.box_geometry",
    "clip": "snellen.vision.boxes.box_geometry",
    # Subjects and scene formats.
    "Subject": "snellen.subjects.subject",
    "Task": "snellen.subjects.subject",
    "Adapter": "snellen.subjects.registry",
    "ADAPTERS": "snellen.subjects.registry",
    "Reader": "snellen.scenes.registry",
    "READERS": "snellen.scenes.registry",
    "Problems": "snellen.scenes.problems",
    "InvalidItemError": "snellen.scenes.problems",
    # Options and errors.
    "Options": "snellen.configuration",
    "parse": "snellen.configuration",
    "read_yaml": "snellen.configuration",
    "UserError": "snellen.errors",
    "SubjectError": "snellen.errors",
    "MissingExtraError": "snellen.errors",
    "nearest": "snellen.errors",
    # Statistics.
    "Interval": "snellen.statistics.intervals",
    "Rate": "snellen.statistics.intervals",
    "wilson": "snellen.statistics.intervals",
    "wilson_rate": "snellen.statistics.intervals",
    "LossStatus": "snellen.statistics.non_inferiority",
    "loss_status": "snellen.statistics.non_inferiority",
}

__all__ = [*_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'snellen.api' has no attribute '{name}'")
    found = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
