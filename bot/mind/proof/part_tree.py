"""The parts of a request as sets of bits, and which of them may be left out together.

A set of parts is an integer with a bit for each leaf of the tree, in the order of the request. Parts are only ever left
out, never moved, so that what is kept stands in the order it was sent in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.mind.proof.proof_values import ProofPart, ProofTask


@dataclass(frozen=True)
class RemovableUnit:
    """What is left out at once: a part and what must go with it."""

    ids: tuple[str, ...]
    mask: int


class PartTree:
    """The parts of a task, with what binds them to each other worked out once."""

    def __init__(self, task: ProofTask) -> None:
        self._task = task
        self._leaves: list[ProofPart] = []
        self._masks: dict[str, int] = {}
        self._whole: dict[str, bool] = {}
        self._every: list[ProofPart] = []
        for part in task.parts:
            self._enter(part)
        unknown = {name for names in task.together for name in names} - self._masks.keys()
        if unknown:
            raise ValueError(f"no part is called {', '.join(sorted(unknown))}")
        self._groups, fixed = self._bound()
        pinned = sum(1 << at for at, leaf in enumerate(self._leaves) if not leaf.removable)
        self.removable = ((1 << len(self._leaves)) - 1) & ~pinned & ~fixed

    def _enter(self, part: ProofPart) -> int:
        if part.id in self._masks:
            raise ValueError(f"two parts are called {part.id}")
        self._masks[part.id] = 0
        self._every.append(part)
        if part.parts:
            mask = 0
            for child in part.parts:
                mask |= self._enter(child)
        else:
            mask = 1 << len(self._leaves)
            self._leaves.append(part)
        self._masks[part.id] = mask
        self._whole[part.id] = part.removable and all(self._whole[child.id] for child in part.parts)
        return mask

    def _bound(self) -> tuple[list[tuple[int, ...]], int]:
        """Return the groups that go together, as masks, and the leaves of those that can never go."""
        groups: list[set[str]] = []
        for names in [*self._task.together, *(self._rounds() if self._task.roles_alternate else ())]:
            merged = set(names)
            for other in [group for group in groups if group & merged]:
                groups.remove(other)
                merged |= other
            groups.append(merged)
        fixed = 0
        # one that cannot go holds all that overlaps it, and so may make another one stay
        waiting = [(sorted(names), tuple(sorted({self._masks[name] for name in names}))) for names in groups]
        while True:
            stuck = [
                (names, masks)
                for names, masks in waiting
                if not all(self._whole[name] for name in names) or any(mask & fixed for mask in masks)
            ]
            if not stuck:
                break
            for one in stuck:
                waiting.remove(one)
                for mask in one[1]:
                    fixed |= mask
        return [masks for _, masks in waiting], fixed

    def _rounds(self) -> Iterator[tuple[str, ...]]:
        """A message of a user and what answered it, wherever messages stand beside each other."""
        for siblings in [self._task.parts, *(part.parts for part in self._every)]:
            begun = ""
            for part in siblings:
                if part.role == "user":
                    begun = part.id
                elif part.role and begun:
                    yield (begun, part.id)
                elif not part.role:
                    begun = ""

    def __contains__(self, name: str) -> bool:
        return name in self._masks

    def closed(self, left_out: int) -> int:
        """Return what is left out with these: whatever must go together goes."""
        left_out &= self.removable
        changed = True
        while changed:
            changed = False
            for masks in self._groups:
                gone = [mask & ~left_out == 0 for mask in masks]
                if any(gone) and not all(gone):
                    for mask in masks:
                        left_out |= mask
                    changed = True
        return left_out

    def all_but(self, kept: int) -> int:
        """Return the most that can be left out while these stay, with whatever must stay with them."""
        left_out = self.removable & ~kept
        changed = True
        while changed:
            changed = False
            for masks in self._groups:
                gone = [mask & ~left_out == 0 for mask in masks]
                if any(gone) and not all(gone):
                    for mask, one in zip(masks, gone, strict=True):
                        left_out &= ~mask if one else -1
                    changed = True
        return left_out

    def names(self, left_out: int) -> tuple[str, ...]:
        """Name what is left out, the highest parts that are wholly gone, in the order of the request."""
        return tuple(part.id for part in self._topmost(self._task.parts, left_out))

    def tokens(self, left_out: int) -> int:
        """Return what the parts cost that are left out."""
        return sum(part.tokens for part in self._topmost(self._task.parts, left_out))

    def _topmost(self, parts: Sequence[ProofPart], left_out: int) -> Iterator[ProofPart]:
        for part in parts:
            mask = self._masks[part.id]
            if mask & ~left_out == 0 and self._whole[part.id]:
                yield part
            elif mask & left_out:
                yield from self._topmost(part.parts, left_out)

    def mask_of(self, names: Iterable[str]) -> int:
        """Return the set that is called so."""
        mask = 0
        for name in names:
            mask |= self._masks[name]
        return mask

    def unit(self, name: str) -> RemovableUnit | None:
        """Return what is left out with a part, or None where it has to stay."""
        mask = self._masks[name]
        if not self._whole[name] or mask & ~self.removable:
            return None
        closed = self.closed(mask)
        return RemovableUnit(self.names(closed), closed)

    @cached_property
    def levels(self) -> tuple[tuple[RemovableUnit, ...], ...]:
        """The units of each level, from sections to sentences (the levels of hierarchical delta debugging)."""
        found: list[tuple[RemovableUnit, ...]] = []
        frontier = list(self._task.parts)
        while True:
            units = self._units(frontier)
            if units and (not found or units != found[-1]):
                found.append(units)
            if not any(part.parts for part in frontier):
                return tuple(found)
            frontier = [below for part in frontier for below in (part.parts or (part,))]

    def _units(self, frontier: Sequence[ProofPart]) -> tuple[RemovableUnit, ...]:
        masks: dict[int, None] = {}
        waiting = list(frontier)
        while waiting:
            part = waiting.pop(0)
            unit = self.unit(part.id)
            if unit:
                masks[unit.mask] = None
            else:
                waiting = [*part.parts, *waiting]
        return tuple(RemovableUnit(self.names(mask), mask) for mask in masks)

    def inside(self, unit: RemovableUnit) -> tuple[RemovableUnit, ...]:
        """Return the units of the next level of which a unit is made; itself where it has no parts."""
        frontier = list(self._topmost(self._task.parts, unit.mask))
        while any(part.parts for part in frontier):
            frontier = [below for part in frontier for below in (part.parts or (part,))]
            units = self._units(frontier)
            if len(units) > 1:
                return units
        return (unit,)

    def shared_prefix(self, left_out: int, earlier: Iterable[int]) -> int:
        """Return the tokens that a request has in common with the beginning of one of the earlier: what a cache has."""
        first = 0
        for other in earlier:
            differs = left_out ^ other
            first = max(first, (differs & -differs).bit_length() - 1 if differs else len(self._leaves))
        return sum(leaf.tokens for at, leaf in enumerate(self._leaves[:first]) if not left_out >> at & 1)


class SeededChoice:
    """Chance that is the same for the same seed, on every machine and in every version of Python."""

    def __init__(self, *seed: object) -> None:
        self._seed = ":".join(map(str, seed))
        self._drawn = 0

    def below(self, many: int) -> int:
        """Draw a whole number from 0 on, below `many`."""
        self._drawn += 1
        drawn = hashlib.blake2b(f"{self._seed}:{self._drawn}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn, "big") % many

    def bits(self, many: int, eighths: int) -> int:
        """Draw a set of `many` bits, in which each stands with a chance of `eighths` / 8."""
        drawn = [self._block(many) for _ in range(3)]
        # the three sets are the digits of a number from 0 to 7 for each bit; those below `eighths` are in
        found = 0
        equal = (1 << many) - 1
        for place, digit in zip((4, 2, 1), drawn, strict=True):
            if eighths & 8:
                return equal
            if eighths & place:
                found |= equal & ~digit
                equal &= digit
            else:
                equal &= ~digit
        return found

    def _block(self, many: int) -> int:
        value = 0
        for _ in range(-(-many // 64)):
            value = value << 64 | self.below(1 << 64)
        return value & ((1 << many) - 1)
