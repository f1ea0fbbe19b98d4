"""The JSON Schema of packs."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from program import records

SCHEMA = Path(__file__).parents[2] / "crates/forge/src/pack/pack.schema.json"
PACK = ["forge", "pack", "--seed=7", "--from=3", "--to=6"]


def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize(
    "command",
    [
        [*PACK, "--count=20", "--size=5"],
        [*PACK, "--count=4", "--size=5x4", "--walls=1", "--exit=top"],
        [*PACK, "--count=2", "--size=9"],
        ["forge", "pack", "--quota=beginner=2", "--quota=intermediate=2", "--seed=7"],
        ["forge", "merge", "--suite=cards", "--suite=walls"],
        ["forge", "merge", "--suite=traffic-jam"],
    ],
)
def test_every_line_of_a_pack_is_valid(command: list[str]) -> None:
    schema, pack = validator(), records(*command)
    assert len(pack) >= 2
    for record in pack:
        assert [error.message for error in schema.iter_errors(record)] == [], record


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", "not-a-hash"),
        ("board", "BB...C D..E.C"),
        ("board", None),
        ("size", [6]),
        ("size", [6, 6, 6]),
        ("size", [6, 17]),
        ("exit", "up"),
        ("moves", 0),
        ("moves", 7.5),
        ("steps", "16"),
        ("states", -1),
        ("depth", 0),
        ("optimal_solutions", 0),
        ("decisions", "8"),
        ("grade", "easy"),
        ("human", {"seconds": 5}),
        ("minimal", 1),
        ("solution", []),
        ("solution", ["A"]),
        ("solution", ["A+0"]),
        ("solution", "A+3"),
        ("generator", 1),
        ("version", 0.1),
        ("seed", -1),
        ("license", 7),
    ],
)
def test_a_broken_line_is_invalid(field: str, value: object) -> None:
    schema = validator()
    (record,) = records("forge", "pack", "--count=1", "--size=5", "--from=4", "--to=4", "--seed=7")
    assert schema.is_valid(record)
    assert not schema.is_valid({**record, field: value})
    may_be_missing = field in ("optimal_solutions", "decisions", "license")
    assert schema.is_valid({key: record[key] for key in record if key != field}) == may_be_missing
