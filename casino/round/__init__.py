"""One round, pure: `state` is what its events say; `betting`, `dealing`, `settling` and `voiding` decide what comes next.

Whatever can't be done is `Refused`, and nothing has happened.
"""
