"""`snellen insert3d`: build one camera+LiDAR case by hand, as a run would."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from snellen.errors import UserError
from snellen.terminal.help_group import HelpGroup, listed_under
from snellen.terminal.options import Json

if TYPE_CHECKING:
    from snellen.changes.insert3d.frame_change import FrameChange
    from snellen.changes.insert3d.insert3d import Insert3D
    from snellen.changes.recipe import Materials
    from snellen.scenes.scene import Scene


@listed_under(HelpGroup.DEEPER)
def insert3d(
    kitti_folder: Annotated[
        Path, typer.Argument(help="The folder that contains `training`, or that folder itself.")
    ],
    frame: Annotated[str, typer.Argument(help="The frame's name, such as 000003.")],
    out: Annotated[Path, typer.Option("--out", help="The new folder to write.")],
    mesh: Annotated[
        list[str] | None,
        typer.Option(
            "--mesh",
            help="sedan, van-3, ... or a file listed in the meshes.yaml next to it; repeatable.",
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at",
            metavar="X,Y[,YAW]",
            help="Metres ahead and to the left, and degrees; one for each --mesh. "
            "Default: random places.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed.")] = 0,
    sensors: Annotated[
        str, typer.Option("--sensors", help="both; lidar or camera for inconsistent sensors.")
    ] = "both",
    lidar: Annotated[
        str | None,
        typer.Option(
            "--lidar", help="HDL-64E, HDL-32E or OS1-64, if the beams cannot be estimated."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Insert meshes into one camera and LiDAR frame.

    Inserts as a run would and writes a KITTI folder. Without --mesh it writes the control: the
    frame's own files, byte for byte.
    """
    from snellen.changes.insert3d.insert3d import Insert3D
    from snellen.changes.insert3d.seed_frame import seed_frame
    from snellen.methods.fusion.commands.insert3d_input import meshes_named, scene_of
    from snellen.methods.fusion.commands.insert3d_places import places_for

    scene = scene_of(kitti_folder, frame)
    meshes, names = meshes_named(mesh or [])
    placed = places_for(seed_frame(scene, lidar), meshes, names, at or [], seed)
    objects = tuple((name, *place) for name, place in zip(names, placed.places, strict=True))
    recipe = Insert3D(objects, seed, sensors)
    result = _built(scene, recipe, {"meshes": meshes, "lidar": lidar}, out)
    for thing, note in zip(result["inserted"], placed.notes, strict=True):
        thing["a_run_would_refuse_it"] = note
    typer.echo(json.dumps(result, indent=1) if as_json else _text(result))


def _built(scene: Scene, recipe: Insert3D, materials: Materials, out: Path) -> dict[str, Any]:
    """Build and write the case; returns its facts."""
    from snellen.methods.fusion.commands.insert3d_output import write_case

    changed, image = recipe.change_frame(scene, materials)
    _check_view(changed, recipe)
    write_case(scene, changed, image, recipe, out)
    numbers = changed.measurements()
    return {
        "frame": scene.id,
        "seed": recipe.seed,
        "sensors": recipe.sensors,
        "points_added": int(numbers["points_added"]),
        "points_removed": int(numbers["points_removed"]),
        "inserted": [_thing(changed, recipe, place) for place in range(len(recipe.objects))],
        "before": _before(changed),
        "recipe": recipe.to_json(),
        "out": str(out),
    }


def _check_view(changed: FrameChange, recipe: Insert3D) -> None:
    for place, (name, x, y, _, _) in enumerate(recipe.objects):
        reach = changed.seed.scan.beams.farthest
        if math.hypot(x, y) > reach:
            raise UserError(
                f"--at: {name} would be {math.hypot(x, y):.1f} m away, but this LiDAR's farthest "
                f"return is at {reach:.1f} m. Place it nearer."
            )
        if changed.in_image is not None and not changed.in_image.traces[place].pixels:
            raise UserError(
                f"--at: {name} at {x:g},{y:g} is outside the image. X is metres ahead, Y metres to "
                "the left; choose a place in the camera's view, such as 15,0."
            )


def _thing(changed: FrameChange, recipe: Insert3D, place: int) -> dict[str, Any]:
    name, x, y, z, yaw = recipe.objects[place]
    one = changed.labelled_objects[len(changed.seed.rows or ()) + place]
    box = changed.visible_box(place)
    return {
        "mesh": name,
        "x": x,
        "y": y,
        "ground": round(z, 3),
        "yaw_degrees": round(math.degrees(yaw), 3),
        "label": one.row.line(),
        "points": one.points,
        "lidar_visible": round(one.lidar_visible, 4),
        "image_visible": round(one.image_visible, 4),
        "visible_box": None if box is None else [round(float(side), 2) for side in box],
        "modality_consistency": round(changed.consistency(place), 4),
        "visibility_gap": round(abs(one.lidar_visible - one.image_visible), 4),
    }


def _before(changed: FrameChange) -> list[dict[str, Any]]:
    return [
        {
            "label": one.row.line(),
            "was": row.line(),
            "points": one.points,
            "lidar_visible": round(one.lidar_visible, 4),
            "image_visible": round(one.image_visible, 4),
        }
        for row, one in zip(changed.seed.rows or (), changed.labelled_objects, strict=False)
    ]


def _text(result: dict[str, Any]) -> str:
    from snellen.scenes.kitti.label_file import DONT_CARE

    lines = [] if result["inserted"] else ["nothing inserted: the frame's own files"]
    for thing in result["inserted"]:
        lines += [
            f"{thing['mesh']} at {thing['x']:.2f},{thing['y']:.2f} on ground {thing['ground']:.2f}"
            f", {thing['yaw_degrees']:.1f} degrees",
            f"  {thing['label']}",
            f"  {thing['points']} returns; visible: {thing['lidar_visible']:.0%} of its beams and "
            f"{thing['image_visible']:.0%} of its pixels",
            f"  modality consistency {thing['modality_consistency']:.2f}  "
            "(IoU of image box and box of the returns; real cars: 0.66 to 0.91)",
        ]
        if thing["a_run_would_refuse_it"]:
            lines.append(f"  a run would not use this place: {thing['a_run_would_refuse_it']}")
    for row in result["before"]:
        labelled = not row["was"].startswith(DONT_CARE)
        if labelled and min(row["lidar_visible"], row["image_visible"]) < 1:
            lines.append(
                f"labelled {row['was'].split()[0]}: {row['lidar_visible']:.0%} of its points and "
                f"{row['image_visible']:.0%} of its pixels remain visible"
                + ("" if row["was"] == row["label"] else f"; now {row['label']}")
            )
    lines.append(f"{result['points_added']} points added, {result['points_removed']} removed")
    return "\n".join([*lines, f"written to {result['out']}"])
