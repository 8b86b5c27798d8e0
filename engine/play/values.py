"""Changed copies of frozen values."""

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:  # mypy knows this one, and so the fields of a value
    from dataclasses import replace as replace
else:

    def replace(value: T, /, **changes: Any) -> T:
        """A faster `dataclasses.replace`, for values without slots and `__post_init__`.

        A deal is replaced several times for each card, and has two dozen fields.
        """
        fields = type(value).__dataclass_fields__
        if not changes.keys() <= fields.keys():
            raise TypeError(f"no field of {type(value).__name__}: {sorted(changes.keys() - fields.keys())}")
        new = object.__new__(type(value))
        old, state = value.__dict__, new.__dict__
        for name in fields:  # and no cached properties
            state[name] = old[name]
        state.update(changes)
        return new
