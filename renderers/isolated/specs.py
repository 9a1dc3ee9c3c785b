"""The entries of the catalogue. Facts are those of each project's own code at the pinned version.

Lengths are chosen below what each engine generates at most in one call, so that no text is cut off.
"""

from __future__ import annotations

from collections.abc import Mapping

from audiomill.renderers.isolated.catalogue import CodeSource, EngineSpec

APACHE, MIT = "Apache-2.0", "MIT"
TORCH = "torch==2.13.0"
# Tokens are drawn with a generator for each row: see `own_noise` of the scripts.
ROWS_OF_A_LIST = 8
QWEN_LANGUAGES = ("zh", "en", "ja", "ko", "de", "fr", "ru", "pt", "es", "it")

SPECS: tuple[EngineSpec, ...] = (
    EngineSpec(
        name="qwen3-tts",
        title="Qwen3-TTS",
        packages=("qwen-tts==0.1.1", "torch==2.8.0", "torchaudio==2.8.0"),
        imports=("qwen_tts",),
        pythons=(11, 12),
        model="Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice",
        code_licence=APACHE,
        weights_licence=APACHE,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=600,  # 2048 codes of 80 ms are 164 s
        best_length=(80, 400),
        languages=QWEN_LANGUAGES,
        rows_per_call=ROWS_OF_A_LIST,
        reference_text="helps",  # with a Base model
        settings=(
            ("dtype", "auto"),
            ("temperature", 0.9),
            ("top_k", 50),
            ("instruct", ""),
            ("max_audio_s", 120.0),
        ),
        common_settings=("dtype", "instruct", "max_audio_s"),
    ),
    EngineSpec(
        name="faster-qwen3-tts",
        title="FasterQwenTTS",
        packages=("faster-qwen3-tts==0.5.4", TORCH, "torchaudio==2.11.0"),
        imports=("faster_qwen3_tts",),
        pythons=(11, 12),
        model="Qwen/Qwen3-TTS-12Hz-0.6B-CustomVoice",
        code_licence=MIT,
        weights_licence=APACHE,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=600,
        best_length=(80, 400),
        languages=QWEN_LANGUAGES,
        reference_text="helps",
        settings=(("temperature", 0.9), ("top_k", 50), ("instruct", "")),
        common_settings=("instruct",),
    ),
    EngineSpec(
        name="chatterbox",
        title="Chatterbox",
        packages=("chatterbox-tts==0.1.7", "setuptools==80.9.0"),  # its watermark: pkg_resources
        imports=("chatterbox.tts", "chatterbox.tts_turbo"),
        pythons=(11, 12),
        model="ResembleAI/chatterbox",
        code_licence=MIT,
        weights_licence=MIT,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=280,  # 1000 tokens are 40 s; longer texts lose words
        best_length=(40, 240),
        reference_text="unused",
        settings=(("exaggeration", 0.5), ("cfg_weight", 0.5), ("temperature", 0.8)),
    ),
    EngineSpec(
        name="chatterbox-turbo",
        title="Chatterbox Turbo",
        packages=("chatterbox-tts==0.1.7", "setuptools==80.9.0"),
        imports=("chatterbox.tts", "chatterbox.tts_turbo"),
        pythons=(11, 12),
        model="ResembleAI/chatterbox-turbo",
        code_licence=MIT,
        weights_licence=MIT,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=300,  # past 25 s it grows unstable
        best_length=(40, 240),
        reference_text="unused",
        reference_s=(5.1, 30.0),  # it refuses 5 s and less
        settings=(("temperature", 0.8), ("top_p", 0.95), ("top_k", 1000)),
    ),
    EngineSpec(
        name="csm",
        title="CSM",
        packages=("transformers==5.24.0", TORCH, "soundfile==0.14.0"),
        imports=("transformers", "torch"),
        pythons=(11, 12),
        model="sesame/csm-1b",
        code_licence=APACHE,
        weights_licence=APACHE,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=300,  # 2048 positions for text, reference and frames of 80 ms
        rows_per_call=ROWS_OF_A_LIST,
        reference_text="needed",
        settings=(("dtype", "auto"), ("temperature", 0.9), ("max_audio_s", 60.0)),
        common_settings=("dtype", "max_audio_s"),
    ),
    EngineSpec(
        name="dia",
        title="Dia",
        packages=("transformers==5.24.0", TORCH, "soundfile==0.14.0"),
        imports=("transformers", "torch"),
        pythons=(11, 12),
        model="nari-labs/Dia-1.6B-0626",
        code_licence=APACHE,
        weights_licence=APACHE,
        is_commercial=True,
        varies=True,
        sample_rate=44_100,
        max_length=220,  # 5 to 20 s sound natural
        best_length=(80, 220),
        rows_per_call=ROWS_OF_A_LIST,
        reference_text="needed",
        reference_s=(5.0, 10.0),
        settings=(
            ("dtype", "auto"),
            ("temperature", 1.8),
            ("guidance_scale", 3.0),
            ("top_p", 0.9),
            ("top_k", 45),
        ),
        common_settings=("dtype",),
        more_models=("descript/dac_44khz",),
    ),
    EngineSpec(
        name="fish-s2",
        title="Fish S2",
        packages=("torch==2.8.0", "torchaudio==2.8.0", "transformers==4.57.3"),
        imports=("fish_speech.inference_engine",),
        pythons=(11, 12),
        model="fishaudio/s2-pro",
        code_licence="Fish Audio Research License",
        weights_licence="Fish Audio Research License",
        is_commercial=False,
        varies=True,
        sample_rate=44_100,
        max_length=400,
        languages=("mul",),
        reference_text="needed",
        settings=(("temperature", 0.8), ("top_p", 0.8)),
        source=CodeSource(
            "https://github.com/fishaudio/fish-speech.git",
            "3dd1f85c402ee6f0a17c2971d3b0dd8d881ca139",
        ),
    ),
    EngineSpec(
        name="f5-tts",
        title="F5-TTS",
        # F5-TTS asks for NumPy 1, and datasets for any PyArrow: 26 would not load.
        packages=("f5-tts==1.1.22", TORCH, "torchaudio==2.11.0", "pyarrow==25.0.1"),
        imports=("f5_tts.api", "soundfile"),
        pythons=(11, 12),
        model="SWivid/F5-TTS",
        code_licence=MIT,
        weights_licence="CC-BY-NC-4.0",
        is_commercial=False,
        varies=True,
        sample_rate=24_000,
        max_length=130,  # with 12 s of reference, 10 s are left of the 22 of one pass
        speeds=(0.5, 2.0),
        languages=("en", "zh"),
        reference_text="needed",
        reference_s=(3.0, 12.0),  # it cuts off what is longer, but not its text
        needs_reference=True,
        settings=(
            ("architecture", "F5TTS_v1_Base"),
            ("vocoder", "charactr/vocos-mel-24khz"),
            ("nfe_step", 32),
            ("cfg_strength", 2.0),
        ),
        common_settings=("architecture", "vocoder"),
        more_models=("charactr/vocos-mel-24khz",),
        disk_gib=10.0,
    ),
    EngineSpec(
        name="spark-tts",
        title="Spark-TTS",
        packages=(
            "einops==0.8.1",
            "einx==0.3.0",
            "numpy==2.2.3",
            "omegaconf==2.3.0",
            "safetensors==0.5.2",
            "soundfile==0.12.1",
            "soxr==0.5.0.post1",
            "torch==2.5.1",
            "torchaudio==2.5.1",
            "tqdm==4.66.5",
            "transformers==4.46.2",
        ),
        imports=("sparktts", "cli.SparkTTS"),
        pythons=(11, 12),
        model="SparkAudio/Spark-TTS-0.5B",
        code_licence=APACHE,
        weights_licence="CC-BY-NC-SA-4.0",
        is_commercial=False,
        varies=True,
        sample_rate=16_000,
        max_length=400,  # 3000 tokens of 20 ms are 60 s
        languages=("en", "zh"),
        reference_text="helps",
        settings=(("temperature", 0.8), ("top_p", 0.95), ("top_k", 50), ("pace", "moderate")),
        source=CodeSource(
            "https://github.com/SparkAudio/Spark-TTS.git",
            "2f1ea9082400547242641f5271b6f941c9f439d1",
        ),
        common_settings=("pace",),
    ),
    EngineSpec(
        name="styletts2",
        title="StyleTTS 2",
        # The last PyTorch that reads the official checkpoints, which hold more than tensors.
        packages=("styletts2==0.1.6", "nltk==3.8.1", "torch==2.5.1", "torchaudio==2.5.1"),
        imports=("styletts2.tts",),
        pythons=(11, 12),
        model="yl4579/StyleTTS2-LibriTTS",
        code_licence=MIT,
        weights_licence="MIT; say that a voice is synthetic, clone with consent only",
        is_commercial=True,
        sample_rate=24_000,
        max_length=400,  # more than 420 are split by it, with another style for each part
        reference_text="unused",
        needs_reference=True,
        settings=(
            ("alpha", 0.3),
            ("beta", 0.7),
            ("diffusion_steps", 5),
            ("embedding_scale", 1.0),
        ),
    ),
    EngineSpec(
        name="xtts",
        title="XTTS v2",
        packages=(
            "coqui-tts==0.28.0",
            "torchcodec==0.17.0",  # without it the package does not start
            "six==1.17.0",  # which it imports and does not ask for
            "transformers==4.57.6",  # a newer one passes its caches by another name
            TORCH,
            "torchaudio==2.11.0",
        ),
        imports=("TTS.tts.models.xtts", "soundfile"),
        pythons=(11, 12),
        model="coqui/XTTS-v2",
        code_licence="MPL-2.0",
        weights_licence="Coqui Public Model License",
        is_commercial=False,
        varies=True,
        sample_rate=24_000,
        max_length=180,  # 250 in English, 180 and more elsewhere, else it cuts off
        speeds=(0.5, 2.0),
        languages=(
            *("en", "es", "fr", "de", "it", "pt", "pl", "tr", "ru"),
            *("nl", "cs", "ar", "zh", "hu", "ko", "ja", "hi"),
        ),
        reference_text="unused",
        settings=(("temperature", 0.75), ("top_p", 0.85), ("top_k", 50)),
    ),
    EngineSpec(
        name="vits",
        title="VITS",
        packages=("transformers==5.24.0", TORCH),
        imports=("transformers", "torch"),
        pythons=(11, 12),
        model="facebook/mms-tts-eng",
        code_licence=APACHE,
        weights_licence="CC-BY-NC-4.0",
        is_commercial=False,
        sample_rate=16_000,
        max_length=400,
        speeds=(0.5, 2.0),
        settings=(("language", "en"), ("noise_scale", 0.667), ("noise_scale_duration", 0.8)),
    ),
    EngineSpec(
        name="melotts",
        title="MeloTTS",
        packages=("torch==2.5.1", "torchaudio==2.5.1", "setuptools==80.9.0"),
        imports=("melo.api",),
        pythons=(10, 11),
        model="myshell-ai/MeloTTS-English",
        code_licence=MIT,
        weights_licence=MIT,
        is_commercial=True,
        sample_rate=44_100,
        max_length=300,
        speeds=(0.5, 2.0),
        settings=(("language", "EN"), ("sdp_ratio", 0.2), ("noise_scale", 0.6)),
        more_models=("bert-base-uncased",),  # the name that it looks for
        source=CodeSource(
            "https://github.com/myshell-ai/MeloTTS.git",
            "209145371cff8fc3bd60d7be902ea69cbdb7965a",
        ),
    ),
    EngineSpec(
        name="cosyvoice",
        title="CosyVoice",
        packages=("torch==2.3.1", "torchaudio==2.3.1", "transformers==4.51.3"),
        imports=("cosyvoice.cli.cosyvoice",),
        pythons=(10, 11),
        model="FunAudioLLM/CosyVoice2-0.5B",
        code_licence=APACHE,
        weights_licence=APACHE,
        is_commercial=True,
        varies=True,
        sample_rate=24_000,
        max_length=300,
        speeds=(0.5, 2.0),
        languages=("zh", "en", "ja", "ko", "mul"),
        reference_text="needed",  # of 30 s at most, or it fails
        settings=(("instruct", ""),),
        source=CodeSource(
            "https://github.com/FunAudioLLM/CosyVoice.git",
            "ace7c47f41bbd303aa6bf1ea80e6f9fbd595cd40",
            (".", "third_party/Matcha-TTS"),
        ),
    ),
)


def isolated_specs() -> Mapping[str, EngineSpec]:
    """All of them, by name."""
    return {spec.name: spec for spec in SPECS}
