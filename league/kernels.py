"""Compiled functions: how the rules of a game become machine code, and the chance they share.

A *kernel* is a plain function over rows of NumPy structured arrays (`state.kept[face] = count`), compiled by numba.
With `NUMBA_DISABLE_JIT=1` the same functions run as ordinary Python, which is what coverage and debuggers want.
"""

from __future__ import annotations

import hashlib
import pickle
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numba.core.config
import numpy as np
from numba.core import caching, event, ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.serialize import dumps
from numba.core.typed_passes import AnnotateTypes

from league.user_cache import user_cache

Row: TypeAlias = Any
"""One row of a structured array, as kernels see it: fields are attributes."""

Rows: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.void]]"
"""A one-dimensional structured array."""

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_SETTINGS: Any = numba.core.config

IS_COMPILED = not _SETTINGS.DISABLE_JIT
"""Whether kernels are compiled, and not ordinary Python for the sake of coverage and debuggers."""


def package_sources() -> list[Path]:
    """All source files of the package, sorted."""
    return sorted(Path(__file__).parent.rglob("*.py"))


def digest_of(sources: Iterable[Path]) -> str:
    """Hash files to 16 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def cache_folder() -> Path:
    """The folder of compiled code, keyed by the sources that go into it: all of the games, and all with kernels.

    Numba's own cache does not notice a change in a function that a kernel calls from another file, nor in a constant
    from there, nor whether indices are to be checked; a key over all such sources and that switch does.
    """
    games = Path(__file__).parent / "games"
    sources = [
        source
        for source in package_sources()
        if games in source.parents or b"league.kernels" in source.read_bytes()
    ]
    checked = "-checked" if _SETTINGS.BOUNDSCHECK else ""
    return user_cache() / "kernels" / f"{digest_of(sources)}{checked}"


@cache
def digest_around(file: str) -> str:
    """What tells one state of a plugin's code from another: a hash of all of its package, or of the file alone.

    Empty for files of this package, whose cache has such a key, and for code from no file, which is kept nowhere.
    """
    top = Path(file)
    if Path(__file__).parent in top.parents or not top.is_file():
        return ""
    while (top.parent / "__init__.py").exists():
        top = top.parent
    return digest_of(sorted(top.rglob("*.py")) if top.is_dir() else [top])


class _Part(JITCodeLibrary):
    """Code that is only linked into other code: not optimised, nor made to run, until it is in its place."""

    def _optimize_final_module(self) -> None:
        """What it is linked into is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


_BORROWS = {
    "build_tuple", "cast", "exhaust_iter", "getattr", "getitem", "getiter", "iternext", "pair_first", "static_getitem",
}  # fmt: skip
"""Expressions that give part of an array, of a tuple or of an iterator, and nothing new."""


@register_pass(mutates_CFG=False, analysis_only=False)  # type: ignore[no-untyped-call]
class _Borrowing(LoweringPass):
    """Lets a part that makes and returns no arrays count no references to any: it only borrows its caller's.

    To count them takes longer than all else where rows are small and tuples hold many arrays.
    """

    _name = "borrowing"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # numba will not have it inherited

    def run_pass(self, state: Any) -> bool:
        models = state.targetctx.data_model_manager
        if not any(models[made].contains_nrt_meminfo() for made in self._made(state)):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False

    def _made(self, state: Any) -> Iterator[Any]:
        """The types of all that the part makes and returns."""
        yield state.return_type
        for block in state.func_ir.blocks.values():
            for assigned in block.find_insts(ir.Assign):
                if isinstance(assigned.value, ir.Expr) and assigned.value.op not in _BORROWS:
                    yield state.typemap[assigned.target.name]


