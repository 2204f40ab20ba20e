"""A finding of a run in Python: images, events, fault and explanation."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image as Pillow

from snellen.changes.recipe import CaseInput
from snellen.errors import UserError
from snellen.report.finding_explanation import explain
from snellen.report.finding_folder import replay_command
from snellen.scenes.frame import Frame
from snellen.scenes.image_files.opened_image import check_pixels
from snellen.session.notebook_markup import event_rows, picture_markup, titled
from snellen.session.run_explanation import RunExplanation
from snellen.session.run_source import RunSource
from snellen.store.findings import EventRow, Finding
from snellen.store.run_folder import OVERLAY
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Image

if TYPE_CHECKING:
    from snellen.session.run_fault import RunFault


class RunFinding:
    """One finding: a case whose relation broke.

    id: as in the report. scene: its id. status: `failing`, `flaky` if it did not repeat, or
    `unconfirmed` if the budget ended before it was asked again. recipe: what was done to the scene,
    as plain values.
    """

    def __init__(self, source: RunSource, row: Finding) -> None:
        self._source, self._row = source, row
        self.id, self.scene, self.status = row.id, row.scene, row.status
        self.recipe: dict[str, Any] = row.recipe

    @property
    def events(self) -> tuple[EventRow, ...]:
        """The ways in which the relation broke, each with its margin."""
        return self._row.events

    @property
    def margin(self) -> float:
        """By how much the relation broke: the margin of the worst event, 0 without any."""
        return 0.0 if self._row.worst is None else self._row.worst.margin

    @property
    def flaky(self) -> bool:
        """Whether it did not repeat when it was asked again; such findings are not counted."""
        return self._row.flaky

    @property
    def inputs(self) -> tuple[CaseInput, CaseInput]:
        """What the subject was given before and after: images, or camera+LiDAR frames."""
        return self._source.opened.inputs(self._row)

    @property
    def before(self) -> Image:
        """The unchanged image, H x W x 3 uint8 RGB."""
        return _image(self.inputs[0], self.scene)

    @property
    def after(self) -> Image:
        """The case, H x W x 3 uint8 RGB, rebuilt from its recipe bit for bit."""
        return _image(self.inputs[1], self.scene)

    @property
    def predictions(self) -> tuple[Prediction | None, Prediction]:
        """The subject's answers before (None without a baseline) and after, as recorded."""
        return self._source.predictions(self._row)

    @property
    def faults(self) -> tuple[RunFault, ...]:
        """The faults that it belongs to, worst first; none if it is not counted."""
        from snellen.session.run_fault import RunFault

        return tuple(
            RunFault(self._source, one)
            for one in self._source.faults
            if self.id in [finding.id for finding in one.findings]
        )

    @property
    def fault(self) -> RunFault | None:
        """The worst fault that it belongs to; None if it is not counted."""
        return next(iter(self.faults), None)

    @property
    def replay(self) -> str:
        """The command that replays it."""
        return replay_command(self._source.folder, self.id)

    def explain(self, *, again: bool = False) -> RunExplanation:
        """Why it fails: the recorded explanation, or counterfactual questions asked now.

        again: ask the subject even if the run has the explanation.
        """
        return RunExplanation(explain(self._source.folder, self.id, again=again))

    def show(self) -> Pillow.Image:
        """Before and after side by side with the events marked, as a picture."""
        picture = Pillow.open(io.BytesIO(self._overlay()))
        check_pixels(*picture.size)
        return picture

    def _overlay(self) -> bytes:
        picture = self._source.picture(self._row)
        if picture is None:
            raise UserError(
                f"finding {self.id}: there is no stored picture and its scene or object can't be "
                f"read. Restore the data that {self._source.folder} was run on."
            )
        return picture.files()[OVERLAY]

    def __repr__(self) -> str:
        kinds = ", ".join(self._row.kinds) or "no event"
        status = "" if self._row.counted else f", {self.status}"
        return f"<Finding {self.id}: {kinds} in {self.scene}, margin {self.margin:.2f}{status}>"

    def _repr_html_(self) -> str:
        try:
            shown = picture_markup(np.asarray(self.show()))
        except UserError as error:
            shown = titled("", str(error))
        return titled(repr(self)[1:-1], shown, event_rows(self.events))


def _image(given: CaseInput, scene: str) -> Image:
    image = given.image if isinstance(given, Frame) else given
    if image is None:
        raise UserError(
            f"scene '{scene}' is a LiDAR frame without an image. Read its points: finding.inputs."
        )
    return np.asarray(image)
