"""For the bot's operator: figures, metrics, reports, and how far games are."""
