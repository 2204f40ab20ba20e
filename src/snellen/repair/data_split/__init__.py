"""The division of scenes into train, repair and evaluate, and the checks that nothing leaks."""
