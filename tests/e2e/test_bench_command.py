"""`audiomill bench` as a user runs it, with fast engines."""

import json
import signal

import psutil
import pytest

from support.bench_data import LONG_ENOUGH_TEXT
from support.case_files import each_row_apart
from support.process_data import TIMEOUT_S

FIGURES = {"speed", "real_time_factor", "characters_per_s", "first_audio_s"}

WORDS = ("--engine=tone", "--words=60", "--chunking=planned,fixed", "--end-to-end")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """One run for several tests."""
    from support.home import Home

    home = Home(tmp_path_factory.mktemp("home"), {})
    return home, home.run("bench", *WORDS, "--out", home.path / "out", "--json")


@pytest.mark.prove
def test_the_json_is_one_object_on_the_last_line(run):
    home, process = run
    assert process.returncode == 0, process.stderr
    result = json.loads(process.stdout.splitlines()[-1])
    assert result["schema"] == 5
    assert result["text"]["passages"] == 10
    assert [(one["mode"], one["chunking"]) for one in result["variants"]] == [
        ("synthesis only", "planned"),
        ("synthesis only", "fixed"),
        ("end to end", "planned"),
    ]
    for variant in result["variants"]:
        assert all(variant[name] > 0 for name in FIGURES)
        assert variant["cancellation_s"] >= 0  # 0 if it was over by then
        assert variant["speed"] * variant["real_time_factor"] == pytest.approx(1, rel=1e-4)
        assert len(variant["wall_s"]) == len(variant["cpu_s"]) == result["repeat"] == 5
        assert variant["peak_ram_bytes"] > 10 << 20
    assert json.loads((home.path / "out" / "bench.json").read_text("utf-8")) == result


@pytest.mark.prove
def test_all_variants_speak_the_same_text(run):
    _, process = run
    planned, fixed, whole = json.loads(process.stdout.splitlines()[-1])["variants"]
    assert planned["characters"] == whole["characters"]
    # Joined sentences have a space between them.
    assert fixed["characters"] == pytest.approx(planned["characters"], rel=0.02)
    assert whole["audio_s"] == pytest.approx(planned["audio_s"], rel=0.001)


@pytest.mark.prove
def test_end_to_end_has_the_shares_of_the_stages(run):
    _, process = run
    whole = json.loads(process.stdout.splitlines()[-1])["variants"][-1]
    shares = [whole[f"{name}_share"] for name in ("synthesis", "store", "encode")]
    assert sum(shares) == pytest.approx(1, abs=1e-4)
    assert whole["g2p_share"] is None  # tones need no phonemes
    assert (whole["cold_hit_rate"], whole["warm_hit_rate"]) == (0.0, 1.0)


@pytest.mark.prove
def test_it_writes_the_table(run):
    home, _ = run
    table = (home.path / "out" / "bench.txt").read_text("utf-8")
    assert sum(line.startswith("tone, cpu, ") for line in table.splitlines()) == 3


@pytest.mark.prove
def test_two_runs_can_be_compared(run):
    home, _ = run
    result = json.loads((home.path / "out" / "bench.json").read_text("utf-8"))
    for variant in result["variants"]:
        variant["wall_s"] = [wall_s / 1.25 for wall_s in variant["wall_s"]]
    (home.path / "faster.json").write_text(json.dumps(result))
    files = ("out/bench.json", "faster.json")
    compared = home.run("bench", "--compare", *files, "--json")
    assert compared.returncode == 0, compared.stderr
    result = json.loads(compared.stdout)
    assert [variant["ratio"] for variant in result["variants"]] == pytest.approx(3 * [1.25], 0.001)
    assert result["differences"] == {}
    table = home.run("bench", "--compare", files[0], files[0])
    assert table.stdout.count("1.000 ±") == table.stdout.count("within the spread") == 3


@pytest.mark.prove
def test_library_store_and_cache_of_the_user_are_untouched(run):
    home, _ = run
    assert not home.library.exists()
    assert not home.store.exists()
    assert not (home.path / "cache" / "audiomill").exists()


@pytest.mark.prove
def test_progress_is_printed_during_the_run(run):
    _, process = run
    for words in ("warming up: tone", "pass 1 of 5", "pass 5 of 5", "asked to stop"):
        assert words in process.stderr


@pytest.mark.prove
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_measured_and_leaves_nothing_behind(home, sent):
    temporary = home.path / "tmp"
    temporary.mkdir()
    home = home.with_variables(TMPDIR=temporary)
    with home.start("bench", "--engine=tone", "--words=0", "--repeat=100000", "--json") as process:
        for line in process.stderr:
            if "pass 3 of" in line:
                break
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(sent)
        try:
            printed, _ = process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()
    assert process.returncode == 130
    result = json.loads(printed)
    (tone,) = result["variants"]
    assert (result["interrupted"], len(tone["wall_s"]) >= 2) == (True, True)
    assert result["warnings"][0].startswith("Interrupted: ")
    _, left = psutil.wait_procs(children, timeout=TIMEOUT_S)
    # Without a process 1 that waits for orphans, they stay as zombies.
    assert [one for one in left if one.status() != psutil.STATUS_ZOMBIE] == []
    assert not list(temporary.glob("audiomill-*"))


def test_a_text_of_the_user(home):
    (home.path / "own.md").write_text(LONG_ENOUGH_TEXT)
    run = home.run("bench", "own.md", "--engine=tone", "--repeat=1")
    assert run.returncode == 0, run.stderr
    title, *_ = run.stdout.splitlines()
    assert title == "Own: 14 words, 3 passages"
    assert "tone, cpu, planned" in run.stdout


@pytest.mark.prove  # Kokoro is imported
@each_row_apart
def test_errors_of_kokoro_are_a_line_and_an_exit_code(home, words, code, message):
    test_errors_are_a_line_and_an_exit_code(home, words, code, message)


@each_row_apart
def test_errors_are_a_line_and_an_exit_code(home, words, code, message):
    (home.path / "file").write_text("not a folder")
    (home.path / "silent.md").write_text("```\nx = 1\n```\n")
    run = home.run("bench", *words)
    assert run.returncode == code
    assert message in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr
