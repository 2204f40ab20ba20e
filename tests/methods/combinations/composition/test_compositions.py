"""Compositions: the objects dealt, none too hidden, on a tight canvas, unlike each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from snellen.changes.compose.compose import Compose
from snellen.changes.paste.stencil import cut_stencil
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.methods.combinations.composition import compositions as composing
from snellen.methods.combinations.composition.arrangement import alone_recipe, among_recipe
from snellen.methods.combinations.composition.compositions import (
    Arrangement,
    Composition,
    compositions,
)
from snellen.methods.combinations.composition.dissimilarity import CompositionDraft, distance
from snellen.methods.combinations.composition.object_shapes import shape_at
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.arrays import Bools
from tests.changes.compose.overlaps import on_canvas, overlap_of, touch

NOWHERE = Scene("row", PictureArray(np.zeros((1, 1, 3), np.uint8)), (1, 1))
LABELS = "abcdef"


def blob(rng: np.random.Generator, label: str) -> Cutout:
    """A cut-out of random colours: discs here and there with a soft edge, cropped to them."""
    height, width = (int(value) for value in rng.integers(8, 120, 2))
    y, x = np.mgrid[:height, :width]
    alpha = np.zeros((height, width))
    for _ in range(3):
        middle = rng.uniform(0, 1, 2) * (height, width)
        radius = rng.uniform(0.15, 0.5) * min(height, width)
        alpha = np.maximum(alpha, radius - np.hypot(y - middle[0], x - middle[1]))
    alpha = (alpha / 2).clip(0, 1) * 255
    alpha[height // 2, width // 2] = 255
    pixels = np.dstack([rng.integers(0, 256, (height, width, 3)), alpha]).astype(np.uint8)
    rows, columns = (np.flatnonzero(pixels[..., 3].any(axis=axis)) for axis in (1, 0))
    return Cutout(label, pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def library_of(seed: int = 0, each: int = 12) -> MemoryLibrary:
    rng = np.random.default_rng(seed)
    return MemoryLibrary([blob(rng, label) for label in LABELS for _ in range(each)])


LIBRARY = library_of()


def hands_of(library: Library, labels: str, count: int, start: int = 0) -> list[list[Entry]]:
    deck = {label: library.entries(label) for label in labels}
    return [[deck[one][(start + k) % len(deck[one])] for k in range(count)] for one in labels]


def composed(
    hands: list[list[Entry]], library: Library = LIBRARY, seed: int = 0, **arrangement: object
) -> list[Composition]:
    count = len(hands[0]) if hands else 5
    look = Arrangement(**arrangement)  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    return compositions(hands, library, rng, count=count, arrangement=look)


def masks_of(recipe: Compose, library: Library) -> list[Bools]:
    """Where each object is on the canvas: alpha of one half or more, as it is pasted."""
    size = recipe.height, recipe.width
    return [
        on_canvas(cut_stencil(library.cutout(id).pixels, width, height).alpha >= 128, x, y, size)
        for id, x, y, width, height in recipe.placed
    ]


@settings(max_examples=60)
@given(
    labels=st.text(LABELS, min_size=1, max_size=6),
    seed=st.integers(0, 10**6),
    longest=st.sampled_from([64, 200, 640]),
    margin=st.sampled_from([0.0, 0.05]),
    overlap=st.sampled_from([0.0, 0.1, 0.3]),
    sizing=st.sampled_from(["equal", "own"]),
)
def test_on_the_final_canvas_none_is_too_hidden_none_floats_and_all_are_inside(
    labels: str, seed: int, longest: int, margin: float, overlap: float, sizing: str
) -> None:
    hands = hands_of(LIBRARY, labels, 1, start=seed)
    [found] = composed(
        hands, seed=seed, longest=longest, margin=margin, overlap=overlap, sizing=sizing
    )
    masks = masks_of(found.recipe, LIBRARY)
    assert found.overlap == pytest.approx(overlap_of(masks), abs=1e-12)
    assert found.overlap < overlap or found.overlap == 0
    for place in range(1, len(masks)):
        assert touch(masks[place], np.any(masks[:place], axis=0)), "an island"
    _assert_tight(found.recipe, longest, margin)


def _assert_tight(recipe: Compose, longest: int, margin: float) -> None:
    """Longest side as asked; the border is free, and hardly wider than asked."""
    assert max(recipe.width, recipe.height) == longest
    left, top = min(one[1] for one in recipe.placed), min(one[2] for one in recipe.placed)
    right = recipe.width - max(one[1] + one[3] for one in recipe.placed)
    bottom = recipe.height - max(one[2] + one[4] for one in recipe.placed)
    border = round(margin * longest)
    assert min(left, right, top, bottom) >= border
    across = (left + right, top + bottom)
    longer = recipe.height >= recipe.width
    assert across[not longer] == 2 * border or recipe.width == recipe.height
    assert across[longer] <= 2 * border + 2 + 0.06 * longest


def test_the_border_is_seldom_wider_than_asked() -> None:
    spare = []
    for seed in range(40):
        [found] = composed(hands_of(LIBRARY, "abcd", 1, seed), seed=seed, margin=0.0)
        wide = found.recipe.width == 640
        ends = [(one[1] + one[3], one[2] + one[4]) for one in found.recipe.placed]
        starts = [(one[1], one[2]) for one in found.recipe.placed]
        spare.append(640 - (np.max(ends, axis=0) - np.min(starts, axis=0))[0 if wide else 1])
    assert np.median(spare) <= 2
    assert max(spare) <= 20


@given(
    label=st.sampled_from(LABELS),
    card=st.integers(0, 11),
    size=st.tuples(st.integers(1, 300), st.integers(1, 300)),
)
def test_the_shape_that_is_laid_out_is_the_one_that_is_pasted(
    label: str, card: int, size: tuple[int, int]
) -> None:
    id = LIBRARY.entries(label)[card].id
    alpha = cut_stencil(LIBRARY.cutout(id).pixels, *size).alpha
    shape = shape_at(LIBRARY, id, *size)
    if alpha.max() >= 128:
        assert np.array_equal(shape, alpha >= 128)
    else:
        assert shape.any()
        assert alpha[shape == 1].min() >= alpha.max() / 2 - 1


@given(labels=st.text(LABELS, max_size=5), seed=st.integers(0, 99), count=st.integers(1, 6))
@settings(max_examples=25)
def test_every_card_is_used_exactly_once_under_its_label(
    labels: str, seed: int, count: int
) -> None:
    hands = hands_of(LIBRARY, labels, count, start=seed)
    found = compositions(
        hands,
        LIBRARY,
        np.random.default_rng(seed),
        count=count,
        arrangement=Arrangement(longest=64),
    )
    if not hands:
        assert [one.recipe.placed for one in found] == [()]
        return
    used = Counter(
        (label, placed[0])
        for one in found
        for label, placed in zip(one.labels, one.recipe.placed, strict=True)
    )
    assert used == Counter((label, card.id) for label, hand in enumerate(hands) for card in hand)
    assert all(sorted(one.labels) == list(range(len(labels))) for one in found)


def test_a_card_dealt_twice_is_used_twice() -> None:
    first, second = LIBRARY.entries("a")[0], LIBRARY.entries("b")[0]
    found = composed([[first] * 4, [second] * 4])
    assert len(found) == 4
    assert all({one[0] for one in c.recipe.placed} == {first.id, second.id} for c in found)


def test_the_same_seed_gives_the_same_recipes_whatever_was_decoded_before() -> None:
    hands = hands_of(LIBRARY, "abcd", 5)
    for background in ("white", "colours", "gradients"):
        first = composed(hands, seed=3, background=background)
        again = composed(hands, library_of(), seed=3, background=background)
        other = composed(hands, seed=4, background=background)
        recipes = [one.recipe for one in first]
        assert recipes == [one.recipe for one in again]
        assert [one.labels for one in first] == [one.labels for one in again]
        assert recipes != [one.recipe for one in other]


def test_recipes_are_plain_values_that_come_back_from_json() -> None:
    import json

    for one in composed(hands_of(LIBRARY, "abc", 3), background="gradients"):
        assert recipe_from_json(json.loads(json.dumps(one.recipe.to_json()))) == one.recipe


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[CompositionDraft]:
    """The looks of all compositions that are painted from here on."""
    seen: list[CompositionDraft] = []
    real = composing.exact_composition

    def painted(look: CompositionDraft, library: Library, arrangement: Arrangement) -> Composition:
        seen.append(look)
        return real(look, library, arrangement)

    monkeypatch.setattr(composing, "exact_composition", painted)
    return seen


def _spread(seed: int, candidates: int, looks: list[CompositionDraft]) -> float:
    """The mean distance to the nearest other composition of a row."""
    looks.clear()
    compositions(
        hands_of(LIBRARY, "abcd", 10),
        LIBRARY,
        np.random.default_rng(seed),
        count=10,
        arrangement=Arrangement(longest=64),
        candidates=candidates,
    )
    return float(np.mean([min(distance(a, b) for b in looks if b is not a) for a in looks]))


def test_farthest_first_spreads_more_than_plain_drawing(looks: list[CompositionDraft]) -> None:
    plain = [_spread(seed, 1, looks) for seed in range(12)]
    best = [_spread(seed, 3, looks) for seed in range(12)]
    assert np.mean(best) > 1.05 * np.mean(plain)
    assert np.mean(np.array(best) > plain) > 0.7


def test_a_look_is_no_distance_from_itself_and_the_same_distance_both_ways(
    looks: list[CompositionDraft],
) -> None:
    composed(hands_of(LIBRARY, "abc", 4), longest=64)
    for one in looks:
        for other in looks:
            assert distance(one, other) == pytest.approx(distance(other, one))
            assert (distance(one, other) == 0) == (one is other)


def test_the_bare_canvas_is_an_image_too_and_no_two_are_equal() -> None:
    [white] = composed([])
    assert white.recipe == Compose(640, 640, (), "#ffffff", 1.0)
    assert (white.labels, white.overlap) == ((), 0.0)
    assert (white.recipe.build(NOWHERE, {}) == 255).all()
    for background in ("colours", "gradients"):
        assert len({one.recipe for one in composed([], background=background)}) == 5
    bare = composed([], background="photographs", photographs=("d1", "d2", "d3"))
    assert {one.recipe.background for one in bare} == {"photo:d1", "photo:d2", "photo:d3"}
    assert len(bare) == 3


def test_one_object_alone_on_white_is_one_composition_however_often_it_is_dealt() -> None:
    entry = LIBRARY.entries("a")[0]
    [found] = composed([[entry] * 5])
    assert found.recipe == alone_recipe(entry, Arrangement())
    assert len(composed([[entry] * 5], background="colours")) == 5


def test_alone_fills_its_canvas_on_white_or_the_plain_colour() -> None:
    for entry in LIBRARY.entries("b"):
        _assert_tight(alone_recipe(entry, Arrangement()), 640, 0.05)
        for background, expected in (
            ("white", "#ffffff"),
            ("colours", "#ffffff"),
            ("gradients", "#ffffff"),
            ("#123abc", "#123abc"),
        ):
            assert alone_recipe(entry, Arrangement(background=background)).background == expected
        [(id, _, _, width, height)] = alone_recipe(entry, Arrangement(margin=0)).placed
        assert id == entry.id
        assert width / height == pytest.approx(entry.width / entry.height, rel=0.2)


def _ellipse(label: str, width: int, height: int) -> Cutout:
    y, x = (np.arange(n) + 0.5 - n / 2 for n in (height, width))
    inside = (y[:, None] / height) ** 2 + (x[None] / width) ** 2 < 0.25
    return Cutout(label, np.dstack([inside * 255] * 4).astype(np.uint8))


ELLIPSES = MemoryLibrary(
    [_ellipse(label, 20 + 9 * k, 30 + 7 * k) for k in range(12) for label in LABELS]
)


def _areas(sizing: str, scale: tuple[float, float] = (0.5, 1.5)) -> npt.NDArray[np.float64]:
    """Areas of objects as shares of the first label's, in many compositions."""
    found = []
    for seed in range(30):
        hands = hands_of(ELLIPSES, "abc", 1, seed)
        for one in composed(hands, ELLIPSES, seed=seed, sizing=sizing, scale=scale):
            areas = dict(
                zip(one.labels, (m.sum() for m in masks_of(one.recipe, ELLIPSES)), strict=True)
            )
            own = [hand[0].area for hand in hands]
            shares = [areas[k] / areas[0] for k in (1, 2)]
            if sizing == "own":
                shares = [share * own[0] / own[k] for k, share in zip((1, 2), shares, strict=True)]
            found += shares
    return np.array(found)


