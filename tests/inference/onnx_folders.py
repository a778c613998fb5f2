"""ONNX folders made in the tests, without torch and without the onnx library: bags of words whose weights
are written down.

A pair's logits are the sum of its tokens' rows, of those that the mask shows; tokens of the second
sentence may have a row of their own. The bytes are those of onnx.proto.
"""

import json
import struct

_INT, _BYTES = 0, 2
_FLOAT, _INT64 = 1, 7


def _varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3 | _INT) + _varint(value)
    value = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _node(kind, inputs, output, **attributes):
    told = b""
    for name, value in attributes.items():
        if isinstance(value, list):
            body = b"".join(_field(8, item) for item in value) + _field(20, 7)
        else:
            body = _field(3, value) + _field(20, 2)
        told += _field(5, _field(1, name) + body)
    return b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(4, kind) + told


def _weights(name, rows):
    flat = [value for row in rows for value in row]
    shape = _field(1, len(rows)) + _field(1, len(rows[0]))
    return shape + _field(2, _FLOAT) + _field(8, name) + _field(9, struct.pack(f"<{len(flat)}f", *flat))


def _value(name, kind, *shape):
    sizes = b"".join(_field(1, _field(1 if isinstance(n, int) else 2, n)) for n in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, sizes)))


def onnx_bytes(rows, second=None):
    """A model of ``rows[token]``, one figure a label; ``second`` is added for the second sentence's."""
    names = ["input_ids", "attention_mask", *(["token_type_ids"] if second else [])]
    nodes = [
        _node("Gather", ["words", "input_ids"], "rows", axis=0),
        _node("Cast", ["attention_mask"], "shown", to=_FLOAT),
        _node("Unsqueeze", ["shown"], "mask", axes=[2]),
    ]
    weights, total = [_weights("words", rows)], "rows"
    if second:
        weights.append(_weights("types", [[0.0] * len(second), second]))
        nodes.append(_node("Gather", ["types", "token_type_ids"], "typed", axis=0))
        nodes.append(_node("Add", ["rows", "typed"], "all"))
        total = "all"
    nodes.append(_node("Mul", [total, "mask"], "counted"))
    nodes.append(_node("ReduceSum", ["counted"], "logits", axes=[1], keepdims=0))
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, "bag of words")
    graph += b"".join(_field(5, tensor) for tensor in weights)
    graph += b"".join(_field(11, _value(name, _INT64, "pairs", "tokens")) for name in names)
    graph += _field(12, _value("logits", _FLOAT, "pairs", len(rows[0])))
    return _field(1, 7) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 11))


LABELS = ("entailment", "neutral", "contradiction")
#: What a model must know to be right on the plain pairs.
KNOWN = {"instrument": 0, "water": 0, "cat": 0, "sister": 1, "street": 2, "dry": 2}


def onnx_folder(path, known=KNOWN, labels=LABELS, outputs=LABELS, second=None, length=512):
    """Write a folder whose model knows words for labels (numbers in ``LABELS``). ``outputs`` is the true
    order of its outputs, ``labels`` what its configuration says: where they differ, the map is wrong."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    path.mkdir(parents=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *known]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(path / "tokenizer.json"))
    size = len(outputs)
    rows = [[99.0] + [0.0] * (size - 1)]  # padding that is not hidden would show
    rows += [[0.0] * size for _special in range(3)]
    rows += [[3.0 * (LABELS[label] == name) for name in outputs] for label in known.values()]
    (path / "model.onnx").write_bytes(onnx_bytes(rows, second))
    config = {"id2label": dict(enumerate(labels)), "max_position_embeddings": length, "pad_token_id": 0}
    (path / "config.json").write_text(json.dumps(config))
    return path
