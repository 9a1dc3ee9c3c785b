"""What is kept of a large file is what is found in it, whatever becomes of the file."""

import os
import time

import pytest

from audiomill.inputs.files import file_sha256
from audiomill.renderers.host.file_facts import MAX_KEPT, MIN_BYTES, SETTLED_NS, FileFacts

MINUTE_NS = 60 * 10**9


@pytest.fixture
def weights(tmp_path):
    path = tmp_path / "weights"
    path.write_bytes(bytes(MIN_BYTES))
    return path


@pytest.fixture
def facts(tmp_path):
    """Of a minute later, when the files have settled."""
    return FileFacts(tmp_path / "cache" / "files.json", lambda: time.time_ns() + MINUTE_NS)


def is_kept(facts, path, fact):
    """Whether a fact is given without a look at the file."""
    return facts.find(path, "digest", lambda _path: "found anew") == fact


def overwrite(path):
    path.write_bytes(b"\1" * MIN_BYTES)


def change_one_byte(path):
    """The size and the time that everybody sees stay."""
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(MIN_BYTES // 2)
        file.write(b"\1")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace_by_another(path):
    """With the size and the time of the file before."""
    before, other = path.stat(), path.with_name("other")
    other.write_bytes(b"\1" * MIN_BYTES)
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)


def lengthen(path):
    with path.open("ab") as file:
        file.write(b"\0")


def lead_elsewhere(path):
    """A link in its place leads to a file that has settled, too."""
    other = path.with_name("other")
    other.write_bytes(b"\1" * MIN_BYTES)
    path.unlink()
    path.symlink_to(other)


@pytest.mark.parametrize(
    "change", [overwrite, change_one_byte, replace_by_another, lengthen, lead_elsewhere]
)
def test_a_changed_file_has_the_digest_of_what_is_in_it(facts, weights, change):
    before = facts.find(weights, "digest", file_sha256)
    assert is_kept(facts, weights, before)
    change(weights)
    after = facts.find(weights, "digest", file_sha256)
    assert after == file_sha256(weights) != before
    assert is_kept(facts, weights, after)


@pytest.mark.parametrize("age_ns", [0, SETTLED_NS, -MINUTE_NS])
def test_a_file_that_changed_just_now_is_read_again(tmp_path, weights, age_ns):
    """Its time may be set to the past, or to the future; that of the change itself is not."""
    os.utime(weights, (1, 1))
    changed_ns = weights.stat().st_ctime_ns
    facts = FileFacts(tmp_path / "files.json", lambda: changed_ns + age_ns)
    fact = facts.find(weights, "digest", file_sha256)
    assert not is_kept(facts, weights, fact)


def test_a_file_that_changes_while_it_is_read_is_read_again(facts, weights):
    def digest_and_change(path):
        digest = file_sha256(path)
        overwrite(path)
        return digest

    fact = facts.find(weights, "digest", digest_and_change)
    assert not is_kept(facts, weights, fact)


def test_each_fact_of_each_file_is_kept_by_itself(facts, weights):
    link = weights.with_name("link")
    link.symlink_to(weights)
    for path in (weights, link):
        for kind in ("digest", "state"):
            said = f"{kind} of {path.name}"
            assert facts.find(path, kind, lambda _path, said=said: said) == said
    assert is_kept(facts, weights, "digest of weights")
    assert is_kept(facts, link, "digest of link")


def test_what_fails_and_what_is_small_is_not_kept(facts, weights):
    def fail(_path):
        raise ValueError

    with pytest.raises(ValueError):
        facts.find(weights, "digest", fail)
    with weights.open("r+b") as file:
        file.truncate(MIN_BYTES - 1)
    facts.find(weights, "digest", file_sha256)
    assert not facts.kept_in.exists()


@pytest.mark.parametrize("content", ["", "{", "[]", "1", '{"digest %s": 1}', '{"digest %s": [1]}'])
def test_damage_is_as_nothing(facts, weights, content):
    facts.kept_in.parent.mkdir()
    facts.kept_in.write_text(content.replace("%s", str(weights)))
    assert is_kept(facts, weights, "found anew")
    assert is_kept(facts, weights, "found anew")


def test_a_folder_that_cannot_be_written_costs_only_time(facts, weights):
    facts.kept_in.parent.write_text("a file")
    assert facts.find(weights, "digest", file_sha256) == file_sha256(weights)


def test_those_found_last_stay(facts, weights):
    for number in range(MAX_KEPT + 1):
        facts.find(weights, f"kind {number}", lambda _path: "kept")
    again = [facts.find(weights, f"kind {n}", lambda _path: "anew") for n in (MAX_KEPT, 1, 0)]
    assert again == ["kept", "kept", "anew"]
    assert list(facts.kept_in.parent.iterdir()) == [facts.kept_in]
