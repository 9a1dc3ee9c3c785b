"""How a text is cut that somebody waits for."""

from dataclasses import replace

from audiomill.flows.speech.text_plan import SpeechPlanner, TextToSpeak

TEXT = "Hi Mediclinic. Your project is on track. We call you at ten."


def test_the_first_words_are_a_segment_unless_it_shall_be_as_in_a_book(
    settings, renderer, monkeypatch
):
    monkeypatch.setattr(renderer, "limits", replace(renderer.limits, best_length=(100, 200)))
    planner = SpeechPlanner(settings)
    early, as_book = (
        [one.request.spoken for one in planner.plan(TextToSpeak(TEXT, as_book=as_book)).segments]
        for as_book in (False, True)
    )
    assert early == ["Hi Mediclinic. Your project is on track.", "We call you at ten."]
    assert as_book == [TEXT]
