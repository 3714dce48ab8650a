"""The PyTorch lines of a page, run: they print the numbers of the trace.

usage: pytorch_lines_test.py LESSONS_FOLDER      exit status 77: no PyTorch here, nothing was tested
"""

import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print("skipped: this Python has no torch")
    sys.exit(77)

LESSONS = sys.argv[1]
TOLERANCE = 1e-4

TEXTS = [
    "the cat sat on the mat.",
    "He drank his tea because he was thirsty.",
    "The quick brown fox jumps over the lazy dog.",
    "cat",
    "?",
    "Kedi paspasın üstüne oturdu.",
    "she said \"a [b], c#2\" = 9 + 9",
    "The zorblax quickly ate 9 teas while it was happy and the others were thirsty too.",
    " ".join("the quick brown fox and the lazy dog".split() * 8),
    " ".join(f"zq{a}{b}" for a in "abcdefghij" for b in "abcdefg"),
]


def option_sets():
    for text in TEXTS:
        for mask in ["none", "causal"]:
            for positions in ["sinusoidal", "none"]:
                common = ["--text", text, "--mask", mask, "--positions", positions]
                yield common
                yield common + ["--weights", "torch", "--seed", "3"]
    for head in ["1", "2", "3", "4"]:
        yield ["--head", head]
        yield ["--head", head, "--weights", "torch"]
        yield ["--head", head, "--width", "60", "--mask", "causal"]
    for d_model, heads in [("1", "1"), ("2", "1"), ("3", "1"), ("4", "2"), ("5", "1"), ("12", "3"), ("64", "8")]:
        yield ["--weights", "torch", "--d-model", d_model, "--heads", heads, "--head", heads]
        yield ["--weights", "torch", "--d-model", d_model, "--heads", heads, "--positions", "none", "--width", "60"]
    for seed in ["1", "4294967296", "4294967301", "18446744073709551615"]:
        yield ["--weights", "torch", "--seed", seed]
    yield ["--weights", "torch", "--d-model", "512", "--heads", "8"]
    yield ["--weights", "torch", "--d-model", "512", "--heads", "8", "--mask", "causal", "--width", "60"]
    yield ["--ascii"]
    yield ["--ascii", "--weights", "torch", "--mask", "causal"]


def run(lesson, options):
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    ran = subprocess.run([os.path.join(LESSONS, lesson), *options], capture_output=True, env=environment)
    if ran.returncode != 0:
        raise SystemExit(f"{lesson} {options} failed: {ran.stderr.decode()}")
    return ran.stdout.decode()


def lines_of(page):
    """What stands beside the label PyTorch, as one would copy it."""
    lines = []
    for line in page.splitlines():
        if line.startswith(" PyTorch"):
            lines.append(line[10:])
        elif lines and line.startswith(" " * 10):
            lines.append(line[10:])
        elif lines:
            break
    return "\n".join(lines)


def printed_tensors(code):
    """Runs the lines in a Python of their own, and reads the tensors that they print."""
    prefix = "import torch\ntorch.set_printoptions(precision=8, threshold=10**9, linewidth=10**6, sci_mode=False)\n"
    ran = subprocess.run([sys.executable, "-c", prefix + code], capture_output=True, text=True)
    if ran.returncode != 0:
        raise AssertionError(f"the lines fail: {ran.stderr.strip().splitlines()[-1]}\n{code}")
    text = re.sub(r",?\s*grad_fn=<[^>]*>", "", ran.stdout)
    text = re.sub(r"(\d\.)(?=[,\]\s])", r"\g<1>0", text)  # 0. is no number of JSON
    text = re.sub(r"\binf\b", "Infinity", re.sub(r"\bnan\b", "NaN", text))
    tensors = re.findall(r"tensor\((\[.*?\])\)", text, re.DOTALL)
    return [torch.tensor(json.loads(tensor)) for tensor in tensors]


def printed_here(code):
    """The same without a new process: a new Python and torch for each page would take minutes."""
    seen = []

    def note(*printed):  # a speed is no tensor
        seen.extend(thing.detach() for thing in printed if torch.is_tensor(thing))

    exec(compile(code, "page", "exec"), {"print": note})
    return seen


def row_sums(tensor):
    return tensor.sum(-1)


def hundred_more_raised(tensor):
    return (tensor + 100).exp()


def rows_of_layer(trace):
    """The rows of the followed word; where there is no other word, the matrices."""
    prefix = "through." if any(step["name"] == "through.norm_1" for step in trace["steps"]) else ""
    return [prefix + "norm_1", prefix + "output"]


