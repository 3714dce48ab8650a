#!/usr/bin/python3
"""Writes what PyTorch's encoder and decoder layers compute, as .case files beside this script.

usage: python3 make_layers.py        (needs torch; the files kept here are of PyTorch 1.13 on a CPU)

All learnt numbers are drawn anew, biases and norms too: as PyTorch starts them, with 0 and 1, a forgotten one would not
show. Masks are bool, 1 where a key is ignored, as nn.Transformer has them.
"""
import os
import torch
from torch import nn

FOLDER = os.path.dirname(os.path.abspath(__file__))
# Floats differ where sums run in another order. The farthest that float32 is from the same layer in float64 is printed
# for each case: 2e-6 at most, so 1e-5 leaves room for sums in yet another order.
TOLERANCE = (1e-5, 1e-5)


def causal(size):
    return torch.ones(size, size).triu(1).bool()


def padding(size, lengths):
    """[batch, size]: 1 from a sentence's length on."""
    return torch.arange(size)[None, :] >= torch.tensor(lengths)[:, None]


def draw(layer):
    for name, numbers in layer.named_parameters():
        with torch.no_grad():
            numbers.uniform_(-0.7, 0.7)
            if name.startswith("norm") and name.endswith("weight"):
                numbers += 1
    return layer.eval()  # no dropout


def layer_of(kind, size):
    return kind(size["d_model"], size["num_heads"], size["dim_feedforward"], dropout=0.3,
                activation=size["activation"], layer_norm_eps=size["layer_norm_eps"], batch_first=True,
                norm_first=bool(size["norm_first"]))


def decoder_parts(layer, tgt, memory, masks):
    """After the self-attention and after the cross-attention, each with its sum and norm."""
    attend = lambda x: layer._sa_block(x, masks.get("tgt_mask"), masks.get("tgt_key_padding_mask"))
    look = lambda x: layer._mha_block(x, memory, masks.get("memory_mask"), masks.get("memory_key_padding_mask"))
    if layer.norm_first:
        y = tgt + attend(layer.norm1(tgt))
        return y, y + look(layer.norm2(y))
    y = layer.norm1(tgt + attend(tgt))
    return y, layer.norm2(y + look(y))


def compute(layer, inputs, masks):
    # With gradients on, PyTorch takes its plain path, where padding changes nothing in other rows' arithmetic.
    if "memory" not in inputs:
        return {"output": layer(inputs["src"], masks.get("src_mask"), masks.get("src_key_padding_mask"))}
    y, z = decoder_parts(layer, inputs["tgt"], inputs["memory"], masks)
    return {"y": y, "z": z, "output": layer(inputs["tgt"], inputs["memory"], **masks)}


def tensor_lines(role, name, tensor):
    array = tensor.detach().numpy()
    bools = array.dtype.name == "bool"
    yield " ".join([role, name, array.dtype.name, str(array.ndim)] + [str(d) for d in array.shape])
    for row in array.reshape(-1, array.shape[-1]):
        yield " ".join(str(int(x)) if bools else str(x) for x in row)  # the shortest decimal that reads back the same


