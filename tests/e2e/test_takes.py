"""A book by a server that speaks badly now and then has the good takes, and counts them all."""

import json
from pathlib import Path

import pytest

from support.speech_server import KEY, speech_server

SENTENCES = (
    "The ferry left at seven with eleven people and a goat on board.",
    "By noon the fog had swallowed both of the harbour lights.",
    "A boy who had never been at sea was asked to ring the bell.",
    "He rang it for two hours without a word to anybody.",
    "When the wind came round at last, they saw the church of Wend.",
    "It stood where the cook had said it would stand all along.",
)
N_SENTENCES = 1 + len(SENTENCES)  # with the title
PAID = {"OPENAI_API_KEY": KEY, "AUDIOMILL_ENGINE": "openai"}


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "Ferry.md"
    path.write_text("# The ferry\n\n" + "\n\n".join(SENTENCES) + "\n")
    return path


def render(home, book, server, folder, **variables):
    """The summary and the report of a run with a store of its own."""
    table = {"URL": server.url, "PROFILE": server.kind, "MODEL": "tts-1"}
    settings = {f"AUDIOMILL_OPENAI__{name}": value for name, value in table.items()}
    user = home.with_variables(
        **PAID, **settings, AUDIOMILL_STORE=str(folder / "store"), **variables
    )
    arguments = ("--format", "flac", "--out", folder / "out", "--no-prefect", "--json")
    run = user.run("render", book, *arguments)
    assert run.returncode == 0, run.stderr
    summary = json.loads(run.stdout)
    return Path(summary["files"][0]["path"]), json.loads(Path(summary["report"]).read_text()), run


@pytest.mark.parametrize("kind", ["openai", pytest.param("vllm-omni", marks=pytest.mark.prove)])
def test_good_takes_replace_those_that_are_spoiled(home, book, tmp_path, kind):
    takes = {
        SENTENCES[0]: ["runaway"],
        SENTENCES[1]: ["cut off", "silence"],
        SENTENCES[2]: ["repetition"],
        SENTENCES[4]: ["hiss", "silence"],
    }
    # Of a length that the header does not tell, so that only the sound shows what is cut off.
    how = {"unknown_length": True}
    with speech_server(kind, **how) as clean, speech_server(kind, takes=takes, **how) as server:
        good, plain, _ = render(home, book, clean, tmp_path / "good")
        mended, report, run = render(home, book, server, tmp_path / "mended")
        assert (plain["extra_takes"], plain["suspects"]) == (0, [])
        assert (report["extra_takes"], report["suspects"], report["warnings"]) == (6, [], [])
        assert mended.read_bytes() == good.read_bytes()
        assert report["rendered"] == N_SENTENCES == len(clean.spoken) == len(server.spoken) - 6
        assert "rendered with 6 extra takes" in run.stderr
        if kind == "openai":
            again = sum(len(text) * len(spoiled) for text, spoiled in takes.items())
            assert report["characters_billed"] == plain["characters_billed"] + again
            assert report["characters_billed"] == server.billed_characters
        else:
            sent = [one.body for one in server.requests if one.body["input"] == SENTENCES[1]]
            assert len({body["seed"] for body in sent}) == 3


def test_a_segment_that_stays_faulty_is_kept_and_told_once(home, book, tmp_path):
    takes = {SENTENCES[3]: ["cut off", "silence", "hiss"]}
    with speech_server("openai", takes=takes) as server:
        _, report, run = render(home, book, server, tmp_path)
        (suspect,) = report["suspects"]
        assert (suspect["text"], suspect["fault"]) == (SENTENCES[3], "silence inside")
        assert suspect["chapter"] == "The ferry"
        assert suspect["words"].endswith("in the best of 3 takes")
        assert (report["extra_takes"], len(report["warnings"])) == (2, 1)
        assert "1 segment may sound wrong (1 silence inside)" in run.stderr
        # A later run asks for nothing, and still knows.
        table = tmp_path / "out"
        next(table.rglob("*.flac")).unlink()
        _, again, _ = render(home, book, server, tmp_path)
        assert (again["rendered"], again["extra_takes"]) == (0, 0)
        assert again["suspects"] == report["suspects"]


def test_no_take_exceeds_the_budget_and_what_is_paid_for_is_kept(home, book, tmp_path):
    takes = {SENTENCES[5]: ["silence"]}
    book.write_text(SENTENCES[5])
    n_characters = len(SENTENCES[5])
    price = {"AUDIOMILL_OPENAI__PRICE_PER_MILLION": "1000000"}
    limit = {"AUDIOMILL_OPENAI__BUDGET": str(2 * n_characters - 1)}
    with speech_server("openai", takes=takes) as server:
        _, report, _ = render(home, book, server, tmp_path, **price, **limit)
        assert server.billed_characters == n_characters == report["characters_billed"]
        assert [one["text"] for one in report["suspects"]] == [SENTENCES[5]]


def test_retakes_can_be_switched_off(home, book, tmp_path):
    with speech_server("openai", takes={SENTENCES[0]: ["silence"]}) as server:
        _, report, _ = render(home, book, server, tmp_path, AUDIOMILL_RETAKES="0")
        assert report["extra_takes"] == 0
        assert len(server.spoken) == N_SENTENCES
        assert len(report["suspects"]) == 1  # as any engine's fault is found
