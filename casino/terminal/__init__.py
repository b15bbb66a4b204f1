"""The table terminal: a round recorded by touch or by keyboard, through the same commands as the HTTP interface."""
