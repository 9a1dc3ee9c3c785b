"""PL-BERT: an ALBERT that encodes phonemes (arXiv 1909.11942, 2301.08810). Knows no sound.

One layer's weights serve all twelve layers. Modules are named as in the official checkpoint, whose
names are those of transformers' `AlbertModel`. The checkpoint also holds a pooler, which is unused.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from audiomill.renderers.kokoro.model.config import BertConfig
from audiomill.renderers.kokoro.model.layers import embedding
from audiomill.renderers.kokoro.model.padding import PaddingMask

EMBEDDING = 128  # channels of the embeddings, before they are projected to the hidden size
EPS = 1e-12  # of every layer norm


class Bert(nn.Module):
    """Encodes each phoneme as one vector."""

    def __init__(self, n_token: int, config: BertConfig) -> None:
        super().__init__()
        self.embeddings = _Embeddings(n_token, config.max_position_embeddings)
        self.encoder = _Encoder(config)
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, tokens: Tensor, mask: PaddingMask) -> Tensor:
        """Token numbers (B, T) to vectors (B, T, hidden)."""
        return self.encoder(self.embeddings(tokens), mask.attention_mask())


class _Embeddings(nn.Module):
    """Token, position and type embeddings, summed and normalised, (B, T, EMBEDDING)."""

    def __init__(self, n_token: int, n_positions: int) -> None:
        super().__init__()
        self.word_embeddings = embedding(n_token, EMBEDDING)
        self.position_embeddings = embedding(n_positions, EMBEDDING)
        self.token_type_embeddings = embedding(2, EMBEDDING)
        self.LayerNorm = nn.LayerNorm(EMBEDDING, eps=EPS)

    def forward(self, tokens: Tensor) -> Tensor:
        positions = self.position_embeddings.weight[: tokens.shape[1]]
        embedded = self.word_embeddings(tokens) + self.token_type_embeddings.weight[0] + positions
        return self.LayerNorm(embedded)


class _Encoder(nn.Module):
    """The one shared layer, applied `num_hidden_layers` times."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.embedding_hidden_mapping_in = nn.Linear(EMBEDDING, config.hidden_size)
        self.albert_layer_groups = nn.ModuleList([_Group(config)])
        self._n_layers = config.num_hidden_layers

    def forward(self, embedded: Tensor, attention_mask: Tensor | None) -> Tensor:
        x = self.embedding_hidden_mapping_in(embedded)
        for _ in range(self._n_layers):
            x = self.albert_layer_groups[0](x, attention_mask)
        return x


class _Group(nn.Module):
    """A group of one layer: a level that the checkpoint's names have."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.albert_layers = nn.ModuleList([_Layer(config)])

    def forward(self, x: Tensor, attention_mask: Tensor | None) -> Tensor:
        return self.albert_layers[0](x, attention_mask)


class _Layer(nn.Module):
    """Self-attention and a feed-forward network, each with a residual and a layer norm after it."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.attention = _Attention(config.hidden_size, config.num_attention_heads)
        self.ffn = nn.Linear(config.hidden_size, config.intermediate_size)
        self.ffn_output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.full_layer_layer_norm = nn.LayerNorm(config.hidden_size, eps=EPS)

    def forward(self, x: Tensor, attention_mask: Tensor | None) -> Tensor:
        x = self.attention(x, attention_mask)
        intermediate = F.gelu(self.ffn(x), approximate="tanh")
        return self.full_layer_layer_norm(self.ffn_output(intermediate) + x)


class _Attention(nn.Module):
    def __init__(self, hidden: int, n_heads: int) -> None:
        super().__init__()
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.dense = nn.Linear(hidden, hidden)
        self.LayerNorm = nn.LayerNorm(hidden, eps=EPS)
        self._n_heads = n_heads

    def forward(self, x: Tensor, attention_mask: Tensor | None) -> Tensor:
        query, key, value = (
            self._split_heads(project(x)) for project in (self.query, self.key, self.value)
        )
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask)
        return self.LayerNorm(x + self.dense(attended.transpose(1, 2).flatten(2)))

    def _split_heads(self, x: Tensor) -> Tensor:
        """(B, T, hidden) to (B, heads, T, hidden / heads)."""
        return torch.unflatten(x, -1, (self._n_heads, -1)).transpose(1, 2)
