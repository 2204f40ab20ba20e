"""The documentation as a site: pages gathered, built strictly, and checked."""
