"""Ctrl-C ends a run even if Python drops it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable

import pytest

from snellen.engine.campaign import Campaign
from snellen.engine.interrupts import Terminated, interrupts, termination, uninterrupted
from snellen.engine.progress import RunTally, SilentWatcher
from snellen.engine.run import run_campaign
from snellen.store.journal import UnitEnd


class Deaf:
    """Its finalizer runs when Ctrl-C is pressed; Python drops what it raises."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def default() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_was_dropped_is_raised_at_the_next_look() -> None:
    with interrupts() as check:
        check()
        Deaf()
        with pytest.raises(KeyboardInterrupt):
            check()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_is_not_dropped_is_raised_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts():
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_others_do_on_ctrl_c_is_left_alone() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    with interrupts() as check:
        signal.raise_signal(signal.SIGINT)
        check()
    assert heard == [signal.SIGINT]


def test_another_thread_looks_without_hearing() -> None:
    calm: list[bool] = []

    def look() -> None:
        with interrupts() as check:
            check()
            calm.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert calm == [True]


class Pressed(SilentWatcher):
    """Somebody presses Ctrl-C after the first scene, and Python drops it."""

    def __init__(self) -> None:
        self.ended = 0

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        self.ended = tally.ended
        if self.ended == 1:
            Deaf()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_run_ends_soon_after_an_interrupt_that_was_dropped(
    campaign: Callable[..., Campaign],
) -> None:
    made, watcher = campaign(engine={"batch": 1, "cache": False}), Pressed()
    with pytest.raises(KeyboardInterrupt):
        run_campaign(made, watcher=watcher)
    assert 1 <= watcher.ended < 12
    assert run_campaign(made, resume=True).ended == 12 - watcher.ended


def test_an_interrupt_in_what_must_not_be_left_half_done_is_put_off() -> None:
    done: list[str] = []

    def work() -> None:
        with interrupts(), uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]


def test_sigterm_is_raised_only_for_a_command_that_wants_it() -> None:
    with pytest.raises(Terminated), termination():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with termination(), interrupts() as check:
        with pytest.raises(Terminated):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(Terminated):
            check()
    with interrupts():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
