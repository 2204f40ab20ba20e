"""Clean metrics and losses of two subjects in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snellen.methods.requirements.comparison.clean_metrics import MetricPair
from snellen.methods.requirements.comparison.loss_pairs import ComparedRequirement
from snellen.store.estimate import Estimate, points


def clean_lines(clean: Mapping[str, MetricPair], scenes: int) -> list[str]:
    """Each metric on unchanged scenes, of A and of B, and the difference."""
    if not clean:
        return []
    lines = [f"  {_metric(name, one)}" for name, one in clean.items()]
    return ["", f"on {scenes} unchanged scenes:", *lines]


def loss_lines(compared: Sequence[ComparedRequirement]) -> list[str]:
    """Each requirement with its status for both, and how much more B loses."""
    if not compared:
        return []
    lines = [line for one in compared for line in _requirement(one)]
    return ["", "requirements (A, B; loss of B minus loss of A):", *lines]


def _metric(name: str, pair: MetricPair) -> str:
    values = [Estimate.of(one).value for one in (pair.a, pair.b)]
    shown = ["not known" if one is None else f"{one:.3f}" for one in values]
    return f"{name}: A {shown[0]}, B {shown[1]}, {points(Estimate.of(pair.difference))}"


def _requirement(one: ComparedRequirement) -> list[str]:
    """Its status for both, and a line per metric up to its largest threshold."""
    a, b = one.status
    if not one.losses:
        return [f"  {one.name}: {a.value}, {b.value}; it demands nothing"]
    lines = [
        f"    loss of {pair.metric} up to visual change {pair.threshold:g}: "
        f"{points(Estimate.of(pair.difference))}"
        for pair in one.own_losses
    ]
    return [f"  {one.name}: {a.value}, {b.value}", *lines]
