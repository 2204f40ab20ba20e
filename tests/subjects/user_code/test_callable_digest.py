"""Two callables have the same digest only if they run the same code on the same values."""

from __future__ import annotations

import collections
import functools
import random
import re
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.subjects.user_code.callable_digest import CallableDigest, callable_digest

BASE: dict[str, str] = {
    "code": "def f(image): return image + 1",
    "a constant of an inner function": (
        "def f(image):\n    def inner(x): return x + 1\n    return inner(image)"
    ),
    "a default": "def f(image, level=1): return image > level",
    "a keyword's default": "def f(image, *, level=1): return image > level",
    "a global": "level = 1\ndef f(image): return image > level",
    "a global of a function that it calls": (
        "level = 1\ndef g(image): return image > level\ndef f(image): return g(image)"
    ),
    "a nested global": "options = {'a': [1, {'b': 1}]}\ndef f(image): return options",
    "a closure": (
        "def make(level):\n    def f(image): return image > level\n    return f\nf = make(1)"
    ),
    "a lambda": "level = 1\nf = lambda image: image > level",
    "an array": "import numpy as np\nw = np.arange(10) + 1\ndef f(image): return w",
    "an array's type": (
        "import numpy as np\nw = np.zeros(3, 'f4' if 1 < 2 else 'f8')\ndef f(image): return w"
    ),
    "a partial": (
        "import functools\ndef g(level, image): return level\nf = functools.partial(g, 1)"
    ),
    "a callable object's state": (
        "class F:\n    def __init__(self, level): self.level = level\n"
        "    def __call__(self, image): return image > self.level\nf = F(1)"
    ),
    "an object's slot": (
        "class F:\n    __slots__ = ('level',)\n    def __call__(self, image): return self.level\n"
        "f = F()\nf.level = 1"
    ),
    "a class's attribute": (
        "class F:\n    level = 1\n    def __call__(self, image): return self.level\nf = F()"
    ),
    "a base class's method": (
        "class B:\n    def level(self): return 1\n"
        "class F(B):\n    def __call__(self, image): return self.level()\nf = F()"
    ),
    "a property": (
        "class F:\n    @property\n    def level(self): return 1\n"
        "    def __call__(self, image): return self.level\nf = F()"
    ),
    "a bound method": (
        "class F:\n    def __init__(self, level): self.level = level\n"
        "    def detect(self, image): return image > self.level\nf = F(1).detect"
    ),
    "a decorated function": (
        "import functools\ndef g(image): return 1\n@functools.lru_cache\ndef f(image): return 1"
    ),
    "an attribute of the function": "def f(image): return f.level\nf.level = 1",
    "a set": "names = {'a', 'b', 1}\ndef f(image): return names",
    "a seeded generator": "import random\nrng = random.Random(1)\ndef f(image): return rng",
    "a path": "import pathlib\np = pathlib.Path('1')\ndef f(image): return p",
    "text that is not UTF-8": "t = '\\udcff1'\ndef f(image): return t",
}
"""What decides an answer: the same with 1 replaced by 2 is another callable."""


def made(source: str, name: str = "notebook") -> Any:
    """The `f` of a source that is in no file, as in a cell of a notebook."""
    module = types.ModuleType(name)
    module.__dict__["functools"] = functools
    exec(compile(source, "<cell>", "exec", dont_inherit=True), vars(module))
    return vars(module)["f"]


def digest(source: str) -> CallableDigest:
    return callable_digest(made(source))


@pytest.mark.parametrize("what", BASE)
def test_the_same_source_has_the_same_digest_and_another_has_not(what: str) -> None:
    first = digest(BASE[what])
    assert first.text, first.reason
    assert first == digest(BASE[what])
    assert first == digest("\n\n# moved down\n" + BASE[what]), "lines do not matter"
    other = digest(BASE[what].replace("1", "2"))
    assert other.text, other.reason
    assert first != other


