"""What the pages of the floor show. Each page costs a fixed number of queries, however many tables there are."""
