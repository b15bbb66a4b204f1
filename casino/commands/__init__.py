"""What people and devices can do on the floor: the only way to write. Every command takes an `Order`."""
