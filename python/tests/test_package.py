"""The package as a whole: documentation, type stubs and options."""

import ast
import doctest
import importlib.metadata
import inspect
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import clearway
from clearway import _native, tiles

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs"


def test_everything_has_a_docstring() -> None:
    for module in (clearway, tiles):
        for name in module.__all__:
            part = getattr(module, name)
            assert inspect.getdoc(part), name
            if inspect.isclass(part) and not issubclass(part, Exception):
                public = [member for member in vars(part) if not member.startswith("_")]
                methods = [member for member in public if callable(getattr(part, member))]
                assert all(inspect.getdoc(getattr(part, method)) for method in methods), name


def test_the_chapter_names_everything_public() -> None:
    chapter = (DOCS / "python.md").read_text(encoding="utf-8")
    for name in clearway.__all__:
        assert f"`{name}" in chapter or f"clearway.{name}" in chapter, f"docs/python.md does not name {name}"
    for name in tiles.__all__:
        assert f"tiles.{name}" in chapter, f"docs/python.md does not name tiles.{name}"


def test_the_stubs_cover_the_native_module() -> None:
    package = Path(clearway.__file__).parent
    stubs = ast.parse((package / "_native.pyi").read_text(encoding="utf-8"))
    declared = {node.name: node for node in stubs.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    existing = {name for name in dir(_native) if not name.startswith("_")}
    constants = {node.target.id for node in stubs.body if isinstance(node, ast.AnnAssign)}
    assert set(declared) | constants == existing
    for name, node in declared.items():
        if isinstance(node, ast.ClassDef):
            members = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            public = {member for member in dir(getattr(_native, name)) if not member.startswith("_")}
            assert {member for member in members if not member.startswith("_")} == public, name
    assert (package / "py.typed").exists()


def test_the_metadata_name_the_licences_and_the_topics() -> None:
    metadata = importlib.metadata.metadata("clearway")
    assert metadata["Version"] == clearway.__version__
    assert metadata["License-Expression"] == "MIT OR Apache-2.0"
    assert set(metadata.get_all("License-File")) == {"LICENSE-MIT", "LICENSE-APACHE"}
    assert "Typing :: Typed" in metadata.get_all("Classifier")
    # Its address is that of the workspace, which is set before a release.
    assert metadata["Project-URL"].startswith("Source Code,")
    files = {file.name for file in importlib.metadata.files("clearway") or []}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "py.typed", "_native.pyi"} <= files


def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    maturin = Path(sys.executable).with_name("maturin")
    if not maturin.exists():
        pytest.skip("maturin is not installed")
    command = [str(maturin), "sdist", "--manifest-path", str(HERE.parent / "Cargo.toml"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as sources:
        names = {name.partition("/")[2] for name in sources.getnames()}
    # The crates that it depends on, directly or not, with the data that they embed.
    crates = {name.split("/")[1] for name in names if name.startswith("crates/")}
    assert {
        "answers",
        "api",
        "cli",
        "forge",
        "gp",
        "lab",
        "policy",
        "proof",
        "rush",
        "search",
        "tiles",
        "util",
        "web",
    } == crates
    assert {f"crates/{crate}/Cargo.toml" for crate in crates} <= names
    needed = {"Cargo.lock", "LICENSE-MIT", "LICENSE-APACHE", "PKG-INFO", "clearway/py.typed", "python/src/lib.rs"}
    assert needed | {"crates/rush/suites/cards.tsv", "crates/web/page/index.html"} <= names
    assert not [name for name in names if "/tests/" in name]


def test_keyword_arguments_are_options_of_the_commands() -> None:
    """Every keyword argument must be an option of the command, so that none is forgotten when a command changes."""
    commands = {
        clearway.solve_many: "solve",
        clearway.compare: "compare",
        clearway.grade_many: "grade",
        clearway.enumerate_shard: "forge enumerate",
        clearway.evolve: "evolve",
        tiles.solve_many: "tiles solve",
        tiles.random: "tiles random",
        tiles.evolve: "tiles evolve",
    }
    python_only = {"boards", "algorithms", "machine", "shards", "on_run", "on_generation"}
    for function, command in commands.items():
        lines: list[str] = []
        _native.call([*command.split(), "--help"], lines.append, lines.append, lines.append)
        text = "\n".join(lines)
        for name in set(inspect.signature(function).parameters) - python_only:
            assert f"--{name.rstrip('_').replace('_', '-')}" in text, f"{command} has no option for {name}"


@pytest.mark.parametrize("document", [HERE.parent / "README.md", DOCS / "python.md"], ids=lambda path: path.name)
def test_the_examples_of_the_documents_are_correct(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0
