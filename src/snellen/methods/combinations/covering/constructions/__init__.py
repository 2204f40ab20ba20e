"""Arrays by algebraic and combinatorial construction."""
