"""A bidirectional LSTM over padded rows, all steps in one launch.

    program        rows 0 to 15, forward      ─▶ step 0 ─▶ step 1 ─▶ … the longest of its rows
    program        rows 0 to 15, backward     ─▶ from each row's own end
    program        rows 16 to 31, forward     ─▶ …

A step needs all values of the step before. One program has them at hand; several would have to wait
for each other. The state weights are read again in every step, from the second-level cache.
"""
# pyright: basic, reportArgumentType=false, reportOperatorIssue=false

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit(do_not_specialize=["n_rows", "size"])
def lstm_kernel(
    gates_ptr, weight_ptr, out_ptr, last_ptr, n_rows, size,
    HIDDEN: tl.constexpr, BLOCK_ROWS: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Run some rows in one direction. Program (block of rows, direction).

    `gates` (rows, size, 2, 4, HIDDEN) holds what the input adds to the gates, in PyTorch's order:
    input, forget, cell, output. `weight` (2, 4, HIDDEN, HIDDEN) is indexed by direction, gate,
    state before, state after. `out` (rows, size, 2, HIDDEN) is also where the next step reads the
    state.
    """
    direction = tl.program_id(1)
    row = tl.program_id(0) * BLOCK_ROWS + tl.arange(0, BLOCK_ROWS)
    last = tl.load(last_ptr + row, mask=row < n_rows, other=-1)  # step of each row
    first = row.to(tl.int64) * size
    j = tl.arange(0, HIDDEN)
    k = tl.arange(0, BLOCK_K)
    weight = weight_ptr + direction * (4 * HIDDEN * HIDDEN) + (k[:, None] * HIDDEN + j[None, :])
    cell = tl.zeros((BLOCK_ROWS, HIDDEN), tl.float32)
    for step in range(tl.max(last) + 1):
        is_real = step <= last
        has_state = (is_real & (step > 0))[:, None]
        at = first + tl.where(direction == 0, step, last - step)
        before = at + tl.where(direction == 0, -1, 1)
        gates = gates_ptr + (at * 2 + direction)[:, None] * (4 * HIDDEN) + j[None, :]
        own = is_real[:, None]
        enter = tl.load(gates, mask=own, other=0.0)
        forget = tl.load(gates + HIDDEN, mask=own, other=0.0)
        value = tl.load(gates + 2 * HIDDEN, mask=own, other=0.0)
        leave = tl.load(gates + 3 * HIDDEN, mask=own, other=0.0)
        state_ptr = out_ptr + (before * 2 + direction)[:, None] * HIDDEN + k[None, :]
        for begin in range(0, HIDDEN, BLOCK_K):
            state = tl.load(state_ptr + begin, mask=has_state, other=0.0)
            state = state.to(weight_ptr.dtype.element_ty)
            block = weight + begin * HIDDEN
            enter = tl.dot(state, tl.load(block), enter)
            forget = tl.dot(state, tl.load(block + HIDDEN * HIDDEN), forget)
            value = tl.dot(state, tl.load(block + 2 * HIDDEN * HIDDEN), value)
            leave = tl.dot(state, tl.load(block + 3 * HIDDEN * HIDDEN), leave)
        cell = _sigmoid(forget) * cell + _sigmoid(enter) * _tanh(value)
        out = out_ptr + (at * 2 + direction)[:, None] * HIDDEN + j[None, :]
        tl.store(out, _sigmoid(leave) * _tanh(cell), mask=own)
        # The next step's loads are other threads' stores of this one.
        tl.debug_barrier()


@triton.jit
def _sigmoid(x):
    return 1.0 / (1.0 + tl.exp(-x))


@triton.jit
def _tanh(x):
    """By an exponential that cannot overflow."""
    decay = tl.exp(-2.0 * tl.abs(x))
    size = (1.0 - decay) / (1.0 + decay)
    return tl.where(x < 0, -size, size)
