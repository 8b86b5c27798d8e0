"""How a click or command becomes a call: who may, what it costs, and what is said when it can't be."""
