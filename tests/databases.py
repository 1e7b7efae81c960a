"""The PostgreSQL server of tests, where there is one."""

import os

POSTGRESQL = os.environ.get("ADJUDGE_TEST_POSTGRES")
"""Its URL."""
