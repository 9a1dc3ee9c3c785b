"""`make prove-heard`: what a listener hears of each engine with real weights, as a table."""
