"""Average precision, precision-recall curves and TIDE error analysis."""
