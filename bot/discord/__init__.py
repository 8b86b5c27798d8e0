"""What Discord is like: its errors, permissions, places and traffic. Knows nothing of cards."""
