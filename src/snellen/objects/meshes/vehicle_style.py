"""The parameters from which the body of each kind of vehicle is lofted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class VehicleStyle:
    """Shares of the length (0 front, 1 rear) and of the height (0 ground, 1 roof).

    bonnet: heights of the top of the body at front, cowl, rear end of the belt and tail.
    cabin_base, cabin_roof: start and end of the cabin. windows: shares of the cabin's side between
    which there is glass. axles: positions. wheel: radius in metres. clearance: in metres.
    """

    bonnet: tuple[float, float, float, float]
    cabin_base: tuple[float, float]
    cabin_roof: tuple[float, float]
    windows: tuple[tuple[float, float], ...]
    axles: tuple[float, ...]
    wheel: float
    clearance: float = 0.19
    tumblehome: float = 0.80
    rear_glass: bool = True
    roof_crown: float = 0.045
    lamp_rows: tuple[float, float] = (0.60, 0.84)
    tail_rows: tuple[float, float] = (0.60, 0.90)


STYLES: dict[str, VehicleStyle] = {
    "sedan": VehicleStyle(
        bonnet=(0.53, 0.645, 0.67, 0.63),
        cabin_base=(0.235, 0.885),
        cabin_roof=(0.43, 0.715),
        windows=((0.10, 0.46), (0.50, 0.84)),
        axles=(0.185, 0.785),
        wheel=0.315,
        tumblehome=0.76,
    ),
    "hatchback": VehicleStyle(
        bonnet=(0.52, 0.63, 0.66, 0.62),
        cabin_base=(0.22, 0.985),
        cabin_roof=(0.43, 0.86),
        windows=((0.11, 0.50), (0.54, 0.82)),
        axles=(0.19, 0.82),
        wheel=0.305,
        tumblehome=0.78,
    ),
    "suv": VehicleStyle(
        bonnet=(0.56, 0.645, 0.67, 0.64),
        cabin_base=(0.225, 0.985),
        cabin_roof=(0.41, 0.90),
        windows=((0.11, 0.44), (0.48, 0.74), (0.78, 0.92)),
        axles=(0.19, 0.80),
        wheel=0.36,
        clearance=0.24,
        tumblehome=0.82,
    ),
    "van": VehicleStyle(
        bonnet=(0.44, 0.53, 0.55, 0.54),
        cabin_base=(0.10, 0.992),
        cabin_roof=(0.27, 0.965),
        windows=((0.09, 0.30),),
        axles=(0.16, 0.79),
        wheel=0.33,
        clearance=0.22,
        tumblehome=0.87,
        tail_rows=(0.45, 0.95),
    ),
    "bus": VehicleStyle(
        bonnet=(0.36, 0.37, 0.38, 0.37),
        cabin_base=(0.003, 0.995),
        cabin_roof=(0.018, 0.985),
        windows=((0.015, 0.10), (0.13, 0.25), (0.265, 0.385), (0.40, 0.52), (0.535, 0.655),
                 (0.67, 0.79), (0.805, 0.955)),
        axles=(0.22, 0.72),
        wheel=0.48,
        clearance=0.30,
        tumblehome=0.96,
        roof_crown=0.05,
        lamp_rows=(0.20, 0.5),
        tail_rows=(0.45, 0.84),
    ),
    "cab": VehicleStyle(
        bonnet=(0.42, 0.43, 0.44, 0.43),
        cabin_base=(0.02, 0.99),
        cabin_roof=(0.12, 0.98),
        windows=((0.12, 0.72),),
        axles=(0.62,),
        wheel=0.47,
        clearance=0.38,
        tumblehome=0.93,
        rear_glass=False,
        lamp_rows=(0.20, 0.5),
        tail_rows=(0.0, 0.0),
    ),
}  # fmt: skip