@pytest.mark.parametrize("sizing", ["equal", "own"])
def test_objects_are_scaled_by_half_to_one_and_a_half_from_their_common_or_own_size(
    sizing: str,
) -> None:
    fixed = _areas(sizing, (1.0, 1.0))
    assert np.median(np.abs(np.log(fixed))) < 0.05, "no scaling: one size"
    sides = np.sqrt(_areas(sizing))
    assert sides.min() > 0.9 / 3
    assert sides.max() < 1.1 * 3
    assert sides.min() < 0.7
    assert sides.max() > 1.4


def _strip(height: int, width: int, alpha: int) -> Cutout:
    pixels = np.full((height, width, 4), 90, np.uint8)
    pixels[..., 3] = alpha
    return Cutout("a", pixels)


STRANGE = {
    "one pixel wide": _strip(300, 1, 255),
    "one pixel": _strip(1, 1, 255),
    "nowhere half opaque": _strip(30, 40, 60),
    "nowhere at all": _strip(30, 40, 0),
    "very large": _strip(1500, 1000, 255),
}


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("sizing", ["equal", "own"])
def test_strange_objects_are_composed_like_others(kind: str, sizing: str) -> None:
    ordinary = blob(np.random.default_rng(5), "b")
    library = MemoryLibrary([STRANGE[kind], ordinary])
    [strange], [other] = library.entries("a"), library.entries("b")
    for seed in range(6):
        hands = [[strange], [other], [strange]]
        [found] = composed(hands, library, seed, sizing=sizing, longest=320)
        _assert_tight(found.recipe, 320, 0.05)
        assert found.overlap < 0.3
        image = found.recipe.build(NOWHERE, {"objects": library})
        assert image.shape == (found.recipe.height, found.recipe.width, 3)
    _assert_tight(alone_recipe(strange, Arrangement()), 640, 0.05)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("scale", (1.5, 0.5), "scale: found"),
        ("scale", (0.0, 0.5), "scale: found"),
        ("overlap", 1.2, "overlap: found 1.2"),
        ("longest", 8, "at least 32 pixels"),
        ("margin", 0.5, "margin: found 0.5"),
        ("feather", -1.0, "feather: found -1.0"),
        ("sizing", "equals", "did you mean 'equal'"),
        ("background", "wite", "did you mean 'white'"),
        ("background", "photographs", "but none are given"),
    ],
)
def test_mistakes_in_an_arrangement_are_told(field: str, value: object, message: str) -> None:
    with pytest.raises(UserError, match=message):
        Arrangement(**{field: value})  # type: ignore[arg-type]


