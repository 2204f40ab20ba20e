"""The outputs of a run: summary, page, pictures, JUnit file and terminal text."""
