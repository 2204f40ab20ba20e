"""COCO's class names, in both numberings."""

from __future__ import annotations

COCO_80 = tuple(
    """person,bicycle,car,motorcycle,airplane,bus,train,truck,boat,traffic light,fire hydrant,
    stop sign,parking meter,bench,bird,cat,dog,horse,sheep,cow,elephant,bear,zebra,giraffe,backpack,
    umbrella,handbag,tie,suitcase,frisbee,skis,snowboard,sports ball,kite,baseball bat,
    baseball glove,skateboard,surfboard,tennis racket,bottle,wine glass,cup,fork,knife,spoon,bowl,
    banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake,chair,couch,potted plant,
    bed,dining table,toilet,tv,laptop,mouse,remote,keyboard,cell phone,microwave,oven,toaster,sink,
    refrigerator,book,clock,vase,scissors,teddy bear,hair drier,toothbrush""".replace(
        "\n    ", ""
    ).split(",")
)

UNUSED = "???"
"""Placeholder for an unused id."""

_UNUSED_IDS = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83}


def _with_gaps() -> tuple[str, ...]:
    names = iter(COCO_80)
    return tuple(UNUSED if number in _UNUSED_IDS else next(names) for number in range(1, 91))


COCO_90 = _with_gaps()
"""The names of ids 1 to 90 in COCO's own numbering, which leaves ten ids unused."""
