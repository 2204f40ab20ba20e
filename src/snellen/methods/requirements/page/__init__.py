"""The parts of the page that requirements have."""
