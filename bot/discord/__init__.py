"""Facts about Discord, apart from any game: its errors, permissions, places and traffic."""
