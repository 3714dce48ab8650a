#!/usr/bin/python3
"""Writes the random numbers that PyTorch draws, as .case files beside this script.

usage: python3 make_random.py        (needs torch; the files kept here are of PyTorch 1.13 on a CPU)
"""
import os
import numpy as np
import torch
from torch import nn

FOLDER = os.path.dirname(os.path.abspath(__file__))
SEEDS = (0, 1, 42, 2**32 + 5, 2**64 - 1)
NORMAL_SIZES = (1, 2, 5, 15, 16, 17, 31, 32, 48, 100)
EXACT = (0, 0)
NORMAL = (5e-7, 0)  # PyTorch approximates logarithm, sine and cosine, each processor in its way


def write(name, op, attrs, outputs, tolerance, comment):
    """outputs: pairs of a name and a tensor."""
    lines = [f"# {comment}", f"case {name}", f"op {op}", f"source pytorch-{torch.__version__.split('a')[0]}"]
    lines += [f"attr {key} {value}" for key, value in attrs.items()]
    lines.append(f"tolerance {tolerance[0]:g} {tolerance[1]:g}")
    for output, tensor in outputs:
        array = tensor.detach().numpy()
        lines.append(" ".join(["output", output, array.dtype.name, str(array.ndim)] + [str(d) for d in array.shape]))
        for row in array.reshape(-1, array.shape[-1]):
            lines.append(" ".join(str(x) for x in row))  # numpy writes the shortest decimal that reads back the same
    lines.append("end")
    with open(os.path.join(FOLDER, name + ".case"), "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(lines) + "\n")


def uniforms():
    for seed in SEEDS:
        outputs = []
        for name, low, high in (("unit", 0.0, 1.0), ("wide", -3.0, 5.0), ("tenth", -0.1, 0.1), ("above", 0.3, 0.7)):
            torch.manual_seed(seed)
            outputs.append((name, torch.empty(37).uniform_(low, high)))
        write(f"uniform_seed_{seed}", "Uniform", {"seed": seed}, outputs, EXACT,
              "torch.manual_seed(seed) before each: unit 0 to 1, wide -3 to 5, tenth -0.1 to 0.1, above 0.3 to 0.7")


def normals():
    for seed in SEEDS:
        outputs = []
        for size in NORMAL_SIZES:
            torch.manual_seed(seed)
            outputs.append((f"n{size}", torch.randn(size)))
        write(f"normal_seed_{seed}", "Normal", {"seed": seed}, outputs, NORMAL,
              "torch.manual_seed(seed) before each: torch.randn(1), torch.randn(2), ...")


def one_after_another():
    """Fewer than 16 normals leave a spare one behind. It waits for the next short call, whatever is drawn in between."""
    torch.manual_seed(7)
    outputs = [("randn3", torch.randn(3)), ("rand2", torch.rand(2)), ("randn16", torch.randn(16)),
               ("randn4", torch.randn(4)), ("randn21", torch.randn(21)), ("randn2", torch.randn(2)),
               ("randn1", torch.randn(1)), ("rand3", torch.rand(3))]
    write("one_after_another", "DrawnInOrder", {"seed": 7}, outputs, NORMAL,
          "one torch.manual_seed(seed), then these in order")


def linears():
    for inputs, out in ((1, 3), (3, 5), (10, 7), (64, 2)):
        torch.manual_seed(3)
        layer = nn.Linear(inputs, out)
        write(f"linear_{inputs}_to_{out}", "Linear", {"seed": 3}, [("weight", layer.weight), ("bias", layer.bias)],
              EXACT, "nn.Linear(in, out), weight [out, in]")


def lesson_weights():
    """The weights of the lessons, in the order in which the lessons draw them."""
    for seed, d_model in ((0, 16), (7, 16), (0, 512)):
        torch.manual_seed(seed)
        embedding = nn.Embedding(256, d_model)
        query = nn.Linear(d_model, d_model, bias=False)
        key = nn.Linear(d_model, d_model, bias=False)
        value = nn.Linear(d_model, d_model, bias=False)
        output = nn.Linear(d_model, d_model)
        outputs = []
        for name, table in (("embedding_table", embedding.weight), ("W_Q", query.weight), ("W_K", key.weight),
                            ("W_V", value.weight), ("W_O", output.weight)):
            rows, columns = table.shape
            if name == "embedding_table":
                outputs += [(name + ".first_rows", table[:7, :16]), (name + ".last_rows", table[rows - 3:, columns - 16:])]
            elif d_model == 16:
                outputs.append((name, table))
            else:
                outputs += [(name + ".first_rows", table[:2, :16]), (name + ".last_rows", table[rows - 2:, columns - 16:])]
            outputs.append((name + ".row_sums", table.double().sum(1)))
        outputs.append(("b_O", output.bias))
        write(f"lesson_weights_seed_{seed}_d_model_{d_model}", "LessonWeights", {"seed": seed, "d_model": d_model},
              outputs, NORMAL,
              "first_rows: the first columns of the first rows; last_rows: the last columns of the last; row_sums in double")


uniforms()
normals()
one_after_another()
linears()
lesson_weights()
