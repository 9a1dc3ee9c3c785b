"""The arguments for cuDNN's flattening of LSTM weights. Only a GPU shows that it accepts them."""

import torch

from audiomill.renderers.kokoro.model.layers import BiLSTM


def test_each_direction_has_a_buffer_of_its_own(monkeypatch):
    flattened = []

    def flatten(*positional, **named):
        flattened.append((positional, named))

    monkeypatch.setattr(torch.backends.cudnn, "is_acceptable", lambda _: True)
    monkeypatch.setattr(torch, "_use_cudnn_rnn_flatten_weight", lambda: True)
    monkeypatch.setattr(torch, "_cudnn_rnn_flatten_weight", flatten)
    lstm = BiLSTM(3, 8)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    for (positional, named), direction in zip(flattened, ("", "_reverse"), strict=True):
        weights, *sizes = positional
        wanted = [getattr(lstm, f"{name}_l0{direction}") for name in names]
        assert all(one is other for one, other in zip(weights, wanted, strict=True))
        schema = torch.ops.aten._cudnn_rnn_flatten_weight.default._schema.arguments
        arguments = dict(zip([one.name for one in schema][1:], sizes, strict=False)) | named
        assert arguments == {
            "weight_stride0": 4,
            "input_size": 3,
            "mode": 2,
            "hidden_size": 4,
            "proj_size": 0,
            "num_layers": 1,
            "batch_first": True,
            "bidirectional": False,
        }


def test_on_a_cpu_weights_are_not_moved():
    lstm = BiLSTM(3, 8)
    before = [one.data_ptr() for one in lstm.parameters()]
    lstm.flatten_parameters()
    assert [one.data_ptr() for one in lstm.parameters()] == before
