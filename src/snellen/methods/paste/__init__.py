"""What methods that paste something share: explanations, controls and repairs of pastes."""
