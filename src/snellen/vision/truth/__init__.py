"""What annotations and other detections say about the object of an event."""
