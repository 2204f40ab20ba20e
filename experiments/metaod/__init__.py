"""MetaOD's experiments on four small detectors."""
