"""Rummikub: runs and groups on a common table that everybody may rearrange. RULES.md has the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from league.games import Action, Event, Frame, Game, GameOptions, Kernels
from league.games.rummikub.actions import DRAW, KINDS, PASS, TIME_LIMIT, Plain, Play, parse_action
from league.games.rummikub.notation import set_code, set_tiles
from league.games.rummikub.rows import (
    ACTION,
    MOST_CANDIDATES,
    MOST_SETS,
    PLAY,
    STATE,
    TILE_KINDS,
    TILES,
    VIEW,
)
from league.games.rummikub.solving import AFTER_OPENING, POLICIES, solve
from league.games.rummikub.telling import LEFT, OPENING, tell
from league.games.rummikub.view import View

if TYPE_CHECKING:
    from league.kernels import Row, Rows

__all__ = ["DRAW", "GAME", "PASS", "Plain", "Play", "Rummikub", "RummikubOptions", "View", "solve"]

NEXT_START = ("redraw", "rotate", "winner")


class RummikubOptions(GameOptions):
    """The options of Rummikub."""

    next_start: Literal["redraw", "rotate", "winner"] = Field(
        "redraw",
        description="who begins the rounds after the first: a seat by chance, the seat after the last beginner, or the "
        "winner, where nobody alone won also the seat after (RK-2)",
    )
    after_opening: Literal["attach", "none", "full"] = Field(
        "attach",
        description="what else an opening turn may do: attach own tiles to sets that stay as they are, nothing, or all "
        "that a later turn may (RK-7)",
    )
    draw_count: int = Field(
        1, ge=1, le=20, description="tiles drawn in a turn, as many as the pool has (RK-10)"
    )
    joker_policy: Literal["substitute", "free", "rack_only"] = Field(
        "substitute",
        description="when a joker on the table may stand for something else: when a real tile of its own lies for it, "
        "always, or when that tile comes from the rack (RK-12)",
    )
    time_limit_s: int | None = Field(
        None, ge=1, le=3600, description="seconds for a turn; too late costs penalty tiles (RK-14)"
    )
    penalty_tiles: int = Field(3, ge=0, le=20, description="tiles drawn as a penalty (RK-14, RK-15)")
    illegal_play: Literal["penalty", "draw"] = Field(
        "penalty", description="what an illegal play costs: the penalty tiles, or a normal draw (RK-15)"
    )
    blocked_score: Literal["difference", "full"] = Field(
        "difference",
        description="what the losers of a blocked round pay: what they have more than the lowest rack, or all (RK-17)",
    )
    joker_penalty: int = Field(25, ge=1, le=100, description="what a joker left on a rack counts (RK-18)")
    rounds: int = Field(1, ge=1, le=100, description="rounds of a match (RK-19)")
    match_winner: Literal["points", "rounds_won"] = Field(
        "points", description="what ranks the seats: points, or rounds won and then points (RK-19)"
    )
    max_turns: int = Field(
        1000, ge=1, le=1_000_000, description="turns after which the match is truncated (RK-22)"
    )
    maths: bool = Field(False, description="whether number sequences count as sets too (RK-23)")


class Rummikub(Game):
    """Rummikub for 2 to 4 seats."""

    name = "rummikub"
    title = "Rummikub"
    version = 1
    seat_counts = range(2, 5)
    hidden = True
    Options = RummikubOptions
    View = View
    view_words = ("rack", "table", "pool_size", "rack_sizes", "opened", "totals", "round", "turn")
    draw_probabilities: ClassVar = {2: 0.01, 3: 0.01, 4: 0.01}
    state_dtype = STATE
    view_dtype = VIEW
    action_dtype = ACTION
    max_legal = MOST_CANDIDATES + 2
    options: RummikubOptions
    measures: ClassVar = (OPENING, LEFT)

    @cached_property
    def kernels(self) -> Kernels:
        """The compiled rules."""
        from league.games.rummikub import kernels as rules
        from league.games.rummikub.candidates import legal

        return Kernels.of(rules, legal=legal)

    @property
    def late(self) -> tuple[int, Action] | None:  # type: ignore[override]
        """The time limit for a turn, and the penalty for whoever is over it (RK-14)."""
        limit_s = self.options.time_limit_s
        return None if limit_s is None else (1000 * limit_s, TIME_LIMIT)

    def blank(self) -> Rows:
        """One state row with the seats and options."""
        from league.kernels import rows

        state, options = rows(1, STATE), self.options
        state["seats"] = self.seats
        state["next_start"] = NEXT_START.index(options.next_start)
        state["after_opening"] = 1 + AFTER_OPENING.index(options.after_opening)
        state["joker_policy"] = POLICIES.index(options.joker_policy)
        state["time_limited"] = options.time_limit_s is not None
        state["illegal_draws"] = options.illegal_play == "draw"
        state["blocked_full"] = options.blocked_score == "full"
        state["by_rounds_won"] = options.match_winner == "rounds_won"
        for word in ("draw_count", "penalty_tiles", "joker_penalty", "rounds", "max_turns", "maths"):
            state[word] = getattr(options, word)
        return state

    def decode(self, action: Row) -> Plain | Play:
        """An action row as a value."""
        kind = int(action["kind"])
        if kind < 0:
            raise ValueError(f"{kind} is no kind of action")
        if kind != PLAY:
            return Plain(KINDS[kind])
        return Play(tuple(map(set_tiles, action["sets"][: action["count"]].tolist())))

    def encode(self, actions: list[Any], out: Rows) -> None:
        """Write actions as rows; what is wrong with a set that is none goes along."""
        for action, row in zip(actions, out, strict=True):
            if type(action) is Play:
                _encode_play(action, row)
            elif type(action) is Plain and action.kind in KINDS:
                row["kind"], row["unplaced"], row["count"], row["sets"] = KINDS.index(action.kind), 0, 0, 0
            else:
                raise TypeError(f"answered {type(action).__name__}, not DRAW, PASS or a Play")

    def parse_action(self, text: str) -> Plain | Play:
        """Read `draw`, `pass`, or the whole new table."""
        return parse_action(text)

    def opening_frames(self, state: Row) -> Iterator[Frame]:
        """The first round dealt."""
        from league.games.rummikub.replaying import started

        yield started(state)

    def frames(self, state: Row, action: Row) -> Iterator[Frame]:
        """The turn, the round's end if it ends, and the next round's start."""
        from league.games.rummikub.replaying import frames

        return frames(state, action)

    def why_illegal(self, state: Row, action: Row) -> str:
        """Say which set or tile is wrong, and why."""
        from league.games.rummikub.explaining import explain

        return explain(state, action)

    def tell(self, event: Event, seat: int | None = None) -> str:
        """What happened, in words; what others draw is told only when all is open."""
        return tell(event, seat)

    def draw_text(self, state: Row, seat: int | None = None) -> str:
        """Table, racks and pool, a line each."""
        from league.games.rummikub.drawing import draw_text

        return draw_text(state, seat)

    def draw_svg(self, state: Row, event: Event | None = None, seat: int | None = None) -> str:
        """Table, racks and pool as SVG, tiles that the event laid or drew outlined."""
        from league.games.rummikub.drawing import draw_svg

        return draw_svg(state, event, seat)

    def warm(self, state: Row) -> None:
        """Call the solver as well, both ways, and what counts a rack.

        What the solver does in and without the maths variant takes longest to compile, each about as long as all else.
        """
        from league.addresses import load_beside
        from league.games.rummikub.kernels import rack_total
        from league.games.rummikub.solver import best_own_sets, best_play
        from league.kernels import own, rows

        view, action = rows(1, VIEW)[0], rows(1, ACTION)[0]
        self.kernels.observe(own(state), view)

        def solve(best: Any, maths: bool) -> None:
            view["maths"] = maths
            best(view, np.ones(TILE_KINDS, np.int64), np.int64(0), action)

        with load_beside(
            {
                "rummikub_runs": lambda: solve(best_play, False),
                "rummikub_words": lambda: solve(best_play, True),
            }
        ):
            super().warm(state)
        for best in (best_play, best_own_sets):
            solve(best, self.options.maths)
        rack_total(state, 0)

    def standing(self, state: Row) -> list[int]:
        """The points so far, less what is left on each rack while the match goes on."""
        from league.games.rummikub.kernels import rack_total

        points = super().standing(state)
        if state["to_move"] < 0:
            return points
        return [have - int(rack_total(state, seat)) for seat, have in enumerate(points)]


def _encode_play(play: Play, row: Row) -> None:
    codes = [set_code(tuple(tiles)) for tiles in play.table[:MOST_SETS]]
    row["kind"], row["count"], row["sets"] = PLAY, min(len(play.table), MOST_SETS + 1), 0
    row["sets"][: len(codes)] = codes
    row["unplaced"] = max(-128, TILES - sum(map(len, play.table)))


GAME = Rummikub
