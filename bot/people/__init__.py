"""What people and servers choose, and what is stored about them."""
