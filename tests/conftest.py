"""What many tests share: where the real data is, and where it is not, a reason to skip."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from snellen.errors import redaction
from tests.finished_runs import reported, run_folder, runs  # noqa: F401  (fixtures)

# Without it every process compiles every module anew, which takes longer than most tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Beside as many workers as there are cores, threads wait for one another at full speed.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The key by which the user's own folders are recognised: not that of whoever runs the tests.
os.environ["SNELLEN_STATE"] = tempfile.mkdtemp(prefix="snellen-state-")

# A shell starts what runs in the background deaf to Ctrl-C, and its children are so as well.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "snellen",
    # Examples are the same each time, so more of them find no more in the long run. Look further
    # now and then with: pytest --hypothesis-profile thorough
    max_examples=40,
    deadline=None,
    print_blob=True,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("snellen"), max_examples=1000, derandomize=False
)
settings.load_profile("snellen")

TESTS = Path(__file__).parent
DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """A path of the real data, or a skip that says why."""

    def find(relative: str) -> Path:
        path = DATA / relative
        if not path.exists():
            pytest.skip(f"real data '{relative}' is absent; set SNELLEN_DATA to where it is")
        return path

    return find


@pytest.fixture(autouse=True)
def _hidden_values_are_forgotten() -> Generator[None, None, None]:
    """What one test hides from its messages is not hidden from those of others."""
    kept = dict(redaction._hidden)
    yield
    redaction._hidden.clear()
    redaction._hidden.update(kept)


LONG = (
    "test_planted_faults", "test_sizes", "test_repair", "test_kyushu", "test_planted_cue",
    "test_repairing", "test_killed_runs", "test_darknet_repair", "test_example", "test_loop",
    "test_truth", "test_examples", "test_multitest", "test_yolo_loss", "test_saving",
    "test_commands", "test_corruptions_published", "test_planted", "test_simulation",
    "test_browser", "test_comparison", "test_coverage", "test_fusion_report", "test_pytest_plugin",
    "test_planted_labels", "test_kitti", "test_average_precision", "test_streets", "test_tflite",
    "test_gate", "test_darknet", "test_insert3d", "test_fusion_subjects", "test_search",
    "test_combination_browser", "test_composing", "test_naturalness", "test_subprocess",
    "test_requirement_numbers", "test_placing", "test_streets_pipeline", "test_streets_camera",
    "test_corruptions", "test_visual_change_vif", "test_onnx", "test_extras", "test_causes",
    "test_failing_disk", "test_site", "test_notebooks", "test_exam", "test_same_rows",
)  # fmt: skip
"""Files that take long. They go first, so that no worker is left with one when the rest is done.

The first few compile different loops, or none: two that need the same wait for each other.
"""


class Examples:
    """Looks for examples in docstrings only where some are, and not in tests.

    Without it each worker imports and searches a thousand modules more. Registered as a plug-in,
    for hooks of this file see the tests only.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """What a file has to offer."""
        found = yield
        if TESTS not in file_path.parents and b">>> " in file_path.read_bytes():
            return found
        return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: what is collected stays, then and later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False  # xdist would put files with many tests first
    config.pluginmanager.register(Examples())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONG)))