class _PartCompiler(Compiler):
    """Numba's compiler up to the machine code, which is left to what the function is linked into."""

    def define_pipelines(self) -> Any:
        (pipeline,) = super().define_pipelines()  # type: ignore[no-untyped-call]
        pipeline.add_pass_after(_Borrowing, AnnotateTypes)
        pipeline.finalize()
        return [pipeline]

    def _compile_core(self) -> Any:
        target = self.state.targetctx
        self.state.library = _Part(target.codegen(), self.state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        self.state.flags.no_compile = True
        part: Any = super()._compile_core()._replace(entry_point=object())  # type: ignore[no-untyped-call]
        target.insert_user_function(part.entry_point, part.fndesc, [part.library])
        return part


def kernel(function: Kernel, cached: bool = True) -> Kernel:
    """Compile a function of rows, arrays and numbers; cached on disk, free of the interpreter lock.

    Numba makes every function ready to be called from Python before it links it into another. Most kernels are only
    ever linked, so here a second dispatcher stands for the kernel in other kernels and leaves all that out: a game
    compiles in half the time, to code as fast. What has no use for a cache of its own may go without.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    njit: Any = numba.njit
    file = function.__code__.co_filename
    _SETTINGS.CACHE_DIR = str(cache_folder() / digest_around(file))
    entry = njit(cache=cached and Path(file).is_file(), **options)(function)
    if IS_COMPILED:
        unwrapped = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler}
        part = njit(**unwrapped, **options)(function)
        part._insert = lambda signature, entry_point, objectmode: None  # nothing there to call from Python
        entry.get_call_template, entry.get_overload = part.get_call_template, part.get_overload
    return cast(Kernel, entry)


class KeptCode:
    """Compiled code for a process that may not write: what the cache on disk lacks is kept as bytes.

    Args:
        code: What was kept in another process of the same code, on this machine; anything else counts as nothing.
    """

    def __init__(self, code: bytes = b"") -> None:
        self._kept: dict[tuple[str, ...], bytes] = {}
        self.has_grown = False
        with suppress(Exception):
            self._kept = pickle.loads(code)
        self._read: Any = caching.FunctionCache.load_overload
        setattr(caching._CacheLocator, "ensure_cache_path", lambda locator: None)  # noqa: B010 - no method of ours
        setattr(caching.FunctionCache, "load_overload", lambda *place: self._load(*place))  # noqa: B010
        setattr(caching.FunctionCache, "save_overload", lambda *place: self._save(*place))  # noqa: B010

    def _load(self, cache: Any, signature: Any, context: Any) -> Any:
        kept = self._kept.get(self._key(cache, signature))
        if kept is None:
            return self._read(cache, signature, context)
        context.refresh()
        return cache._impl.rebuild(context, pickle.loads(kept))

    def _save(self, cache: Any, signature: Any, data: Any) -> None:
        if cache._impl.check_cachable(data):
            code = dumps(cache._impl.reduce(data))  # type: ignore[no-untyped-call]
            self._kept[self._key(cache, signature)] = code
            self.has_grown = True

    @staticmethod
    def _key(cache: Any, signature: Any) -> tuple[str, ...]:
        return cache._py_func.__module__, cache._impl.filename_base, str(signature)

    def take(self) -> bytes:
        """All that was kept."""
        self.has_grown = False
        return pickle.dumps(self._kept)


class _Listening(event.Listener):
    """Passes on what numba tells of its compiler."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell

    def on_start(self, event: Any) -> None:
        self._tell(1)

    def on_end(self, event: Any) -> None:
        self._tell(-1)


def listen_to_compiler(tell: Callable[[int], None]) -> None:
    """Let `tell` hear 1 when a function begins to be compiled and -1 when it is done; one may be within another."""
    event.register("numba:compile", _Listening(tell))  # type: ignore[no-untyped-call]


def specialise(template: Kernel, name: str, **functions: Callable[..., Any]) -> Kernel:
    """Compile `template` with some of its global names bound to other kernels.

    This is how one loop serves every game and bot at full speed: numba links the given functions into it. `name` must
    identify the given functions, for it keys the compiled code on disk.
    """
    return kernel(bind(template, name, **functions))


def bind(template: Kernel, name: str, **functions: Callable[..., Any]) -> Kernel:
    """The same, left as ordinary Python, which it must be where the given functions are."""
    clone = types.FunctionType(
        template.__code__, {**template.__globals__, **functions}, name, template.__defaults__
    )
    clone.__module__ = template.__module__
    clone.__qualname__ = name
    return cast(Kernel, clone)


def rows(count: int, dtype: np.dtype[Any]) -> Rows:
    """Zeroed rows, as compiled kernels want them, or uncompiled ones under `NUMBA_DISABLE_JIT=1`."""
    return np.zeros(count, dtype if IS_COMPILED else uncompiled(dtype))


def uncompiled(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same rows as uncompiled kernels want them, compiled or not others are."""
    return np.dtype((_PlainRow, dtype))


def own(row: Row) -> Row:
    """A copy of a row that shares nothing with it."""
    copied = rows(1, row.dtype)
    copied[0] = row
    return copied[0]


class _PlainArray(np.ndarray[Any, Any]):
    """An array field of an uncompiled row; its numbers are as wide as compiled ones."""

    def __getitem__(self, key: Any) -> Any:
        return _plain(super().__getitem__(key))


_field, _set_field, _attribute = np.void.__getitem__, np.void.__setitem__, np.void.__getattribute__
"""Shortcuts past `np.record`, which wants to know more than rows of numbers ask for and takes ten times as long."""


class _PlainRow(np.record):  # type: ignore[misc]  # NumPy allows it, its stubs do not
    """A row for uncompiled kernels: fields are attributes, and numbers are as wide as compiled ones.

    A field is found before what NumPy's scalars have under its name, such as `round`.
    """

    __getitem__ = _field  # type: ignore[assignment]  # typed for `np.record`

    def __getattribute__(self, name: str) -> Any:
        is_field = name in _attribute(self, "dtype").fields
        return _plain(_field(self, name)) if is_field else _attribute(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        _set_field(self, name, value)


def _plain(found: Any) -> Any:
    if isinstance(found, np.integer) and not isinstance(found, np.uint64):
        return int(found)
    if isinstance(found, np.ndarray) and found.dtype.kind in "iu":
        return found.view(_PlainArray)
    return found


_MULTIPLY_A = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_B = np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def mix(seed: Any, place: Any) -> Any:
    """Hash a seed and a place (`uint64` each) to 64 even bits.

    Source: the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
    """
    bits = seed + (np.uint64(place) + np.uint64(1)) * _GOLDEN
    bits = (bits ^ (bits >> _S30)) * _MULTIPLY_A
    bits = (bits ^ (bits >> _S27)) * _MULTIPLY_B
    return bits ^ (bits >> _S31)


@kernel
def below(bits: Any, limit: Any) -> Any:
    """Turn even bits (`uint64`) into an even number in 0 .. limit-1, for limits up to a million."""
    return np.int64(((bits >> _S32) * np.uint64(limit)) >> _S32)
