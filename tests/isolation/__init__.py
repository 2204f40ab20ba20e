"""What an installation with one extra, or with none, can do: run as `python -m tests.isolation`.

Needs nothing but Snellen and the extra, so that it also runs where only those are installed.
"""
