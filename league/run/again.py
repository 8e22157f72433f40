"""Play a logged batch again with the bots as the result folder keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from league.logged import LoggedLeague
from league.play import Batch, Limits, Played
from league.roster import Bundle
from league.run import Seated
from league.run.batches import play_seated
from league.store import ResultFolder


def seated_from(folder: ResultFolder, kept: dict[str, Any]) -> Seated:
    """A bot of `league.json` with its source from beside it."""
    files = {path: folder.read(f"bots/{kept['version']}/{path}") for path in kept["files"]}
    return Seated(
        kept["label"],
        Bundle(files, kept["main"], kept["attribute"]),
        kept["kind"],
        kept["options"],
        kept["isolation"],
    )


def play_again(league: LoggedLeague, part: pa.Table) -> Played:
    """Play a whole part again; nothing is written."""
    bots = [seated_from(league.folder, kept) for kept in league.kept["bots"]]
    labels = [bot.label for bot in bots]
    lineups = [[labels.index(label) for label in lineup] for lineup in part.column("bots").to_pylist()]
    batch = Batch(
        part.column("batch")[0].as_py(),
        part.column("match")[0].as_py(),
        part.column("deal").to_numpy(),
        np.array(lineups, np.int16),
    )
    return play_seated(league.game, bots, batch, Limits(**league.kept["config"]["limits"]), league.seed)
