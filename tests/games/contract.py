"""What every game must hold to.

`test_contract.py` asks it of all games that are found; a game that lives elsewhere derives a test class from
`GameContract` and parametrises it with its own name.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import ConfigError, IllegalActionError, NotationError
from league.games import Frame, Game
from league.games.find import find_game
from league.kernels import Row, own, rows
from tests.games.tables import (
    SEEDS,
    Decision,
    default_games,
    fields_of,
    key_of,
    legal_rows,
    play_by_chance,
    transcript,
    variants,
    view_row,
)

EVENT_KEYS: dict[str, dict[str, set[str]]] = {
    "regenwormen": {
        "roll": {"seat", "dice"},
        "keep": {"seat", "face", "count", "total", "dice_left"},
        "take": {"seat", "tile"},
        "steal": {"seat", "tile", "from"},
        "bust": {"seat", "reason", "returned", "turned"},
    },
    "dominoes": {
        "deal": {"hand", "hands", "boneyard"},
        "draw": {"seat", "tile"},
        "play": {"seat", "tile", "arm", "ends", "points"},
        "pass": {"seat"},
        "hand_over": {"hand", "reason", "winner", "bonus", "scores"},
    },
    "rummikub": {
        "start": {"round", "first", "hands", "pool"},
        "play": {"seat", "played", "meld", "table"},
        "draw": {"seat", "tile"},
        "penalty": {"seat", "reason", "tiles"},
        "round_over": {"round", "reason", "winner", "scores", "totals"},
    },
}
"""By game and event: the keys that a replay line has at least."""

UNCOMPILED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
few = settings(max_examples=2 if UNCOMPILED else 12)

PARTLY_LISTED = {"rummikub"}
"""Games with more legal actions than a list can hold."""

FEW_DEALS = {"openspiel.tic_tac_toe", "openspiel.kuhn_poker", "openspiel.leduc_poker"}
"""Games in which two deals may be alike, or all are."""


def can_imagine(game: Game) -> bool:
    """Whether states can be made from views; plain games cannot where things are hidden."""
    return game.is_compiled or not game.hidden


GUARD = 0xA5
"""What fills the rows beside the one that a kernel may touch."""


def by_chance(game: Game, data: st.DataObject, at_most: int = 150) -> Iterator[Decision]:
    """A match played by chance with drawn seeds; its first few decisions where the search for plays is not compiled."""
    if UNCOMPILED and game.name in PARTLY_LISTED:
        at_most = min(at_most, 8)
    return play_by_chance(game, data.draw(SEEDS), data.draw(SEEDS), at_most)


def guarded(row: Row) -> tuple[Any, Row]:
    """A copy of a row between two rows of guard bytes, and the whole array."""
    array = rows(3, row.dtype)
    array.view(np.uint8)[:] = GUARD
    array[1] = row
    return array, array[1]


def is_intact(array: Any) -> bool:
    """Whether the guard bytes stand."""
    size = array.dtype.itemsize
    found = array.view(np.uint8)
    return bool((found[:size] == GUARD).all() and (found[2 * size :] == GUARD).all())


def spoiled(row: Row, rng: random.Random) -> Row:
    """An action row with some bytes changed, or with nothing but chance in it."""
    found = rows(1, row.dtype)
    found[0] = row
    content = found.view(np.uint8)
    places = rng.sample(range(len(content)), rng.choice([1, 1, 2, len(content)]) if len(content) > 1 else 1)
    for place in places:
        content[place] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
    return found[0]


def frames_of(game: Game, decision: Decision) -> list[Frame]:
    """The frames of a decision; that they leave the state as it was is checked on the way."""
    before = fields_of(decision.state)
    frames = list(game.frames(decision.state, decision.action))
    assert fields_of(decision.state) == before
    return frames


def competition_ranks(ranks: list[int]) -> list[int]:
    """The same order with ranks as they should be: 0, 1, 1, 3."""
    return [sum(other < rank for other in ranks) for rank in ranks]


class GameContract:
    """Derive from it, parametrised with `name`."""

    def test_facts(self, name: str) -> None:
        game = find_game(name)
        assert game.name == name
        assert game.version >= 1
        assert min(game.seat_counts) >= 2
        assert game.title
        for seats in game.seat_counts:
            assert 0 < game.draw_probabilities[seats] < 1
        assert default_games(name)[0].seats == game.seat_counts[0]
        assert all(field.description for field in game.Options.model_fields.values())
        assert game().options == game.Options()

    def test_refuses_other_seats_and_options(self, name: str) -> None:
        game = find_game(name)
        with pytest.raises(ConfigError, match=f"game.seats = 1: {name} is for"):
            game(1)
        with pytest.raises(ConfigError, match="unknown option 'no_such_option'"):
            game(options={"no_such_option": 1})
        for option in game.Options.model_fields:
            with pytest.raises(ConfigError, match=f"game.{option}( =|: unknown value)"):
                game(options={option: object()})

    @given(st.data())
    @few
    def test_legal_lists(self, name: str, data: st.DataObject) -> None:
        """Sorted, unique, accepted, and the same in the view's own values."""
        game = data.draw(variants(name))
        for decision in by_chance(game, data):
            keys = [key_of(action) for action in decision.legal]
            assert keys == sorted(set(keys))
            assert 1 <= len(keys) <= game.max_legal
            assert all(game.kernels.is_legal(decision.state, action) for action in decision.legal)
            assert game.view(decision.state).legal == tuple(game.decode(action) for action in decision.legal)

    @given(st.data())
    @few
    def test_refuses_illegal_bytes(self, name: str, data: st.DataObject) -> None:
        """Whatever the bytes, `is_legal` answers, changes nothing, and accepts no more than is listed."""
        game = data.draw(variants(name))
        rng = random.Random(data.draw(SEEDS))
        for decision in by_chance(game, data, 60):
            before, listed = fields_of(decision.state), {key_of(action) for action in decision.legal}
            for _ in range(20):
                action = spoiled(rng.choice(decision.legal), rng)
                array, state = guarded(decision.state)
                if game.kernels.is_legal(state, action) and name not in PARTLY_LISTED:
                    assert key_of(action) in listed
                assert fields_of(state) == before
                assert is_intact(array)

    @given(st.data())
    @few
    def test_play_refuses(self, name: str, data: st.DataObject) -> None:
        """The door for people says why an action of another moment is illegal, and leaves the state equal."""
        game = data.draw(variants(name))
        others = [own(found.action) for found in by_chance(game, data, 40)]
        decision: Decision | None = None
        for decision in by_chance(game, data):
            self._refuse(game, decision.state, others)
        if decision is not None and decision.state["to_move"] < 0:
            with pytest.raises(IllegalActionError, match="the match is over"):
                game.play(decision.state, game.decode(decision.action))

    def _refuse(self, game: Game, state: Row, actions: list[Row]) -> None:
        before = fields_of(state)
        for action in actions:
            if not game.kernels.is_legal(state, action):
                with pytest.raises(IllegalActionError, match=r".+: .+"):
                    game.play(state, game.decode(action))
                assert fields_of(state) == before

    @given(st.data())
    @few
    def test_actions_have_a_text_form(self, name: str, data: st.DataObject) -> None:
        game = data.draw(variants(name))
        for decision in by_chance(game, data, 60):
            for row in decision.legal:
                action = game.decode(row)
                assert game.parse_action(str(action)) == action
                assert hash(game.parse_action(str(action))) == hash(action)
                assert key_of(game.action_row(game.parse_action(str(action)))) == key_of(row)
                assert repr(action)
                with pytest.raises((AttributeError, TypeError)):
                    action.anything = 1  # type: ignore[attr-defined]

    @given(st.text(max_size=20))
    def test_other_texts_are_refused(self, name: str, text: str) -> None:
        game = find_game(name)()
        try:
            action = game.parse_action(text)
        except NotationError:
            return
        assert game.parse_action(str(action)) == action

    def test_other_values_are_refused(self, name: str) -> None:
        game = find_game(name)()
        for answer in (None, 3, "", [], {}, object(), game):
            with pytest.raises(TypeError):
                game.encode([answer], rows(1, game.action_dtype))

    @given(st.data())
    @few
    def test_kernels_stay_inside_their_rows(self, name: str, data: st.DataObject) -> None:
        game = data.draw(variants(name))
        rules = game.kernels
        for decision in by_chance(game, data, 60):
            states, state = guarded(decision.state)
            views, view = guarded(decision.view)
            actions, action = guarded(decision.action)
            rules.observe(state, view)
            if can_imagine(game):
                rules.imagine(view, np.uint64(1), state)
            rules.stand_in(state, action)
            rules.step(state, action)
            rules.result(state, np.zeros(game.seats, np.int32), np.zeros(game.seats, np.int8))
            rules.start(state)
            assert is_intact(states)
            assert is_intact(views)
            assert is_intact(actions)

    @given(st.data())
    @few
    def test_hidden_things_stay_hidden(self, name: str, data: st.DataObject) -> None:
        """The view is the same whatever the seat cannot know; nothing of an earlier view stays in a row."""
        game = data.draw(variants(name))
        seeds = itertools.count(data.draw(st.integers(0, 2**32)))
        for decision in by_chance(game, data):
            seen = fields_of(decision.view)
            if can_imagine(game):
                imagined = rows(1, game.state_dtype)
                imagined.view(np.uint8)[:] = GUARD
                game.kernels.imagine(decision.view, np.uint64(next(seeds)), imagined[0])
                assert fields_of(view_row(game, imagined[0])) == seen
            other = own(decision.state)
            other["deal"] = np.uint64(next(seeds))
            assert fields_of(view_row(game, other)) == seen
            used = rows(1, game.view_dtype)
            used.view(np.uint8)[:] = GUARD
            game.kernels.observe(decision.state, used[0])
            assert fields_of(used[0]) == seen

    @given(st.data())
    @few
    def test_imagined_matches_play_on(self, name: str, data: st.DataObject) -> None:
        """An imagined state is a whole one and plays on; only hidden things differ between seeds."""
        game = data.draw(variants(name))
        if not can_imagine(game):
            with pytest.raises(ConfigError, match=name):
                game.kernels.imagine(game.view(game.start(0)[0]).row, np.uint64(1), game.blank()[0])
            return
        imagined, other = rows(1, game.state_dtype), rows(1, game.state_dtype)
        for decision in by_chance(game, data, 20):
            game.kernels.imagine(decision.view, np.uint64(1), imagined[0])
            game.kernels.imagine(decision.view, np.uint64(2), other[0])
            others = [fields_of(state) | {"deal": 0} for state in (imagined[0], other[0])]
            assert game.hidden or others[0] == others[1]
            for _ in range(20):
                legal = legal_rows(game, view_row(game, imagined[0]))
                assert game.kernels.is_legal(imagined[0], legal[-1])
                game.kernels.step(imagined[0], legal[-1])
                if imagined[0]["to_move"] < 0:
                    break

    @given(st.data())
    @few
    def test_frames_agree_with_steps(self, name: str, data: st.DataObject) -> None:
        game = data.draw(variants(name))
        last: Frame | None = None
        for decision in by_chance(game, data):
            opening = list(game.opening_frames(decision.state)) if last is None else []
            frames = opening or [last] if last else opening
            self._agree(game, frames[-1], decision.state)
            frames = frames_of(game, decision)
            assert frames
            self._check_events(game, [*opening, *frames])
            last = frames[-1]
            after = own(decision.state)
            game.kernels.step(after, decision.action)
            self._agree(game, last, after)

    def _agree(self, game: Game, frame: Frame, state: Row) -> None:
        """The last frame shows the table as it is now."""
        assert game.result(frame.state) == game.result(state)
        if state["to_move"] >= 0:
            assert fields_of(frame.state) == fields_of(state)

    def _check_events(self, game: Game, frames: list[Frame]) -> None:
        known = EVENT_KEYS.get(game.name)
        for frame in frames:
            event = frame.event
            assert json.loads(json.dumps(event)) == event
            if known is not None:
                assert set(event) >= known[event["event"]] | {"event"}

    @given(st.data())
    @few
    def test_results(self, name: str, data: st.DataObject) -> None:
        """Competition ranks by seat, never better for a lower score, also while a match goes on."""
        game = data.draw(variants(name))
        state = game.start(0)[0]
        for decision in by_chance(game, data, 1000):
            state = decision.state
        for scores, ranks in (game.result(state), game.result(game.start(0)[0])):
            assert len(scores) == len(ranks) == game.seats
            assert ranks == competition_ranks(ranks)
            for (score, rank), (other_score, other_rank) in itertools.permutations(
                zip(scores, ranks, strict=True), 2
            ):
                assert rank <= other_rank or score <= other_score

    @given(SEEDS, SEEDS)
    @settings(max_examples=6)
    def test_same_seed_same_match(self, name: str, deal_seed: int, choice_seed: int) -> None:
        """Global generators do not count, nor does a match that is played in between."""
        game = find_game(name)()
        random.seed(1)  # noqa: TID251 - this is the disturbance
        np.random.seed(1)  # noqa: TID251
        once = transcript(game, deal_seed, choice_seed)
        random.seed(2)  # noqa: TID251
        np.random.seed(2)  # noqa: TID251
        assert list(self._beside(game, deal_seed, choice_seed)) == once
        assert name in FEW_DEALS or transcript(game, deal_seed ^ 1, choice_seed) != once

    def _beside(self, game: Game, deal_seed: int, choice_seed: int) -> Iterator[str]:
        """The same transcript, a step at a time, while another match goes on."""
        other = play_by_chance(game, deal_seed ^ 2, choice_seed ^ 2)
        yield from (repr(frame.event) for frame in game.opening_frames(game.start(deal_seed)[0]))
        for decision in play_by_chance(game, deal_seed, choice_seed):
            next(other, None)
            yield from (repr(frame.event) for frame in game.frames(decision.state, decision.action))

    def test_mirrored_matches_share_chance(self, name: str) -> None:
        """Whoever sits where, a deal opens in the same way; other deals open in other ways."""
        for game in default_games(name):
            starts = [[repr(f.event) for f in game.opening_frames(game.start(deal)[0])] for deal in (1, 1, 2)]
            assert starts[0] == starts[1]
            assert name in FEW_DEALS or starts[1] != starts[2]

    @given(st.data())
    @settings(max_examples=10)
    def test_stand_ins_may_happen_and_finish(self, name: str, data: st.DataObject) -> None:
        game = data.draw(st.sampled_from(default_games(name)))
        state, action = game.start(data.draw(SEEDS))[0], rows(1, game.action_dtype)
        for _ in range(20_000):
            if state["to_move"] < 0:
                return
            action.view(np.uint8)[:] = GUARD
            game.kernels.stand_in(state, action[0])
            assert game.kernels.may_happen(state, action[0])
            game.kernels.step(state, action[0])
        pytest.fail("stand-ins alone do not finish a match")

    @given(st.data())
    @few
    def test_views(self, name: str, data: st.DataObject) -> None:
        """Views hold words that do not change, are the bot's to keep, and cannot be written."""
        game = data.draw(variants(name))
        for decision in by_chance(game, data, 30):
            view = game.view(decision.state)
            assert view.seat == decision.state["to_move"]
            assert view.seats == game.seats
            assert view.options == game.options
            words = {word: getattr(view, word) for word in game.view_words}
            assert hash(tuple(words.values())) is not None
            with pytest.raises((AttributeError, TypeError)):
                setattr(view, game.view_words[0], 1)
            with pytest.raises((ValueError, TypeError)):
                view.row["seat"] = 1
            assert repr(view).startswith("View(")
            assert words == {word: getattr(view, word) for word in game.view_words}

    def test_the_words_of_a_view_are_all_that_it_shows(self, name: str) -> None:
        """What is an attribute of the view is told to programs, listed and described as well."""
        view = find_game(name).View
        shown = {word for word in dir(view) if word[0] != "_" and isinstance(getattr(view, word), property)}
        assert shown - {"row", "seat", "seats", "options", "legal"} == {*find_game(name).view_words}

    @given(st.data())
    @few
    def test_drawings(self, name: str, data: st.DataObject) -> None:
        """Text and SVG at any moment; drawn for a seat they show nothing that it cannot know."""
        game = data.draw(variants(name))
        for decision in by_chance(game, data, 12):
            seat = int(decision.state["to_move"])
            imagined = rows(1, game.state_dtype)
            imagined[0] = decision.state
            if can_imagine(game):
                game.kernels.imagine(decision.view, np.uint64(1), imagined[0])
            assert game.draw_text(decision.state).strip()
            assert game.draw_text(decision.state, seat) == game.draw_text(imagined[0], seat)
            assert game.draw_svg(decision.state, None, seat) == game.draw_svg(imagined[0], None, seat)
            for frame in frames_of(game, decision):
                drawing = ElementTree.fromstring(game.draw_svg(frame.state, frame.event))
                assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
                assert drawing.find("{http://www.w3.org/2000/svg}title") is not None