def write(name, comment, seed, kind, size, inputs, masks=None):
    masks = masks or {}
    torch.manual_seed(seed)
    layer = draw(layer_of(kind, size))
    inputs = {key: torch.rand(shape) * 4 - 2 for key, shape in inputs.items()}
    outputs = compute(layer, inputs, masks)

    twice = layer_of(kind, size).double().eval()
    twice.load_state_dict(layer.state_dict())
    in_double = compute(twice, {key: x.double() for key, x in inputs.items()}, masks)
    apart = max((outputs[key].double() - in_double[key]).abs().max().item() for key in outputs)
    print(f"{name}: float32 is within {apart:.1e} of float64")

    op = "TransformerDecoderLayer" if "memory" in inputs else "TransformerEncoderLayer"
    lines = [f"# torch.nn.{op}, {comment}; masks: 1 = ignored", f"case {name}", f"op {op}",
             f"source pytorch-{torch.__version__.split('a')[0]}"]
    lines += [f"attr {key} {value}" for key, value in size.items()]
    lines.append(f"tolerance {TOLERANCE[0]:g} {TOLERANCE[1]:g}")
    for role, tensors in (("input", {**inputs, **masks, **layer.state_dict()}), ("output", outputs)):
        for key, tensor in tensors.items():
            lines += tensor_lines(role, key, tensor)
    lines.append("end")
    with open(os.path.join(FOLDER, name + ".case"), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def size(d_model, num_heads, dim_feedforward, activation, norm_first, layer_norm_eps=1e-05):
    return {"d_model": d_model, "num_heads": num_heads, "dim_feedforward": dim_feedforward, "activation": activation,
            "norm_first": norm_first, "layer_norm_eps": layer_norm_eps}


encoder, decoder = nn.TransformerEncoderLayer, nn.TransformerDecoderLayer

write("enc_prenorm_relu", "pre-norm", 1, encoder, size(6, 2, 5, "relu", 1), {"src": (2, 3, 6)})
write("enc_prenorm_gelu_causal", "pre-norm, causal", 2, encoder, size(10, 5, 7, "gelu", 1), {"src": (1, 4, 10)},
      {"src_mask": causal(4)})
write("enc_prenorm_gelu_padding", "pre-norm, sentences of 5, 2 and 3 words", 3, encoder,
      size(9, 3, 11, "gelu", 1, 1e-12), {"src": (3, 5, 9)}, {"src_key_padding_mask": padding(5, (5, 2, 3))})
write("enc_postnorm_relu_causal", "post-norm, causal", 4, encoder, size(7, 1, 9, "relu", 0), {"src": (2, 5, 7)},
      {"src_mask": causal(5)})

write("dec_postnorm_relu", "post-norm, causal, fewer words than in the source", 5, decoder, size(6, 2, 5, "relu", 0),
      {"tgt": (2, 3, 6), "memory": (2, 5, 6)}, {"tgt_mask": causal(3)})
write("dec_postnorm_gelu", "post-norm, causal, more words than in the source", 6, decoder,
      size(10, 5, 7, "gelu", 0, 1e-12), {"tgt": (1, 4, 10), "memory": (1, 2, 10)}, {"tgt_mask": causal(4)})
write("dec_prenorm_relu", "pre-norm, causal, more words than in the source", 7, decoder, size(7, 1, 9, "relu", 1),
      {"tgt": (2, 5, 7), "memory": (2, 3, 7)}, {"tgt_mask": causal(5)})
write("dec_prenorm_gelu", "pre-norm, causal, fewer words than in the source", 8, decoder,
      size(9, 3, 11, "gelu", 1, 0.1), {"tgt": (1, 3, 9), "memory": (1, 7, 9)}, {"tgt_mask": causal(3)})
write("dec_postnorm_relu_padding", "post-norm, causal, sentences of unequal lengths on both sides", 9, decoder,
      size(8, 4, 3, "relu", 0), {"tgt": (3, 4, 8), "memory": (3, 5, 8)},
      {"tgt_mask": causal(4), "tgt_key_padding_mask": padding(4, (2, 4, 1)),
       "memory_key_padding_mask": padding(5, (5, 1, 3))})
write("dec_prenorm_gelu_padding", "pre-norm, causal, sentences of unequal lengths on both sides", 10, decoder,
      size(6, 3, 13, "gelu", 1), {"tgt": (2, 5, 6), "memory": (2, 4, 6)},
      {"tgt_mask": causal(5), "tgt_key_padding_mask": padding(5, (5, 3)),
       "memory_key_padding_mask": padding(4, (2, 4))})
write("dec_postnorm_gelu_memory_mask", "post-norm, nothing hidden among the words, some of the source from each", 11,
      decoder, size(4, 2, 6, "gelu", 0), {"tgt": (2, 3, 4), "memory": (2, 4, 4)},
      {"memory_mask": torch.tensor([[0, 1, 0, 1], [1, 0, 0, 0], [0, 0, 1, 1]]).bool()})
write("dec_prenorm_relu_one_word", "pre-norm, one word and a source of one word", 12, decoder, size(5, 5, 2, "relu", 1),
      {"tgt": (1, 1, 5), "memory": (1, 1, 5)}, {"tgt_mask": causal(1)})
