"""How many requests pass, against counting them one by one, and in how much memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.study.server.rate_limits import RateLimits, RequestRate, TokenBuckets, sender_of
from tests.study.server.served_study import NO_LIMITS, ServedStudy


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.integers(0, 20), max_size=60))
def test_no_window_of_time_lets_more_pass_than_burst_and_rate(pauses: list[int]) -> None:
    clock = Clock()
    buckets, passed = TokenBuckets(RequestRate(0.25, 3), clock=clock), []
    for pause in pauses:
        clock.now += pause / 4
        if buckets.wait("one") == 0:
            passed.append(clock.now)
    for start, begin in enumerate(passed):
        for count, end in enumerate(passed[start:], 1):
            assert count <= 3 + 0.25 * (end - begin) + 1e-9


def test_who_waits_as_long_as_is_said_passes_and_not_before() -> None:
    clock = Clock()
    buckets = TokenBuckets(RequestRate(2, 1), clock=clock)
    assert buckets.wait("one") == 0
    wait = buckets.wait("one")
    assert wait == pytest.approx(0.5)
    clock.now = wait - 0.01
    assert buckets.wait("one") > 0
    clock.now = wait + 1e-9
    assert buckets.wait("one") == 0


def test_senders_do_not_use_up_what_is_others() -> None:
    buckets = TokenBuckets(RequestRate(1, 1), clock=Clock())
    assert [buckets.wait(one) > 0 for one in ("a", "b", "a")] == [False, False, True]


def test_a_request_that_costs_more_takes_more_or_nothing() -> None:
    buckets = TokenBuckets(RequestRate(1, 10), clock=Clock())
    assert [buckets.wait("a", cost) for cost in (8, 3, 2, 1)] == [0, 1, 0, 1]


def test_looking_through_all_answers_is_worth_many_requests(served: ServedStudy) -> None:
    served = limited(served, participant=RequestRate(0.01, 30))
    browser = served.started()
    found = [browser.get("/api/my-data").status_code for _ in range(4)]
    assert found == [200, 200, 429, 429]
    assert browser.get("/api/progress").status_code == 200


def test_memory_is_bounded_and_keeps_those_seen_last() -> None:
    buckets = TokenBuckets(RequestRate(1, 1), capacity=100, clock=Clock())
    for number in range(1_000):
        buckets.wait(number)
    assert len(buckets) == 100
    assert buckets.wait(999) > 0


def test_an_ipv6_site_is_one_sender_however_many_addresses_it_makes_up() -> None:
    assert sender_of("2001:db8:1:2:aaaa::1") == sender_of("2001:db8:1:2:bbbb::9%eth0")
    assert sender_of("2001:db8:1:3::1") != sender_of("2001:db8:1:2::1")
    assert sender_of("::ffff:192.0.2.1") == sender_of("192.0.2.1")
    assert sender_of("not:an:address") == "not:an:address"


def limited(served: ServedStudy, **limits: RequestRate) -> ServedStudy:
    given = {**vars(NO_LIMITS), **limits}
    return ServedStudy(served.folder, served.study, RateLimits(**given))


def test_a_participant_beyond_the_rate_waits_and_others_do_not(served: ServedStudy) -> None:
    served = limited(served, participant=RequestRate(0.5, 5))
    one, other = served.started(), served.started()  # two stages each
    sent = [one.get("/api/progress") for _ in range(6)]
    assert [response.status_code for response in sent] == [200, 200, 200, 429, 429, 429]
    assert sent[-1].json()["error"] == "too-many"
    assert 1 <= int(sent[-1].headers["retry-after"]) <= 2
    assert other.get("/api/progress").status_code == 200


def test_enrolling_is_limited_by_address_and_in_all(served: ServedStudy) -> None:
    served = limited(served, enrolment=RequestRate(0.01, 2), enrolments=RequestRate(0.01, 3))

    def enrol(address: str) -> int:
        return int(served.browser(address).post("/api/enrol", {}).status_code)

    assert [enrol("192.0.2.1") for _ in range(3)] == [200, 200, 429]
    assert [enrol("192.0.2.2"), enrol("192.0.2.3")] == [200, 429]
    assert len(served.study.participants) == 3


def test_any_request_of_an_address_counts(served: ServedStudy) -> None:
    served = limited(served, address=RequestRate(0.01, 4))
    one, other = served.browser("192.0.2.1"), served.browser("192.0.2.2")
    paths = ("/", "/nothing", "/api/progress", "/static/study.js", "/")
    assert [one.get(path).status_code for path in paths] == [200, 404, 401, 200, 429]
    assert other.get("/").status_code == 200


def test_guessing_the_owners_token_is_slowed_and_the_owner_is_not(served: ServedStudy) -> None:
    served = limited(served, refused_owner=RequestRate(0.01, 3))
    wrong = {"Authorization": "Bearer wrong"}
    found = [served.browser().get("/api/admin/overview", wrong).status_code for _ in range(5)]
    assert found == [401, 401, 401, 429, 429]
    assert served.browser().get("/api/admin/overview", served.owner).status_code == 200


def test_the_limits_that_stand_let_the_fastest_honest_participant_pass(
    served: ServedStudy,
) -> None:
    served = ServedStudy(served.folder, served.study, RateLimits())
    browser = served.started()
    requests = 2
    while (trial := browser.trial()) is not None:
        for picture in trial.pictures:
            assert browser.get(f"/api/picture/{picture.name}").status_code == 200
        assert browser.answer(trial).status_code == 200
        requests += 2 + len(trial.pictures)
    assert requests < RateLimits().participant.burst
