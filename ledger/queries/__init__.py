"""What the pages and the interface ask the books."""
