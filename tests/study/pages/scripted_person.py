"""A person who does every task by mouse, touch or keyboard alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.study.trial import StudyTask
from tests.study.pages.scripted_study import BOX, HEIGHT, WIDTH
from tests.study.pages.study_visit import StudyVisit

Point = tuple[float, float]
CORNERS: tuple[Point, ...] = ((130, 90), (210, 90), (210, 160), (130, 160))
"""Of the outline, in pixels of the picture."""


@dataclass
class ScriptedPerson:
    """What a person does with a mouse; `choice` is the place of the answer chosen, from 1."""

    visit: StudyVisit
    choice: int = 1

    @property
    def page(self) -> Any:
        return self.visit.page

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def agree(self) -> None:
        self.page.get_by_label("I have read this").click()

    def do(self, task: StudyTask) -> None:
        """Do the current trial, from the end of its introduction to the answer."""
        doings: dict[StudyTask, Callable[[], None]] = {
            StudyTask.CLASSIFY: self.choose,
            StudyTask.CLASSIFY_BOX: self.choose,
            StudyTask.LOCALISE: self.localise,
            StudyTask.SEGMENT: self.segment,
            StudyTask.RANK: self.rank,
        }
        doings[task]()

    def choose(self) -> None:
        self.page.locator(".choice:enabled").nth(self.choice - 1).click()

    def localise(self) -> None:
        self.press("Show the picture")
        self.surface()
        self.drag(self.at(BOX[0], BOX[1]), self.at(BOX[2], BOX[3]))

    def segment(self) -> None:
        self.surface()
        for corner in CORNERS:
            self.tap(self.at(*corner))
        self.tap(self.at(*CORNERS[0]))
        self.press("Done")

    def segment_by_brush(self) -> None:
        """Paint one line."""
        self.surface()
        self.drag(self.at(*CORNERS[0]), self.at(*CORNERS[2]))
        self.press("Done")

    def rank(self) -> None:
        """Put the last picture first."""
        handles = self.page.locator(".handle")
        handles.first.wait_for()
        handles.last.scroll_into_view_if_needed()
        self.drag(middle(handles.last), middle(handles.first))
        self.press("Done")

    def surface(self) -> None:
        """Wait for the picture to draw on; outlines are drawn on all of it."""
        self.page.locator(".surface").wait_for()
        out = self.page.get_by_role("button", name="Zoom out")
        while out.count() and out.is_enabled():
            self.press("Zoom out")

    def at(self, x: float, y: float) -> Point:
        """Where on the screen a pixel of the picture is."""
        place = self.page.locator(".surface").bounding_box()
        return place["x"] + x * place["width"] / WIDTH, place["y"] + y * place["height"] / HEIGHT

    def tap(self, point: Point) -> None:
        self.page.mouse.click(*point)

    def drag(self, start: Point, end: Point) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=6)
        self.page.mouse.up()


class TouchPerson(ScriptedPerson):
    """Uses one finger on a phone."""

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).tap()

    def agree(self) -> None:
        self.page.get_by_label("I have read this").tap()

    def choose(self) -> None:
        self.page.locator(".choice:enabled").nth(self.choice - 1).tap()

    def tap(self, point: Point) -> None:
        self.page.touchscreen.tap(*point)

    def rank(self) -> None:
        """Put the second picture first: the cards of a phone stand below one another."""
        handles = self.page.locator(".handle")
        handles.first.wait_for()
        self.drag(middle(handles.nth(1)), middle(handles.first))
        self.press("Done")

    def drag(self, start: Point, end: Point) -> None:
        session = self.page.context.new_cdp_session(self.page)
        steps = [
            (start[0] + (end[0] - start[0]) * part / 6, start[1] + (end[1] - start[1]) * part / 6)
            for part in range(7)
        ]
        for place, (x, y) in enumerate(steps):
            kind = "touchMove" if place else "touchStart"
            touch = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
            session.send("Input.dispatchTouchEvent", touch)
        self.page.wait_for_timeout(150)  # lifted in motion, it would be a fling, which eats a tap
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        session.detach()


class KeyboardPerson(ScriptedPerson):
    """Never touches a pointer: reaches everything with the Tab key."""

    def press(self, name: str) -> None:
        self.reach(self.page.get_by_role("button", name=name, exact=True))
        self.page.keyboard.press("Enter")

    def agree(self) -> None:
        self.reach(self.page.get_by_label("I have read this"))
        self.page.keyboard.press("Space")

    def choose(self) -> None:
        self.page.locator(".choice:enabled").first.wait_for()
        self.page.keyboard.press(str(self.choice))

    def localise(self) -> None:
        """A box of two steps from where the cross is."""
        self.press("Show the picture")
        self.surface()
        self.keys("Enter", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "Enter")

    def segment(self) -> None:
        self.page.locator(".surface").wait_for()
        self.reach(self.page.locator(".surface"))
        self.keys("Enter", *["ArrowRight"] * 3, "Enter", *["ArrowDown"] * 3, "Enter")
        self.press("Close outline")
        self.press("Done")

    def rank(self) -> None:
        self.page.locator(".handle").first.wait_for()
        self.reach(self.page.locator(".handle").last)
        self.keys(*["ArrowLeft"] * 3)
        self.press("Done")

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def reach(self, wanted: Any) -> None:
        """Press Tab until an element has the focus."""
        wanted.wait_for()
        for _ in range(60):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {wanted}")


def middle(element: Any) -> Point:
    """The middle of an element on the screen."""
    place = element.bounding_box()
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


PEOPLE: Sequence[type[ScriptedPerson]] = (TouchPerson, KeyboardPerson)
"""Whose devices differ most; the mouse is that of every other test."""
