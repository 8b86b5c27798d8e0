"""A game going on: moves, deals, games and what each seat may see of them."""
