"""Dia of transformers: `DiaForConditionalGeneration`, for example nari-labs/Dia-1.6B-0626.

Its codec (descript/dac_44khz) is part of the processor. Without a recording each text gets another
voice; a recording's text stands before the text, and its sound before the sound.

Sources: transformers/models/dia/generation_dia.py and processing_dia.py (5.24.0).
"""

import soundfile
import torch
from audiomill_worker import own_noise
from transformers import AutoProcessor, DiaForConditionalGeneration


class DiaEngine:
    clones = True
    rows_per_call = 64

    def __init__(self, model, device, settings):
        self.settings = settings
        self.processor = AutoProcessor.from_pretrained(model)
        self.model = DiaForConditionalGeneration.from_pretrained(
            model, dtype=dtype_for(settings["dtype"], device)
        )
        self.model.to(device).eval()
        self.processor.audio_tokenizer.to(device)
        self.sample_rate = self.processor.feature_extractor.sampling_rate
        self.voices = [
            {"name": name, "language": "en", "description": "another voice for each text"}
            for name in ("S1", "S2")
        ]

    def speak(self, rows):
        """Rows with the same recording go together: the length of the prompt is that of all."""
        if len({row.audio for row in rows}) > 1:
            return [samples for row in rows for samples in self.speak([row])]
        chosen = {**self.settings, **rows[0].settings}
        texts = [self.text_of(row) for row in rows]
        prompt, n_prompt = None, None
        if rows[0].audio:
            prompt = [self.recording(rows[0].audio)] * len(rows)
        inputs = self.processor(text=texts, audio=prompt, padding=True, return_tensors="pt")
        if prompt is not None:
            n_prompt = self.processor.get_audio_prompt_len(inputs["decoder_attention_mask"])
        inputs = inputs.to(self.model.device)
        longest = self.model.config.decoder_config.max_position_embeddings
        with torch.no_grad(), own_noise(rows):
            codes = self.model.generate(
                **inputs,
                do_sample=True,
                max_new_tokens=longest - inputs["decoder_input_ids"].shape[1],
                guidance_scale=chosen["guidance_scale"],
                temperature=chosen["temperature"],
                top_p=chosen["top_p"],
                top_k=chosen["top_k"],
            )
        return self.processor.batch_decode(codes, audio_prompt_len=n_prompt)

    def text_of(self, row):
        speaker = row.voice or "S1"
        heard = f"[{speaker}] {row.audio_text} " if row.audio else ""
        return f"{heard}[{speaker}] {row.text}"

    def recording(self, path):
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
        samples = torch.from_numpy(samples.mean(axis=1))
        if rate != self.sample_rate:
            length = round(len(samples) * self.sample_rate / rate)
            n_kept = min(length, len(samples)) // 2 + 1
            spectrum = torch.fft.rfft(samples)[:n_kept]
            samples = torch.fft.irfft(spectrum, length) * (self.sample_rate / rate)
        return samples.numpy()


def dtype_for(name, device):
    if name != "auto":
        return getattr(torch, name)
    return torch.bfloat16 if device == "cuda" else torch.float32


def load(model, device, settings):
    return DiaEngine(model, device, settings)
