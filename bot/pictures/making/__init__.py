"""Makes the art files with developers' tools: `python -m bot.pictures.making`. The bot never imports this."""
