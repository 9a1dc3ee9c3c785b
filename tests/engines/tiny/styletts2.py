"""A StyleTTS 2 with random weights, in the files of yl4579/StyleTTS2-LibriTTS and of the project's
`Utils`. FOLDER is where. The architecture is that of the package's own configuration.
"""

import pickle
import sys
from pathlib import Path

import torch
import yaml
from nltk.tokenize.punkt import PunktSentenceTokenizer
from styletts2 import models, utils
from styletts2.Utils.ASR.models import ASRCNN
from styletts2.Utils.JDC.model import JDCNet
from styletts2.Utils.PLBERT.util import CustomAlbert
from transformers import AlbertConfig

SHORT = -3.0  # of the logits of durations, which would be half a second for each phoneme

folder = Path(sys.argv[1])
torch.manual_seed(1)
package = Path(models.__file__).parent
config = yaml.safe_load((package / "Configs" / "config_libritts.yml").read_text())
target = folder / "Models" / "LibriTTS"
target.mkdir(parents=True)
(target / "config.yml").write_text(yaml.safe_dump(config))
for name in ("ASR", "JDC", "PLBERT"):
    (folder / "Utils" / name).mkdir(parents=True)
asr_config = (package / "Utils" / "ASR" / "config.yml").read_text()
(folder / "Utils" / "ASR" / "config.yml").write_text(asr_config)
asr = ASRCNN(**yaml.safe_load(asr_config)["model_params"])
torch.save({"model": asr.state_dict()}, folder / "Utils" / "ASR" / "epoch_00080.pth")
pitch = JDCNet(num_class=1, seq_len=192)
torch.save({"net": pitch.state_dict()}, folder / "Utils" / "JDC" / "bst.t7")
bert_config = (package / "Utils" / "PLBERT" / "config.yml").read_text()
(folder / "Utils" / "PLBERT" / "config.yml").write_text(bert_config)
bert = CustomAlbert(AlbertConfig(**yaml.safe_load(bert_config)["model_params"]))
saved = {f"module.encoder.{name}": value for name, value in bert.state_dict().items()}
saved["module.encoder.embeddings.position_ids"] = torch.arange(512)[None]
torch.save({"net": saved}, folder / "Utils" / "PLBERT" / "step_1000000.t7")
parts = models.build_model(utils.recursive_munch(config["model_params"]), asr, pitch, bert)
with torch.no_grad():
    parts.predictor.duration_proj.linear_layer.bias.fill_(SHORT)
    for encoder in (parts.style_encoder, parts.predictor_encoder):
        for _ in range(20):  # its spectral norms are found by iteration, while it trains
            encoder.train()(torch.randn(1, 1, 80, 200))
net = {name: part.state_dict() for name, part in parts.items()}
torch.save({"net": net}, target / "epochs_2nd_00020.pth")
punkt = folder / "nltk_data" / "tokenizers" / "punkt" / "PY3"
punkt.mkdir(parents=True)
(punkt / "english.pickle").write_bytes(pickle.dumps(PunktSentenceTokenizer()))
