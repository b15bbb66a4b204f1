"""The append-only log: streams of immutable events in PostgreSQL, and readers that never miss one.

It knows nothing of casinos. `registry` is pure; everything else needs Django's connection.
"""
