"""What the floor does at a table, one form a deed: each says its fields and which command it is."""
