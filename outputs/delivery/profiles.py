"""The profiles that `--for` knows.

Levels of one channel: the same sound in both channels of a stereo file measures 3 LU more (ITU-R
BS.1770-4 adds the powers of channels), so -19 LUFS in mono sounds as loud as -16 in stereo.

Sources: ACX's submission requirements (RMS -23 to -18 dB, peaks below -3 dB, noise floor below
-60 dB, 44.1 kHz, 192 kbps or more at a constant rate, 0.5 to 1 s before and 1 to 5 s after, 120
minutes at most, square cover of 2400 pixels); Apple's requirements for podcasts (-16 LUFS within
1 LU, -1 dBTP; artwork of 1400 to 3000 pixels); Audiobookshelf's scanner for sidecars.
"""

from __future__ import annotations

from audiomill.outputs.delivery.levels import Mastering
from audiomill.outputs.delivery.profile import Delivery, Encoding, Ends, Profile, RoomTone

DEFAULT_PROFILE = "audiobookshelf"

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            "audiobookshelf",
            "a server of audiobooks: one M4B with chapters, and what it scans beside it",
            formats=("m4b",),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "audiobookshelf", sidecars=("cover.jpg", "metadata.json", "desc.txt")
            ),
        ),
        Profile(
            "acx",
            "Audible and its distributors: an MP3 of 192 kbps for each chapter, with room tone",
            formats=("mp3",),
            split=True,
            mastering=Mastering(ceiling_dbtp=-3.5, target_rms_db=-20.0, per_file=True),
            delivery=Delivery(
                "acx",
                encoding=Encoding(44_100, 1, 192, "cbr", joint_stereo=False),
                ends=Ends(head_s=0.75, tail_s=2.5),
                room_tone=RoomTone(level_db=-68.0, highest_db=-63.0),
                sidecars=("cover.jpg",),
                credits_apart=True,
                cover_px=2400,
                square_cover=True,
                # Less than is asked for: some readers count the samples that MP3 adds at both ends.
                max_file_s=7190.0,
                sample_s=295.0,
            ),
        ),
        Profile(
            "podcast",
            "an episode: an MP3 of 44.1 kHz that all players take",
            formats=("mp3",),
            split=False,
            mastering=Mastering(target_lufs=-19.0, ceiling_dbtp=-1.0, per_file=True),
            delivery=Delivery(
                "podcast",
                encoding=Encoding(44_100, 1, 96, "cbr"),
                cover_px=1400,
                square_cover=True,
            ),
        ),
        Profile(
            "apple",
            "Apple Books and iPhones: one M4B of 44.1 kHz with chapters",
            formats=("m4b",),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "apple", encoding=Encoding(44_100, 1, 64), cover_px=1400, square_cover=True
            ),
        ),
        Profile(
            "archive",
            "for later: one FLAC, without loss, and everything known about the book",
            formats=("flac",),
            split=False,
            mastering=Mastering(),
            delivery=Delivery(
                "archive",
                sidecars=("cover.jpg", "metadata.json", "metadata.opf", "desc.txt"),
            ),
        ),
    )
}
