"""Computer players: each sees a SeatView, as a person does, and answers with a move."""
