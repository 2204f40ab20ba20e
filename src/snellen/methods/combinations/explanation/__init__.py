"""Why a composition fails: its parts, and the smallest that still fails."""
