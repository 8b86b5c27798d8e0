"""Finding the weights of learned players by self-play: `python -m engine.learning`."""
