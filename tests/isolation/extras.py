"""The extras of pyproject.toml, and what Python imports of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NONE = "none"
"""An installation without any extra."""


@dataclass(frozen=True)
class Extra:
    """One extra.

    packages: the import name of each package that it lists. brings: import names of what those
    packages need in turn, if another extra lists it too. homes: modules and packages of Snellen
    that work only with this extra; all others must import without it.
    """

    packages: Mapping[str, str]
    brings: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()


EXTRAS = {
    "tflite": Extra({"ai-edge-litert": "ai_edge_litert"}),
    "torch": Extra(
        {"torch": "torch"},
        homes=("snellen.subjects.darknet.torch_network", "snellen.subjects.torch_models"),
    ),
    "transformers": Extra(
        {"torch": "torch", "transformers": "transformers"},
        brings=("tqdm",),
    ),
    "maite": Extra({"maite": "maite"}),
    "supervision": Extra(
        {"supervision": "supervision"},
        brings=("defusedxml", "deprecate", "matplotlib", "requests", "tqdm"),
    ),
    "analytics": Extra({"duckdb": "duckdb", "pandas": "pandas", "pyarrow": "pyarrow"}),
    "fusion": Extra(
        {"pycollada": "collada", "pypatchworkpp": "pypatchworkpp", "trimesh": "trimesh"}
    ),
    "hq": Extra({"mitsuba": "mitsuba"}),
    "study": Extra({"fastapi": "fastapi", "uvicorn": "uvicorn"}, homes=("snellen.study.server",)),
    "mlflow": Extra({"mlflow-skinny": "mlflow"}, brings=("requests",)),
    "wandb": Extra({"wandb": "wandb"}, brings=("requests",)),
}
"""For users."""

TOOLS = {
    "test": Extra(
        {
            "allpairspy": "allpairspy",
            "axe-playwright-python": "axe_playwright_python",
            "defusedxml": "defusedxml",
            "duckdb": "duckdb",
            "embreex": "embreex",
            "faster-coco-eval": "faster_coco_eval",
            "hatchling": "hatchling",
            "httpx": "httpx",
            "hypothesis": "hypothesis",
            "onnx": "onnx",
            "jsonschema": "jsonschema",
            "matplotlib": "matplotlib",
            "opencv-python-headless": "cv2",
            "ipykernel": "ipykernel",
            "nbclient": "nbclient",
            "pandas": "pandas",
            "playwright": "playwright",
            "pyarrow": "pyarrow",
            "pycocotools": "pycocotools",
            "pydeprecate": "deprecate",
            "pyrtools": "pyrtools",
            "pytest": "pytest",
            "pytest-timeout": "pytest_timeout",
            "pytest-xdist": "xdist",
            "requests": "requests",
            "schemathesis": "schemathesis",
            "scikit-image": "skimage",
            "sewar": "sewar",
            "shapely": "shapely",
            "tqdm": "tqdm",
        },
        homes=("snellen.pytest_plugin",),
    ),
    "docs": Extra({"griffelib": "griffe", "zensical": "zensical"}),
    "lint": Extra(
        {
            "import-linter": "importlinter",
            "mypy": "mypy",
            "ruff": "ruff",
            "scipy-stubs": "scipy-stubs",
            "types-cachetools": "cachetools-stubs",
            "types-jsonschema": "jsonschema-stubs",
            "types-PyYAML": "yaml-stubs",
        }
    ),
}
"""For who works on Snellen; absent in every installation."""

CORE = {"cv2"}
"""Import names of dependencies of every installation, which `test` lists to narrow a version."""


def absent(extra: str) -> set[str]:
    """The import names that an installation with this extra alone lacks.

    >>> "torch" in absent(NONE), "torch" in absent("torch"), "pandas" in absent("torch")
    (True, False, True)
    """
    every = {name for one in (EXTRAS | TOOLS).values() for name in one.packages.values()}
    own = EXTRAS.get(extra, Extra({}))
    return every - CORE - set(own.packages.values()) - set(own.brings)


def includes(extra: str, other: str) -> bool:
    """Whether an installation with `extra` has all packages of the extra `other`, too.

    >>> includes("transformers", "torch"), includes("torch", "transformers")
    (True, False)
    """
    return EXTRAS.get(extra, Extra({})).packages.items() >= EXTRAS[other].packages.items()


def foreign_homes(extra: str) -> tuple[str, ...]:
    """The modules and packages of Snellen that an installation with this extra may not import."""
    return tuple(
        home
        for name, one in (EXTRAS | TOOLS).items()
        if name not in EXTRAS or not includes(extra, name)
        for home in one.homes
    )
