"""Each benchmark has its peer beside it and a column that says whether it was right."""
