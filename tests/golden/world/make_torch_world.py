#!/usr/bin/python3
"""Writes what PyTorch computes for the torch world, from text to attention's output, as .case files beside this script.

usage: python3 make_torch_world.py        (needs torch; the files kept here are of PyTorch 1.13 on a CPU)

The ids are rows of the vocabulary. Where its words change, tests/lessons/world_test.cpp fails and says the new ids.
"""
import os
import torch
from torch import nn

FOLDER = os.path.dirname(os.path.abspath(__file__))


def sinusoids(seq_len, d_model):
    positions = torch.arange(seq_len, dtype=torch.float64)[:, None]
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = positions / 10000 ** (even / d_model)
    table = torch.zeros(seq_len, d_model, dtype=torch.float64)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, :d_model // 2].cos()
    return table.float()


def torch_world(ids, seed, d_model, num_heads, causal):
    seq_len = len(ids)

    torch.manual_seed(seed)
    embedding = nn.Embedding(256, d_model)
    query_linear = nn.Linear(d_model, d_model, bias=False)
    key_linear = nn.Linear(d_model, d_model, bias=False)
    value_linear = nn.Linear(d_model, d_model, bias=False)
    output_linear = nn.Linear(d_model, d_model)

    embeddings = embedding(ids)
    x = embeddings + sinusoids(seq_len, d_model)
    q, k, v = query_linear(x), key_linear(x), value_linear(x)

    def split(t):
        return t.view(seq_len, num_heads, d_model // num_heads).transpose(0, 1)

    scores = split(q) @ split(k).transpose(-2, -1) / (d_model // num_heads) ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(seq_len, seq_len).tril() == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    concat = (weights @ split(v)).transpose(0, 1).reshape(seq_len, d_model)
    return [("embeddings", embeddings), ("X", x), ("Q", q), ("K", k), ("V", v), ("weights", weights),
            ("concat", concat), ("output", output_linear(concat))]


def tensor_lines(role, name, tensor):
    array = tensor.detach().numpy()
    yield " ".join([role, name, array.dtype.name, str(array.ndim)] + [str(d) for d in array.shape])
    for row in array.reshape(-1, array.shape[-1]):
        yield " ".join(str(value) for value in row)  # the shortest decimal that reads back the same


def write(name, text, ids, seed, d_model, num_heads, causal=False):
    ids = torch.tensor(ids)
    outputs = torch_world(ids, seed, d_model, num_heads, causal)
    lines = ["# in the text, _ stands for a space; weights are [head, query, key]", f"case {name}", "op TorchWorld",
             f"source pytorch-{torch.__version__.split('a')[0]}", f"attr text {text.replace(' ', '_')}",
             f"attr seed {seed}", f"attr d_model {d_model}", f"attr num_heads {num_heads}",
             f"attr mask {'causal' if causal else 'none'}", "tolerance 1e-05 1e-05"]
    lines += tensor_lines("input", "ids", ids)
    for output, tensor in outputs:
        lines += tensor_lines("output", output, tensor)
    lines.append("end")
    with open(os.path.join(FOLDER, name + ".case"), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


CAT = [14, 54, 128, 28, 14, 80, 1]
TEA = [46, 130, 23, 81, 189, 46, 166, 127, 1]
ZEBRA = [14, 203, 204, 15, 205, 2, 14, 203]
write("cat_seed_0", "the cat sat on the mat.", CAT, 0, 16, 4)
write("cat_seed_1_causal", "The cat sat on the mat.", CAT, 1, 10, 5, causal=True)
write("tea_seed_7_wide", "He drank his tea because he was thirsty.", TEA, 7, 64, 8)
write("new_words_large_seed", "the zebra greeted a zeppelin, the zebra", ZEBRA, 2**32 + 5, 6, 2)
