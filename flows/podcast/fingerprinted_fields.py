"""The fields that all fingerprints of episodes have had so far, by the class that has them.

Nothing is added here: a field that is younger counts only where it is not at its default, so that
audiomill has new choices without making old episodes again (`fingerprints.py`). `Job` has its
fields in the order of the fingerprints, and lacks those that change no audio.
"""

from __future__ import annotations

from collections.abc import Mapping

FIELDS: Mapping[str, tuple[str, ...]] = {
    name: tuple(fields.split())
    for name, fields in {
        "Job": (
            "source out store engine voice speed formats transcripts plot chapters split window_s "
            "outage_s corrections lexicons limits cast foreign read reading pauses credits "
            "mastering delivery options address network warnings"
        ),
        "Corrections": "values",
        "Limits": (
            "max_file_bytes max_text_chars max_archive_entries max_archive_bytes max_entry_bytes "
            "max_entry_ratio"
        ),
        "Cast": "heading quote dialogue characters chapters where",
        "ReadingSettings": (
            "preset front_matter contents index references notes tables code images captions"
        ),
        "Pauses": (
            "sentence_s word_s comma_s semicolon_s colon_s dash_s line_s paragraph_s heading_s "
            "scene_break_s chapter_s variation"
        ),
        "Credits": "enabled opening closing narrator",
        "Mastering": "target_lufs ceiling_dbtp target_rms_db per_file",
        "Delivery": (
            "profile encoding ends room_tone sidecars credits_apart cue_sheet cover_px max_file_s "
            "sample_s square_cover"
        ),
        "Encoding": "sample_rate channels bit_rate_kbps bit_rate_mode joint_stereo",
        "Ends": "head_s tail_s",
        "RoomTone": "level_db highest_db",
        "EngineOptions": "own retakes environments cloned_voices",
        "KokoroOptions": (
            "weights release device precision auto_precision batch_frames workers phonemes"
        ),
        "KokoroOnnxOptions": "threads workers phonemes model precision",
        "OrpheusOptions": (
            "url key_variable model snac device voices temperature top_p repeat_penalty"
        ),
        "ParadeeOptions": "threads workers phonemes models precision",
        "PiperOptions": "voices sample_rate noise_scale noise_w_scale",
        "CosyVoiceServerOptions": "url version model voices most_in_flight instructions",
        "ElevenLabsOptions": (
            "price_per_million budget model url key_variable sample_rate stability "
            "similarity_boost style use_speaker_boost normalization context_chars most_in_flight"
        ),
        "FishOptions": (
            "price_per_million budget profile url model key_variable sample_rate most_in_flight"
        ),
        "ServerOptions": (
            "price_per_million budget profile url model key_variable voices sample_rate "
            "most_in_flight first_in_flight batch instructions"
        ),
        "PiperServerOptions": "url sample_rate",
        "IsolatedOptions": "engine model python device batch row_timeout_s settings",
        "NetworkPolicy": "allowed_hosts",
    }.items()
}
# The engines whose options are `IsolatedOptions`.
ISOLATED_ENGINES = frozenset(
    [
        "chatterbox",
        "chatterbox-turbo",
        "cosyvoice",
        "csm",
        "dia",
        "f5-tts",
        "faster-qwen3-tts",
        "fish-s2",
        "melotts",
        "qwen3-tts",
        "spark-tts",
        "styletts2",
        "vits",
        "xtts",
    ]
)