def names_for(lesson, trace):
    """The steps that the lines of a lesson print, in order: a name, or a name and what is made of it. Every lesson has
    its row here."""
    options = trace["options"]
    if lesson == "00_tour":  # the followed head's weights, then its context or all heads' output
        prefix = "" if options["heads"] == 1 else f"head{options['head']}."
        return [prefix + "weights", prefix + "context" if options["weights"] == "crafted" else "output"]
    rows = {
        "01_tokenize": ["tokens"],
        "02_embed": ["embeddings", "product"],
        "03_positions": ["X"],
        "04_query_key_value": ["Q", "K", "V"],
        "05_scores": ["scores"],
        "06_scaling": ["scaled", "variance"],
        "07_softmax": ["weights", ("weights", row_sums), ("wrong_axis", row_sums), ("masked", hundred_more_raised)],
        "08_mask": ["weights", "weights"],
        "09_weighted_sum": ["context"],
        "10_multi_head": ["split", "wrong"],
        "11_concat": ["merged", "wrong"],
        "12_output_projection": ["output"],
        "13_three_kinds": ["cross.weights"],
        "14_module": ["head_weights" if options.get("weights") == "crafted" else "output"],
        "15_mask_lab": ["masked", "by_adding", "as_nan", "habit"],
        "16_additive": ["weights", "context"],
        "17_shared_heads": ["gqa.weights", "gqa.context"],
        "18_cache": ["context", "context"],
        "19_relative_positions": (["rotary"] if options["d_model"] > options["heads"] else [])
        + [("nearer", lambda heads: heads[options["head"] - 1])],
        "25_blocked_matmul": None,  # they run, and print a speed
        "26_threads": ["speedup"],
        "27_online_softmax": ["online", "whole"],
        "20_layer": rows_of_layer(trace) if options["weights"] == "crafted" else ["output", "pre.output"],
    }
    if lesson not in rows:
        raise LookupError("which steps do its PyTorch lines print? Give it a row in names_for of pytorch_lines_test.py")
    return rows[lesson]


def weights_files(folder):
    """Files of weights, as a reader has them: of each world, and changed by hand so that no weight is like another."""
    for world in [["--weights", "crafted"], ["--weights", "torch", "--d-model", "6", "--heads", "2"]]:
        saved = os.path.join(folder, f"saved {len(world)}.txt")
        run("00_tour", world + ["--save-weights", saved])
        yield saved
        with open(saved, encoding="utf-8") as file:
            lines = file.readlines()
        for k, line in enumerate(lines):
            words = line.split("#")[0].split()
            if len(words) > 3:  # a row
                changed = [f"{float(word) + 0.001 * ((7 * k + 3 * j) % 11):.6f}" for j, word in enumerate(words)]
                lines[k] = " ".join(changed) + "\n"
        edited = os.path.join(folder, f"edited {len(world)}.txt")
        with open(edited, "w", encoding="utf-8") as file:
            file.writelines(lines)
        yield edited


def check(lesson, options, run_lines):
    page = run(lesson, options)
    trace = json.loads(run(lesson, options + ["--face", "json"]))
    steps = {step["name"]: step for step in trace["steps"]}
    code = lines_of(page)
    got = run_lines(code)
    want = names_for(lesson, trace)
    if want is None:
        return None
    if len(got) != len(want):
        return f"{len(got)} tensors are printed, not {len(want)}"
    for name, tensor in zip(want, got):
        name, made_of_it = (name, None) if isinstance(name, str) else name
        expected = torch.tensor([float(x) for x in steps[name]["values"]]).reshape(steps[name]["shape"])
        if made_of_it:
            expected = made_of_it(expected)
        if tensor.shape != expected.shape:
            return f"{name} is {list(tensor.shape)} in PyTorch, {list(expected.shape)} here"
        if not torch.allclose(tensor.float(), expected, rtol=1e-4 if made_of_it else 0, atol=TOLERANCE, equal_nan=True):
            return f"{name} differs by {(tensor - expected).abs().max():.2g}"
    return None


def main():
    failed = 0
    count = 0
    # A few as a reader does it, in a new Python; the many in this one. Lessons besides the tour with fewer options.
    own_process = [[], ["--weights", "torch"], ["--text", TEXTS[1], "--mask", "causal"]]
    cases = [("00_tour", options, printed_tensors) for options in own_process]
    cases += [("00_tour", options, printed_here) for options in option_sets()]
    lessons = sorted(name for name in os.listdir(LESSONS) if re.fullmatch(r"\d+_\w+", name))
    for lesson in lessons[1:]:
        cases += [(lesson, ["--width", "60"], printed_tensors)]
        cases += [(lesson, options, printed_here) for options in own_process]
    folder = tempfile.TemporaryDirectory()
    for file in weights_files(folder.name):
        for lesson in lessons:
            cases += [(lesson, ["--weights", file], printed_here)]
            cases += [(lesson, ["--weights", file, "--mask", "causal", "--text", "the cat"], printed_here)]
    for lesson, options, run_lines in cases:
        count += 1
        try:
            problem = check(lesson, options, run_lines)
        except Exception as error:  # a line that PyTorch refuses
            problem = f"{type(error).__name__}: {error}"
        if problem:
            failed += 1
            print(f"{lesson} {options}: {problem}")
    print(f"PyTorch {torch.__version__}: {count - failed} of {count} pages give the same numbers")
    return 1 if failed else 0


sys.exit(main())
