"""The command line. Everything heavy is imported inside the commands."""


def main() -> None:
    """The ``adjudge`` command."""
    from adjudge.cli.app import app

    app()
