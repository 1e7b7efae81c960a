"""The store's tables: portable types only."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

SCHEMA_VERSION = 2

UPGRADES = {
    "1": (
        "ALTER TABLE adjudge_runs ADD COLUMN shard TEXT",
        "ALTER TABLE adjudge_runs ADD COLUMN merged TEXT",
        "ALTER TABLE adjudge_runs ADD COLUMN origin TEXT",
        "ALTER TABLE adjudge_replies ADD COLUMN cache_read_tokens BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE adjudge_replies ADD COLUMN cache_write_tokens BIGINT NOT NULL DEFAULT 0",
    )
}
"""What makes the tables of an older version those of this one."""

LEFT_OPEN = 2
"""``failed`` of a verdict that counts as not there when its run goes on."""

metadata = MetaData()

about = Table(
    "adjudge_about",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

runs = Table(
    "adjudge_runs",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("identity", String(64), nullable=False, unique=True),
    Column("judge", Text, nullable=False),
    Column("judge_version", Text, nullable=False),
    Column("options", Text, nullable=False, comment="JSON object"),
    Column("method", Text, nullable=False),
    Column("models", Text, nullable=False, comment="JSON array"),
    Column("asking", Text, nullable=False, comment="JSON object: samples, temperature …"),
    Column("inputs", Text, nullable=False, comment="JSON array of {name, label, sha256}"),
    Column("created", String(40), nullable=False, comment="ISO 8601, UTC"),
    Column("state", String(16), nullable=False, comment="open or complete"),
    Column("owner", Text, comment="JSON object: who works on it now"),
    Column("heartbeat", BigInteger, comment="seconds since 1970, by the database's clock"),
    Column("origin", Text, comment="JSON object: where the judge's class comes from"),
    Column("shard", Text, comment="JSON object: which of how many, hash of the whole run"),
    Column("merged", Text, comment="JSON array: the complete shards that are in it"),
)

verdicts = Table(
    "adjudge_verdicts",
    metadata,
    Column("run", Integer, ForeignKey(runs.c.key), primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("record", BigInteger, nullable=False, comment="0-based among all records read"),
    Column("source", Integer, nullable=False, comment="index into the run's inputs"),
    Column("line", BigInteger, comment="1-based"),
    Column("case_id", Text),
    Column("status", String(16), nullable=False),
    Column(
        "failed",
        Integer,
        nullable=False,
        comment="1: it or one of its opinions is not scored; 2: skipped for want of budget",
    ),
    Column("body", Text, nullable=False, comment="the verdict as JSON"),
    # by hash in PostgreSQL, where no entry of a tree may be longer than 2.7 kB
    Index("adjudge_verdicts_case", "case_id", postgresql_using="hash"),
    Index("adjudge_verdicts_status", "run", "status"),
)

replies = Table(
    "adjudge_replies",
    metadata,
    Column("key", String(64), primary_key=True, comment="hash of all that shapes the reply"),
    Column("run", Integer, ForeignKey(runs.c.key), primary_key=True),
    Column("model", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", Text),
    Column("text", Text),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cache_read_tokens", BigInteger, nullable=False, comment="of input_tokens"),
    Column("cache_write_tokens", BigInteger, nullable=False, comment="of input_tokens"),
    Column("repairs", String(64), comment="key of the reply that this one puts right"),
    Column("meta", Text, nullable=False, comment="JSON object"),
    Index("adjudge_replies_run", "run"),
)
