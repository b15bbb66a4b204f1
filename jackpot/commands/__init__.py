"""What people can do with progressives: the only way to write. Every command takes an `Order`."""
