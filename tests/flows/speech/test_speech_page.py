"""The page of the server, and the audio by an address that its player asks for."""

import pytest

from audiomill.flows.speech.prepared_texts import MOST_TEXTS
from support import patient_http

KEY = "a-key-that-nobody-guesses"
HEADERS = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def keyed_url(served):
    return served(KEY)


def prepared(url, text="Hi. There.", **fields):
    body = {"input": text, "response_format": "wav"} | fields
    return patient_http.post(f"{url}/play", json=body, headers=HEADERS)


def test_the_page_opens_without_the_key_and_asks_for_it(keyed_url):
    answer = patient_http.get(f"{keyed_url}/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert 'id="key"' in answer.text
    assert KEY not in answer.text
    assert "http" not in answer.text.split("<style>")[1].split("</style>")[0]


def test_without_a_key_the_page_asks_for_none(served):
    assert 'id="key"' not in patient_http.get(f"{served()}/").text


def test_pages_of_other_sites_may_not_frame_it(keyed_url):
    policy = patient_http.get(f"{keyed_url}/").headers["content-security-policy"]
    assert policy == "frame-ancestors 'none'"
    assert patient_http.get(f"{keyed_url}/", headers={"Host": "evil.example"}).status_code == 421


def test_an_address_has_the_audio_of_its_text_without_the_key(keyed_url):
    address = prepared(keyed_url).json()["url"]
    plain = patient_http.post(
        f"{keyed_url}/v1/audio/speech",
        json={"input": "Hi. There.", "response_format": "wav"},
        headers=HEADERS,
    )
    for _ in range(2):  # a player may ask again
        answer = patient_http.get(f"{keyed_url}/{address}")
        assert answer.headers["content-type"] == "audio/wav"
        assert answer.content == plain.content


def test_an_address_needs_the_key_to_be_made_and_cannot_be_guessed(keyed_url):
    assert patient_http.post(f"{keyed_url}/play", json={"input": "Hi."}).status_code == 401
    assert patient_http.get(f"{keyed_url}/play/guessed").status_code == 404
    assert patient_http.get(f"{keyed_url}/play/..%2Fv1%2Fmodels").status_code == 404


def test_what_cannot_be_said_is_told_before_there_is_an_address(keyed_url):
    assert "no words" in prepared(keyed_url, "…").json()["error"]["message"]
    assert prepared(keyed_url, voice="nobody").json()["error"]["param"] == "voice"


def test_old_addresses_are_forgotten(keyed_url):
    first = prepared(keyed_url).json()["url"]
    for number in range(MOST_TEXTS):
        prepared(keyed_url, f"Number {number}.")
    assert patient_http.get(f"{keyed_url}/{first}").status_code == 404
