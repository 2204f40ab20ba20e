"""What is written for the pages is what the server does."""

from __future__ import annotations

import re

from snellen.study.server import contract, refusal
from snellen.study.server.application import description
from snellen.study.server.refusal import STATUSES, too_many
from tests.study.server.served_study import ServedStudy


def test_the_table_of_requests_has_every_route_with_its_body_and_answer(
    served: ServedStudy,
) -> None:
    row = re.compile(r"^\| `(GET|POST|DELETE) (\S+?)`\s*\|\s*(?:`(\w+)`)?\s*\| (.*)\|$", re.M)
    written = {
        (method.lower(), path): (body, answer)
        for method, path, body, answer in row.findall(contract.__doc__ or "")
    }
    served_paths = description(served.app)["paths"]
    assert written.keys() == {
        (method, path) for path, methods in served_paths.items() for method in methods
    }
    for (method, path), (body, answer) in written.items():
        route = served_paths[path][method]
        taken = route.get("requestBody", {}).get("content", {}).get("application/json", {})
        assert taken.get("schema", {}).get("$ref", "").rpartition("/")[2] == body
        given = route["responses"]["200"].get("content", {}).get("application/json", {})
        named = re.findall(r"/(\w+)'", str(given))
        assert all(f"`{name}`" in answer for name in named), (path, named)


def test_the_table_of_errors_has_every_refusal() -> None:
    row = re.compile(r"^\| (\d{3})\s+\| `([a-z-]+)`", re.M)
    written = {(int(status), error) for status, error in row.findall(contract.__doc__ or "")}
    constants = [one for one in vars(refusal).values() if isinstance(one, tuple) and len(one) == 3]
    made = {(int(status), str(error)) for status, error, _ in constants}
    made |= set(STATUSES.values()) | {(429, too_many(1.0).refusal.error)}
    assert made == written


def test_sentences_for_people_are_sentences() -> None:
    constants = [one for one in vars(refusal).values() if isinstance(one, tuple) and len(one) == 3]
    assert all(re.fullmatch(r"[A-Z].*\.", message) for _, _, message in constants)
