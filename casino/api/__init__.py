"""The HTTP interface of the floor, `/api/v1/`: one class an operation, each calling one command or one query."""
