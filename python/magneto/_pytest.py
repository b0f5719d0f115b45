"""The plugin of pytest: functions with :func:`magneto.test` are tests."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, List, Optional, Union

import pytest

from . import __version__
from ._errors import FunctionError, SpecificationError
from ._results import Report
from ._tested import Demand, demands, test

_SEEN = "_magneto_seen"


class CheckFailed(AssertionError):
    """A function does not meet its specification."""

    def __init__(self, failed: List[Report]) -> None:
        super().__init__("\n".join(str(report) for report in failed))
        self.failed = failed


class CheckItem(pytest.Item):
    """One function with one specification."""

    def __init__(self, *, function: Any, demand: Demand, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.function = function
        self.demand = demand
        self.add_marker("magneto")

    def runtest(self) -> None:
        config = self.config
        reports = self.demand.check(
            self.function,
            folder=_folder(self.function),
            random=config.getoption("magneto_random"),
            seed=config.getoption("magneto_seed"),
            cache=_cache(config),
        )
        for report in reports:
            self.add_report_section("call", "magneto", self._told(report))
        failed = [report for report in reports if not report.ok]
        if failed:
            raise CheckFailed(failed)

    def _told(self, report: Report) -> str:
        return report.verbose if self.config.get_verbosity() > 0 else report.text

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Optional[Any] = None) -> Any:
        error = excinfo.value
        if isinstance(error, CheckFailed):
            # What they say is in the message.
            self._report_sections = [s for s in self._report_sections if s[1] != "magneto"]
            return "\n".join(f"{report.summary}\n{self._told(report)}" for report in error.failed)
        if isinstance(error, (SpecificationError, FunctionError)):
            return f"{type(error).__name__}: {error}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Any:
        try:
            code = inspect.unwrap(self.function).__code__
            return Path(code.co_filename), code.co_firstlineno - 1, self.name
        except AttributeError:
            return self.path, None, self.name


def _folder(function: Any) -> Optional[Path]:
    """Where the function's file is."""
    try:
        path = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None
    return Path(path).parent if path else None


def _cache(config: pytest.Config) -> Optional[Path]:
    if config.getoption("magneto_no_cache"):
        return None
    given = config.getoption("magneto_cache")
    return Path(given) if given else config.rootpath / ".magneto-cache"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("magneto", "tests of numerical functions (magneto)")
    group.addoption(
        "--magneto-random",
        type=int,
        default=0,
        metavar="N",
        help="add N random inputs to the tests of each function (default: 0)",
    )
    group.addoption(
        "--magneto-seed", type=int, default=0, metavar="SEED", help="what decides the random inputs (default: 0)"
    )
    group.addoption(
        "--magneto-cache",
        metavar="DIR",
        help="where generated tests are kept for later runs (default: .magneto-cache in pytest's root folder)",
    )
    group.addoption("--magneto-no-cache", action="store_true", help="make tests anew, and keep none")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "magneto: a function that is tested against a specification")


def pytest_report_header(config: pytest.Config) -> Union[str, List[str]]:
    random = config.getoption("magneto_random")
    more = f", {random} random inputs of seed {config.getoption('magneto_seed')}" if random else ""
    return f"magneto: {__version__}{more}"


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Any:
    if obj is test:
        # Its name is that of a test, where it is imported.
        return []
    # A class has its static methods as they are stored.
    obj = getattr(obj, "__func__", obj)
    if inspect.isclass(obj) or not demands(obj):
        return None
    is_method = isinstance(collector, pytest.Class)
    function = getattr(collector.obj(), name) if is_method else obj
    # A function with two names in a module is one.
    seen = collector.__dict__.setdefault(_SEEN, set())
    if id(obj) in seen:
        return []
    seen.add(id(obj))
    all_demands = demands(obj)
    items = []
    for k, demand in enumerate(all_demands):
        shown = name if len(all_demands) == 1 else f"{name}[{k + 1}]"
        items.append(CheckItem.from_parent(collector, name=shown, function=function, demand=demand))
    return items
