"""Graphs that draw random numbers, cut so that the numbers come from a seed."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto

from audiomill.renderers.onnx.protobuf import TensorType
from audiomill.renderers.onnx.reading import OnnxModel, read_onnx
from audiomill.renderers.onnx.sessions import RunFailed, SeededModel
from audiomill.renderers.onnx.stages import GraphUnfit, NoiseCutter
from support.onnx_data import model_of


def as_read(model: ModelProto) -> OnnxModel:
    """The model as it is read from a file. All weights must be small, as the file is gone then."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return read_onnx(path)


# x, each value repeated as often as noise says, plus noise of that length: as in VITS.
STRETCHED_NOISE = model_of(
    """
    a = RandomNormalLike<dtype=1>(x)
    b = Abs(a)
    c = Add(b, two)
    lengths = Ceil(c)
    ends = CumSum(lengths, axis)
    total = ReduceSum<keepdims=0>(lengths)
    frames = Range(zero, total, one)
    column = Unsqueeze(frames, last)
    after = GreaterOrEqual(column, ends)
    after_int = Cast<to=7>(after)
    which = ReduceSum<keepdims=0>(after_int, last)
    y = Gather(x, which)
    d = RandomNormalLike<mean=0.0, scale=0.5>(y)
    output = Add(y, d)
    """,
    weights="float two={2}, float zero={0}, float one={1}, int64 axis={0}, int64[1] last={-1}",
)
STRETCHED = SeededModel(as_read(STRETCHED_NOISE), ["output", "lengths"])
TYPES = dict.fromkeys(("x", "y", "a:shape"), TensorType.FLOAT)


def seeded(model, outputs=("output",)):
    return SeededModel(as_read(model), outputs)


def stages_of(model):
    cutter = NoiseCutter(as_read(model), ["output"])
    return [cutter.stage(level, TYPES) for level in range(cutter.n_stages)]


def stretched(values, seed):
    return STRETCHED.run({"x": np.asarray(values, np.float32)}, seed)


def test_a_graph_is_cut_before_each_noise_whose_shape_must_be_awaited():
    stages = stages_of(STRETCHED_NOISE)
    assert [[noise.name for noise in stage.noises] for stage in stages] == [[], ["a"], ["d"]]
    assert stages[2].inputs == ("y",)  # nothing of the earlier stages is computed again


@given(st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=20), st.integers(0, 2**63 - 1))
def test_the_same_seed_gives_the_same_samples_to_the_last_bit(values, seed):
    first, again = stretched(values, seed), stretched(values, seed)
    stretched(values[:1], seed + 1)  # a session keeps no state from one run to the next
    assert all(np.array_equal(*pair) for pair in zip(first, again, strict=True))
    assert first[0].size == first[1].sum()


def test_another_seed_gives_other_noise():
    (one, _), (other, _) = stretched([1.0] * 50, 1), stretched([1.0] * 50, 2)
    n = min(one.size, other.size)
    assert np.mean(np.isclose(one[:n], other[:n])) < 0.05


def test_noise_has_the_mean_and_the_deviation_that_the_graph_asks_for():
    runs = [stretched([3.0] * 1000, seed) for seed in range(10)]
    noise, lengths = (np.concatenate(part) for part in zip(*runs, strict=True))
    assert noise.mean() == pytest.approx(3.0, abs=0.02)
    assert noise.std() == pytest.approx(0.5, abs=0.02)
    # The mean of ceil(2 + |z|) is 3 + sum over k >= 1 of P(|z| > k).
    assert lengths.mean() == pytest.approx(3 + 0.3173 + 0.0455 + 0.0027, abs=0.04)


def test_uniform_noise_of_a_fixed_shape_lies_between_its_bounds():
    model = model_of("u = RandomUniform<shape=[1000], low=-1.0, high=3.0>() output = Add(x, u)")
    assert len(stages_of(model)) == 1
    (values,) = seeded(model).run({"x": np.zeros(1, np.float32)}, 3)
    assert values.shape == (1000,)
    assert -1 <= values.min() < -0.9
    assert 2.9 < values.max() < 3
    assert values.mean() == pytest.approx(1, abs=0.15)


def test_nodes_may_stand_in_any_order():
    """As converters to float16 and int8 leave them."""
    model = ModelProto()
    model.CopyFrom(STRETCHED_NOISE)
    nodes = [*reversed(model.graph.node)]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    inputs = {"x": np.full(9, 2, np.float32)}
    (one,), (other,) = seeded(model).run(inputs, 3), seeded(STRETCHED_NOISE).run(inputs, 3)
    np.testing.assert_array_equal(one, other)


def test_two_places_of_a_graph_get_noise_of_their_own():
    model = model_of("a = RandomNormalLike(x) b = RandomNormalLike(x) output = Sub(a, b)")
    (values,) = seeded(model).run({"x": np.zeros(1000, np.float32)}, 3)
    assert values.std() == pytest.approx(np.sqrt(2), rel=0.1)


def test_noise_has_the_type_of_half_precision_graphs():
    nodes = "a = RandomNormalLike(x) output = Add(x, a)"
    model = model_of(nodes, inputs="float16[] x", outputs="float16[] output")
    (values,) = seeded(model).run({"x": np.zeros(9, np.float16)}, 3)
    assert values.dtype == np.float16
    assert values.any()


def test_a_graph_without_noise_is_computed_as_it_is():
    model = model_of("v = Mul(w, w) output = Add(x, v)", weights="float[1] w={3}")
    x = np.arange(4, dtype=np.float32)
    (values,) = seeded(model).run({"x": x}, 0)
    whole = onnxruntime.InferenceSession(model.SerializeToString())
    assert np.array_equal(values, whole.run(None, {"x": x})[0])
    assert [one.name for one in as_read(model).inputs] == ["x"]


def branching(inner):
    """A node that does the same in both of its branches."""
    branch = f"() => (float[] inner) {{ {inner} }}"
    return f"output = If(yes)<then_branch = yes {branch}, else_branch = no {branch}>"


def test_what_a_subgraph_reads_is_passed_on_to_its_stage():
    nodes = "early = Add(x, x) a = RandomNormalLike(early)"
    whole = f"{nodes} {branching('inner = Add(early, a)')}"
    model = model_of(whole, weights="bool yes={1}")
    (values,) = seeded(model).run({"x": np.full(1000, 2, np.float32)}, 3)
    assert values.mean() == pytest.approx(4, abs=0.15)


@pytest.mark.parametrize(
    ("nodes", "problem"),
    [
        (branching("inner = RandomNormalLike(x)"), "RandomNormalLike in a subgraph"),
        ("output = Bernoulli(x)", "draws random numbers by Bernoulli"),
        ("output = Add(x, nowhere)", "lacks nowhere"),
        ("other = Add(x, x)", "has no output"),
        ("a = Add(b, x) b = Add(a, x)", "wait for each other"),
    ],
)
def test_graphs_that_cannot_be_cut_are_refused(nodes, problem):
    with pytest.raises(GraphUnfit, match=problem):
        stages_of(model_of(nodes))


def test_inputs_of_a_wrong_rank_are_an_error_of_one_line():
    model = model_of("output = MatMul(x, x)")
    with pytest.raises(RunFailed) as error:
        seeded(model).run({"x": np.zeros((2, 3), np.float32)}, 0)
    assert "\n" not in str(error.value)
