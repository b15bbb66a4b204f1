"""One round, pure: `state` is what its events say, the others decide what comes next.

`betting` until no more bets, `dealing` until the hand is complete, `settling` and `voiding` at its end. Whatever can't
be done is `Refused`, and nothing has happened.
"""
