"""Average precision, its curves, and the kinds of errors behind them."""
