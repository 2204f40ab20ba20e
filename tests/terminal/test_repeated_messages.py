"""Messages that repeat themselves are passed once, and only for as long as asked."""

from __future__ import annotations

import logging

import pytest

from snellen.terminal.repeated_messages import repetitions_dropped


def test_each_message_is_passed_once_until_the_end(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("snellen.scenes.problems")
    with repetitions_dropped():
        for count in (4, 4, 5):
            log.warning("%d invalid items were skipped", count)
        log.error("4 invalid items were skipped")
    log.warning("4 invalid items were skipped")
    assert [record.getMessage()[0] for record in caplog.records] == ["4", "5", "4", "4"]


def test_messages_are_passed_again_after_an_error(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("snellen")

    def interrupted() -> None:
        with repetitions_dropped():
            log.warning("once")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    log.warning("once")
    assert len(caplog.records) == 2
