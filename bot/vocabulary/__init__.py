"""What the bot says and is told, as plain data: messages, pictures' contents, and the base of controls."""
