"""Small ONNX graphs, as exporters write them, in ONNX's own words."""

from onnx import ModelProto, parser


def model_of(
    nodes: str,
    *,
    inputs: str = "float[] x",
    outputs: str = "float[] output",
    weights: str = "",
    opset: int = 15,
) -> ModelProto:
    """A model with these nodes, in the text form of https://onnx.ai/onnx/repo-docs/Syntax.html."""
    known = f"<{weights}>" if weights else ""
    versions = f'<ir_version: 8, opset_import: ["": {opset}]>'
    return parser.parse_model(f"{versions} graph ({inputs}) => ({outputs}) {known} {{ {nodes} }}")
