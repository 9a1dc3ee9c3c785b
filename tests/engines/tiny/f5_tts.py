"""An F5-TTS with random weights, in the files of SWivid/F5-TTS, and a vocoder in those of
charactr/vocos-mel-24khz. FOLDER is where; the vocoder is beside it, FOLDER-vocoder.

The architecture is the package's own F5TTS_v1_Small, whose configuration it brings.
"""

import shutil
import sys
from importlib.resources import files
from pathlib import Path

import torch
from f5_tts.infer.utils_infer import hop_length, n_fft, n_mel_channels, win_length
from f5_tts.model import CFM, DiT
from f5_tts.model.utils import get_tokenizer
from omegaconf import OmegaConf
from safetensors.torch import save_file
from vocos import Vocos

NAME = "F5TTS_v1_Small"
VOCODER = """
feature_extractor:
  class_path: vocos.feature_extractors.MelSpectrogramFeatures
  init_args: {sample_rate: 24000, n_fft: 1024, hop_length: 256, n_mels: 100, padding: center}
backbone:
  class_path: vocos.models.VocosBackbone
  init_args: {input_channels: 100, dim: 32, intermediate_dim: 64, num_layers: 2}
head:
  class_path: vocos.heads.ISTFTHead
  init_args: {dim: 32, n_fft: 1024, hop_length: 256, padding: center}
"""

folder = Path(sys.argv[1])
inner = folder / NAME
inner.mkdir(parents=True)
torch.manual_seed(1)
vocab = str(files("f5_tts").joinpath("infer/examples/vocab.txt"))
shutil.copy(vocab, inner / "vocab.txt")
letters, size = get_tokenizer(vocab, "custom")
chosen = OmegaConf.load(str(files("f5_tts").joinpath(f"configs/{NAME}.yaml"))).model
model = CFM(
    transformer=DiT(**chosen.arch, text_num_embeds=size, mel_dim=n_mel_channels),
    mel_spec_kwargs={
        "n_fft": n_fft,
        "hop_length": hop_length,
        "win_length": win_length,
        "n_mel_channels": n_mel_channels,
        "target_sample_rate": 24000,
        "mel_spec_type": "vocos",
    },
    vocab_char_map=letters,
)
with torch.no_grad():  # it begins as a model that changes nothing: all of its gates are zero
    for parameter in model.parameters():
        if not parameter.any():
            parameter.normal_(std=0.02)
weights = {f"ema_model.{name}": value.contiguous() for name, value in model.state_dict().items()}
weights |= {"initted": torch.tensor(True), "step": torch.tensor(1)}
save_file(weights, inner / "model_1250000.safetensors")
vocoder = folder.with_name(f"{folder.name}-vocoder")
vocoder.mkdir()
(vocoder / "config.yaml").write_text(VOCODER)
torch.save(
    Vocos.from_hparams(str(vocoder / "config.yaml")).state_dict(), vocoder / "pytorch_model.bin"
)
