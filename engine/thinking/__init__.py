"""What takes long to think of, in worker processes: strong computers' moves, and advice."""

from engine.thinking.thinking import Thinking
from engine.worker import Failed, Lost

__all__ = ["Failed", "Lost", "Thinking"]
