"""What every subject in a model file shares: input, network, class names, NMS."""
