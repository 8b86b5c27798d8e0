"""The course of a game: moves, deals, games, and what each seat may see of them."""