def test_a_digest_is_the_same_in_another_process(tmp_path: Path) -> None:
    code = (
        "import sys, types, functools\n"
        "from snellen.subjects.user_code.callable_digest import callable_digest\n"
        "for source in eval(sys.argv[1]):\n"
        "    module = types.ModuleType('notebook')\n"
        "    module.__dict__['functools'] = functools\n"
        "    exec(compile(source, '<other>', 'exec'), vars(module))\n"
        "    print(callable_digest(vars(module)['f']).text)\n"
    )
    sources = list(BASE.values())
    done = subprocess.run(
        [sys.executable, "-c", code, ascii(sources)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [digest(source).text for source in sources]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import threading\nlock = threading.Lock()\ndef f(image):\n    with lock: pass", "lock"),
        ("def f(image): return open('weights').read()", r"'f' calls open\(\)"),
        ("def f(image): return eval('1')", r"'f' calls eval\(\)"),
        ("import io\nfile = io.BytesIO(b'x')\ndef f(image): return file.read()", "BytesIO"),
        ("import cv2\nnet = cv2.ORB_create()\ndef f(image): return net", "ORB"),
        ("def f(image):\n    import nowhere_at_all\n", "imports 'nowhere_at_all'"),
        ("def g():\n    yield 1\nh = g()\ndef f(image): return next(h)", "generator"),
        (
            "import weakref\nclass C: pass\nc = C()\nr = weakref.ref(c)\ndef f(image): return r()",
            "ref",
        ),
        ("x = []\nfor _ in range(5000): x = [x]\ndef f(image): return x", "too deeply"),
    ],
)
def test_what_cannot_be_followed_has_no_digest_and_a_reason(source: str, words: str) -> None:
    found = digest(source)
    assert not found.text
    assert re.search(words, found.reason), found


def test_state_that_changes_later_changes_the_digest() -> None:
    seen: list[int] = []

    def f(image: Any) -> int:
        return len(seen)

    before = callable_digest(f)
    seen.append(1)
    assert callable_digest(f) != before


def test_values_that_refer_to_themselves_end() -> None:
    ring: list[Any] = []
    ring.append(ring)

    def f(image: Any) -> Any:
        return ring if image is None else f(None)

    assert callable_digest(f).text


def test_values_of_other_kinds_that_look_alike_differ() -> None:
    values: list[Any] = [
        1, 1.0, True, "1", b"1", None, "None", (1,), [1], {1}, {1: None}, frozenset({1}),
        np.int64(1), np.array([1]), np.array([1], "i2"), 1j, -0.0, 0.0, [], (), {}, "",
        collections.OrderedDict(a=1), {"a": 1}, collections.defaultdict(int, a=1), {"a": None},
        collections.defaultdict(float, a=1), np.ma.array([1], mask=[True]),
        np.ma.array([1], mask=[False]),
        np.add, np.mean, functools.lru_cache(abs), functools.lru_cache(len),
        collections.deque([1]), random.Random(1),
        [[1], 2], [[1, 2]], [1, [2]], ["ab", "c"], ["a", "bc"],
    ]  # fmt: skip
    digests = [callable_digest(value) for value in values]
    assert all(one.text for one in digests), digests
    assert len({one.text for one in digests}) == len(values)


def test_a_tensor_is_followed_by_its_content() -> None:
    torch = pytest.importorskip("torch")
    first, same, other = torch.ones(3), torch.ones(3), torch.zeros(3)
    calls = [functools.partial(lambda w, _: w, w) for w in (first, same, other)]
    digests = [callable_digest(call) for call in calls]
    assert digests[0] == digests[1] != digests[2]


def test_a_lock_of_the_callable_itself_is_found(tmp_path: Path) -> None:
    class Locked:
        def __init__(self) -> None:
            self.lock = threading.Lock()

        def __call__(self, image: Any) -> None:
            """Nothing."""

    assert "lock" in callable_digest(Locked()).reason
