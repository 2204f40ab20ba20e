"""A disk that fails at the n-th operation, and what a power cut leaves of a run.

`disk_shim.c` stands between a process and the C library, below Python and SQLite alike: it makes
the n-th write, sync, rename or other change to a folder fail, or logs them all. `power_cut` builds
from such a log what a disk may hold if the power is cut after the n-th.
"""
