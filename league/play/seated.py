"""Play a batch with bots as they are kept: sources, options, isolation."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from league.bot import OptionValue
from league.games import Game
from league.play import Batch, Limits, Played
from league.play.compiled import seed_compiled
from league.play.hosts import Isolation, host_for
from league.play.table import play_batch
from league.roster import Bundle, Entry, Kind
from league.seeds import seed_of


@dataclass(frozen=True)
class Seated:
    """A bot of a league, as whoever plays it needs it.

    Attributes:
        label: `name@version`, as tables and logs write it.
        bundle: Its source.
        kind: How it answers.
        options: All its options with their values.
        isolation: How it is kept apart.
    """

    label: str
    bundle: Bundle
    kind: Kind
    options: Mapping[str, OptionValue]
    isolation: Isolation

    @classmethod
    def of(cls, entry: Entry, isolation: Isolation) -> Seated:
        """A bot that was found, with its options as they are."""
        return cls(entry.label, entry.bundle, entry.kind, entry.options, isolation)


@contextmanager
def seeded_generators(seed: int, compiled: bool) -> Iterator[None]:
    """Seed the global generators for bots that use them against advice, and put them back afterwards.

    Those of compiled code, seeded only where there is such a bot, cannot be put back.
    """
    before, numpy_before = random.getstate(), np.random.get_state()
    random.seed(seed)  # noqa: TID251
    np.random.seed(seed % 2**32)  # noqa: TID251
    if compiled:
        seed_compiled(seed % 2**32)
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)


def play_seated(
    game: Game, bots: Sequence[Seated], batch: Batch, limits: Limits, seed: int, logs: Path | None = None
) -> Played:
    """Play a batch with a fresh host for each bot.

    Args:
        game: What is played.
        bots: The league's bots, which `batch.bots` counts.
        batch: Which matches.
        limits: What bots may use.
        seed: The league's seed.
        logs: Folder where what bots in processes of their own print is kept, a file a bot and batch.
    """
    with ExitStack() as stack:
        hosts = []
        for bot in bots:
            log = logs and logs / bot.label / f"batch-{batch.number:06d}.log"
            hosts.append(host_for(game, bot.bundle, bot.kind, bot.options, bot.isolation, limits, log))
            stack.callback(hosts[-1].close)
        compiled = any(bot.kind == "compiled" and bot.isolation == "none" for bot in bots)
        stack.enter_context(seeded_generators(seed_of(seed, "globals", batch.number), compiled))
        return play_batch(game, batch, hosts, limits, seed)
