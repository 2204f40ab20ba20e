"""The simplest method: ask twice; the answers must agree."""
