"""A table in its channel: lobby, hands, board, votes, starts, seats and trouble."""
