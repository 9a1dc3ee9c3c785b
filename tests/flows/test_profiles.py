"""What files are made for: a profile's choices, and the user's instead of them."""

import dataclasses

import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.make_job import make_job
from audiomill.flows.settings import Settings
from audiomill.outputs.checking.profiles import (
    DEFAULT_PROFILE,
    PROFILES,
    Delivery,
    DeliveryChoices,
    MasteringChoices,
)
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.registry import READALONGS
from audiomill.outputs.targets import Ends, Mastering, RoomTone


def job_of(settings: Settings | None = None, **options):
    return make_job(settings or Settings(), "book.md", engine="tone", **options)


def test_without_a_word_files_are_made_for_a_server_of_audiobooks() -> None:
    job = job_of()
    assert job.delivery.profile == DEFAULT_PROFILE == "audiobookshelf"
    assert (job.formats, job.split, job.mastering) == (("m4b",), False, Mastering())


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_decides_what_nobody_else_does(name: str) -> None:
    profile, job = PROFILES[name], job_of(profile=name)
    assert ((*job.formats, *job.readalongs), job.split) == (profile.formats, profile.split)
    assert (job.mastering, job.delivery) == (profile.mastering, profile.delivery)
    assert job_of(Settings(profile=name)) == job


def test_what_is_read_along_sounds_as_a_finished_book_does() -> None:
    """So that a book that was made for nothing in particular is not encoded again."""
    job = job_of(profile="readalong")
    assert job.readalongs == tuple(READALONGS)
    assert job.mastering == job_of().mastering
    assert dataclasses.replace(job.delivery, profile="", sidecars=()) == dataclasses.replace(
        job_of().delivery, profile="", sidecars=()
    )


def test_options_and_settings_win_over_the_profile() -> None:
    settings = Settings(
        mastering=MasteringChoices(ceiling_dbtp=-4.0),
        delivery=DeliveryChoices(bit_rate_kbps=256, tail_s=1.5, room_tone_db=-70.0),
    )
    job = job_of(settings, profile="acx", formats=("flac",), split=False)
    acx = PROFILES["acx"]
    assert (job.formats, job.split) == (("flac",), False)
    assert job.mastering == dataclasses.replace(acx.mastering, ceiling_dbtp=-4.0)
    assert job.delivery.encoding == Encoding(44_100, 1, 256, "cbr", joint_stereo=False)
    assert job.delivery.ends == Ends(0.75, 1.5)
    assert job.delivery.room_tone == RoomTone(-70.0, -70.0)
    assert job.delivery.cover_px == acx.delivery.cover_px


def test_a_loudness_replaces_the_rms_of_a_profile() -> None:
    chosen = Settings(mastering=MasteringChoices(target_lufs=-21.0))
    mastering = job_of(chosen, profile="acx").mastering
    assert (mastering.target_lufs, mastering.target_rms_db) == (-21.0, None)


def test_room_tone_is_switched_on_and_off() -> None:
    on = job_of(Settings(delivery=DeliveryChoices(room_tone=True))).delivery
    off = job_of(Settings(delivery=DeliveryChoices(room_tone=False)), profile="acx").delivery
    by_level = job_of(Settings(delivery=DeliveryChoices(room_tone_db=-75.0))).delivery
    assert on.room_tone is not None
    assert by_level.room_tone == RoomTone(-75.0, -75.0)
    assert off.room_tone is None
    assert Delivery().room_tone is None


def test_a_profile_that_is_none_is_told_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"--for podcasts: choose one of .*podcast"):
        job_of(profile="podcasts")
