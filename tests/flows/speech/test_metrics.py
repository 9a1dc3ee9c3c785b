"""What the server tells of itself, read by Prometheus' own parser."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client.parser import text_string_to_metric_families

from support import patient_http
from support.documents import ALL_TEXT
from support.process_data import TIMEOUT_S, wait_until

KEY = "a-key-that-nobody-guesses"
ROWS = "audiomill_speech_rows_total"


def say(url, text, **options):
    body = {"input": text, "response_format": "pcm"}
    return patient_http.post(f"{url}/v1/audio/speech", json=body, **options)


def read(url, **options):
    """The value of each sample, by its name and the values of its labels."""
    text = patient_http.get(f"{url}/metrics", **options).text
    return {
        (one.name, *one.labels.values()): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def test_rows_and_seconds_are_those_of_the_texts(url, renderer):
    contents = [say(url, text).content for text in ("One. Two.", "One. Two.", "Three.")]
    found = read(url)
    assert found[ROWS, "held", "rendered"] == len(renderer.rendered) == 3
    assert found[ROWS, "held", "stored"] == 2
    assert found["audiomill_speech_batch_rows_count", "held"] == len(renderer.batches)
    assert found["audiomill_speech_batch_rows_sum", "held"] == 3
    audio_s = sum(map(len, contents)) / 48_000
    assert found[("audiomill_speech_audio_seconds_total",)] == pytest.approx(audio_s)
    assert found[("audiomill_speech_first_audio_seconds_count",)] == 3


def test_what_waits_and_what_is_dropped_is_told(url, renderer, asking):
    with asking(url, "This is held. Never said. Nor this."):
        assert renderer.begun.wait(TIMEOUT_S)
    wait_until(lambda: read(url)[("audiomill_speech_texts",)] == 0)
    assert read(url)["audiomill_speech_rows_waiting", "held"] == 0
    with ThreadPoolExecutor(1) as clients:
        next_one = clients.submit(say, url, "The next one. And its end.")
        wait_until(lambda: read(url)["audiomill_speech_rows_waiting", "held"] == 2)
        renderer.go.set()
        next_one.result()
    found = read(url)
    assert found[ROWS, "held", "dropped"] == 2
    assert found["audiomill_speech_rows_waiting", "held"] == 0
    assert found["audiomill_speech_requests_total", "/v1/audio/speech", "499"] == 1


def test_failures_and_statuses_are_told(url):
    say(url, "This is broken.")
    say(url, "")
    patient_http.get(f"{url}/a/path/of/a/stranger")
    found = read(url)
    assert found[ROWS, "held", "failed"] == 1
    assert found["audiomill_speech_requests_total", "/v1/audio/speech", "500"] == 1
    assert found["audiomill_speech_requests_total", "/v1/audio/speech", "400"] == 1
    assert found["audiomill_speech_requests_total", "other", "404"] == 1


def test_nothing_of_a_text_is_in_them_and_the_key_is_needed(served):
    url = served(KEY)
    headers = {"Authorization": f"Bearer {KEY}"}
    say(url, "A secret.", headers=headers)
    assert patient_http.get(f"{url}/metrics").status_code == 401
    assert "secret" not in patient_http.get(f"{url}/metrics", headers=headers).text
    assert read(url, headers=headers)["audiomill_speech_requests_total", "/metrics", "401"] == 1


def test_the_documents_name_each(url):
    say(url, "One.")
    names = {re.sub("_(bucket|count|sum|created)$", "", name) for name, *_ in read(url)}
    documented = set(re.findall(r"^\| `(audiomill_speech_\w+)` \|", ALL_TEXT, re.MULTILINE))
    assert {re.sub("_total$", "", one) for one in names} == {
        re.sub("_total$", "", one) for one in documented
    }
