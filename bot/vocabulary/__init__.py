"""Plain data for what the bot shows and receives: messages, the contents of pictures, and controls."""