def test_hands_that_do_not_suffice_are_refused() -> None:
    with pytest.raises(ValueError, match=r"hands of \[2\] objects for 3"):
        compositions(
            hands_of(LIBRARY, "a", 2),
            LIBRARY,
            np.random.default_rng(0),
            count=3,
            arrangement=Arrangement(),
        )


def test_real_objects_lie_as_they_should(
    shared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from snellen.objects.library.open_objects import open_objects

    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path))
    folder = shared("coco_val64")
    [annotations] = [path.name for path in folder.glob("*.json")]
    only = ["bottle", "bus", "car", "chair", "cup", "wine glass"]
    values = {"kind": "coco", "annotations": annotations, "images": "images", "only": only}
    library = open_objects(values, folder)
    rng = np.random.default_rng(1)
    for _ in range(6):
        labels = rng.choice(library.labels(), 4, replace=False)
        hands = [[library.entries(label)[0]] * 3 for label in labels]
        found = compositions(hands, library, rng, count=3, arrangement=Arrangement())
        for one in found:
            masks = masks_of(one.recipe, library)
            assert one.overlap == pytest.approx(overlap_of(masks), abs=1e-12)
            assert one.overlap < 0.3
            _assert_tight(one.recipe, 640, 0.05)


@pytest.mark.parametrize("labels", ["ab", "abcd"])
def test_the_overlap_is_uniform_over_its_range_however_many_objects_there_are(labels: str) -> None:
    found = [
        one.overlap / 0.3
        for seed in range(50)
        for one in composed(hands_of(LIBRARY, labels, 3, seed), seed=seed)
    ]
    assert kstest(found, "uniform").pvalue > 0.01
    assert 0.05 < np.mean(np.array(found) > 0.9) < 0.15


