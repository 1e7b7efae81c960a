"""Who works on a run: one process at a time, recognised when it is gone."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import uuid
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

HEARTBEAT_SECONDS = 5
STALE_SECONDS = 60

_held: set[str] = set()


@dataclass(frozen=True)
class Owner:
    """One worker on a run: process, machine, since when (ISO 8601, UTC).

    ``started`` tells a process from a later one of the same number, ``space`` two process
    namespaces of one host name, ``boot`` two machines of one name; they are empty where the system
    does not say. ``token`` tells apart what one process holds.
    """

    pid: int
    host: str
    since: str
    started: str = ""
    space: str = ""
    boot: str = ""
    token: str = field(default="")

    @classmethod
    def me(cls) -> Owner:
        """This process, from now until ``let_go``."""
        pid = os.getpid()
        made = cls(
            pid=pid,
            host=platform.node(),
            since=datetime.now(UTC).isoformat(timespec="seconds"),
            started=_started(pid),
            space=_space(),
            boot=_boot(),
            token=uuid.uuid4().hex,
        )
        _held.add(made.token)
        return made

    def let_go(self) -> None:
        """It works no more, whether or not the store could be told so."""
        _held.discard(self.token)

    def to_json(self) -> str:
        """As kept in the store."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Owner:
        """From the store."""
        return cls(**json.loads(text))

    def alive(self, heartbeat: int | None, now: int) -> bool:
        """Whether the owner still works: its process is asked where it is on this machine, else
        its heartbeat must be younger than ``STALE_SECONDS``."""
        here = platform.node(), _space(), _boot()
        if (self.host, self.space, self.boot) == here:
            if self.pid == os.getpid() and self.started == _started(self.pid):
                return self.token in _held
            if os.name == "posix":  # elsewhere ``os.kill`` with 0 is no question
                return _runs(self.pid) and _started(self.pid) == self.started
        return heartbeat is not None and now - heartbeat < STALE_SECONDS

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, since {self.since}"


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _stat(pid)[:1] != ["Z"]


def _started(pid: int) -> str:
    stat = _stat(pid)
    return stat[19] if len(stat) > 19 else ""


def _stat(pid: int) -> list[str]:
    """What Linux says about a process from its state on; nothing elsewhere."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _space() -> str:
    with contextlib.suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return ""


def _boot() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""