@settings(max_examples=30)
@given(
    labels=st.text(LABELS, min_size=1, max_size=5),
    seed=st.integers(0, 10**6),
    enlarged=st.sampled_from([0.5, 1.0, 1.5, 4.0]),
    sizing=st.sampled_from(["equal", "own"]),
)
def test_no_object_is_enlarged_beyond_the_limit_and_none_shrinks_for_nothing(
    labels: str, seed: int, enlarged: float, sizing: str
) -> None:
    hands = hands_of(LIBRARY, labels, 1, start=seed)
    [found] = composed(hands, seed=seed, enlarged=enlarged, sizing=sizing)
    own = {one.id: one for hand in hands for one in hand}
    scales = [
        max(width / own[id].width, height / own[id].height)
        for id, _, _, width, height in found.recipe.placed
    ]
    roundings = [1 / min(own[id].width, own[id].height) for id, *_ in found.recipe.placed]
    assert all(s <= enlarged + r for s, r in zip(scales, roundings, strict=True))
    if max(found.recipe.width, found.recipe.height) < 640:
        assert min(s + r for s, r in zip(scales, roundings, strict=True)) >= enlarged
    masks = masks_of(found.recipe, LIBRARY)
    for place in range(1, len(masks)):
        assert touch(masks[place], np.any(masks[:place], axis=0)), "an island"


SQUARES = MemoryLibrary(
    [Cutout(label, np.full((80, 80, 4), 255, np.uint8)) for label in LABELS[:4]]
)


@pytest.mark.parametrize("library", [LIBRARY, SQUARES], ids=["ragged", "squares"])
def test_an_object_is_validated_at_about_the_size_that_it_has_among_others(
    library: MemoryLibrary,
) -> None:
    ratios = []
    for seed in range(40):
        hands = hands_of(library, LABELS[:4], 1, seed)
        [found] = composed(hands, library, seed)
        own = {hand[0].id: hand[0] for hand in hands}
        for id, *_, width, _ in found.recipe.placed:
            [(_, x, y, wide, high)] = among_recipe(own[id], Arrangement(), 4).placed
            assert (x, y) == ((640 - wide) // 2, (640 - high) // 2)
            ratios.append(wide / width)
    assert 0.75 < np.median(ratios) < 1.33
