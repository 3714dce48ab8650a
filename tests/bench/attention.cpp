// Our fused attention beside ONNX Runtime's and PyTorch's: tests/bench/run attention
//   attention [--quick] NODE_COMMAND... -- PYTHON_COMMAND...

#include "attention_problem.hpp"
#include "rivals/child.hpp"
#include "setting.hpp"
#include "timing.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <unistd.h>

namespace attn::bench {

namespace {

/// ONNX Runtime or PyTorch.
struct Rival {
  std::string name;
  std::string how_to_get;
  std::unique_ptr<Child> child;
};

/// One length, one mask, so many threads.
struct Case {
  std::size_t seq_len;
  bool causal;
  std::size_t threads;
  double ours;                 // milliseconds, median
  std::vector<double> rivals;  // the same; 0: not here, or failed
};

[[noreturn]] void end_wrong(const std::string& who, const AttentionProblem& problem) {
  fmt::print("{} computes {}attention to {} tokens WRONGLY: a wrong answer has no speed\n", who,
             problem.causal() ? "causal " : "", problem.seq_len());
  std::exit(1);
}

/// Compares the whole context of a rival with ours.
bool agrees(const std::string& file, const std::vector<float>& context) {
  std::vector<float> theirs(context.size());
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(theirs.data()), static_cast<std::streamsize>(theirs.size() * sizeof(float)));
  return in && std::equal(theirs.begin(), theirs.end(), context.begin(),
                          [](float a, float b) { return is_close(double{a}, double{b}); });
}

std::string columns(const std::vector<double>& milliseconds) {
  if (milliseconds.empty()) return fmt::format(" {:>7} {:>7}", "-", "-");
  const auto number = [](double time) { return fmt::format("{:7.{}f}", time, time < 10 ? 3 : time < 1000 ? 2 : 0); };
  return fmt::format(" {} {}", number(median(milliseconds)), number(minimum(milliseconds)));
}

/// Measures and prints one row.
Case time_case(AttentionProblem& problem, const std::string& file, std::size_t threads, std::vector<Rival>& rivals,
               Rounds rounds) {
  problem.attend(threads);
  if (!problem.is_right()) end_wrong("our attention", problem);

  std::vector<Contender> contenders = {{"ours", repeated([&] { problem.attend(threads); })}};
  std::vector<std::string> failures;
  std::string onnx_operator = "-";
  for (Rival& rival : rivals) {
    if (!rival.child->version()) continue;
    const auto answer = rival.child->ask(
        fmt::format("prepare {} {} {} {}", problem.seq_len(), problem.causal() ? "causal" : "full", threads, file));
    if (!answer) {
      failures.push_back(rival.name + ": " + rival.child->failure());
      continue;
    }
    if (!agrees(file + ".context", problem.context())) end_wrong(rival.name, problem);
    if (rival.name == "ONNX Runtime") onnx_operator = answer->substr(answer->find(' ') + 1);
    contenders.push_back({rival.name, [&child = *rival.child] {
                            const auto milliseconds = child.ask("time");
                            return milliseconds ? std::stod(*milliseconds) : std::numeric_limits<double>::infinity();
                          }});
  }
  compare(contenders, rounds);

  const std::vector<double>& ours = contenders[0].milliseconds;
  Case measured = {problem.seq_len(), problem.causal(), threads, median(ours), {}};
  std::string row = fmt::format("{:<6} {:>5} {}{}{:5.0f}", problem.causal() ? "causal" : "full", problem.seq_len(),
                                threads, columns(ours), problem.operations() / median(ours) * 1e-6);
  std::string ratios;
  for (const Rival& rival : rivals) {
    const auto its = std::find_if(contenders.begin(), contenders.end(),
                                  [&](const Contender& contender) { return contender.name == rival.name; });
    const std::vector<double> times = its == contenders.end() ? std::vector<double>() : its->milliseconds;
    measured.rivals.push_back(times.empty() ? 0.0 : median(times));
    row += columns(times);
    ratios += times.empty() ? fmt::format(" {:>6}", "-") : fmt::format(" {:6.2f}", median(times) / median(ours));
  }
  fmt::print("{}{} {}\n", row, ratios, onnx_operator);
  for (const std::string& failure : failures) fmt::print("       {}\n", failure);
  return measured;
}

void print_goals(const std::vector<Case>& cases) {
  // Against ONNX Runtime, on two threads.
  std::vector<double> causal;
  double smallest_causal = std::numeric_limits<double>::infinity();
  double smallest_full = smallest_causal;
  double shortest = 0.0;
  for (const Case& c : cases) {
    if (c.threads != 2 || c.rivals[0] == 0.0) continue;
    const double ratio = c.rivals[0] / c.ours;
    if (c.seq_len == 128 && !c.causal) shortest = ratio;
    if (c.seq_len < 512) continue;
    if (c.causal) {
      causal.push_back(ratio);
      smallest_causal = std::min(smallest_causal, ratio);
    } else {
      smallest_full = std::min(smallest_full, ratio);
    }
  }
  fmt::print("\nGoals, all ratios of medians to ONNX Runtime on 2 threads\n");
  const bool known = !causal.empty();
  const auto goal = [&](const std::string& what, double measured, double at_least) {
    known ? print_goal(what, measured, at_least) : print_unknown_goal(what, at_least);
  };
  goal("full, smallest from 512 tokens", smallest_full, 1.06);
  goal("full, 128 tokens", shortest, 1.0);
  goal("causal, geometric mean from 512 tokens", known ? geometric_mean(causal) : 0.0, 1.5);
  goal("causal, smallest from 512 tokens", smallest_causal, 1.3);
}

int compare_attentions(bool quick, const std::vector<std::string>& commands) {
  const auto separator = std::find(commands.begin(), commands.end(), "--");
  if (separator == commands.end()) {
    fmt::print(stderr, "tests/bench/run attention starts this with the rivals' commands\n");
    return 2;
  }
  std::vector<Rival> rivals;
  rivals.push_back({"ONNX Runtime", "needs node and npm; then tests/bench/run installs onnxruntime-node",
                    std::make_unique<Child>(std::vector<std::string>(commands.begin(), separator))});
  rivals.push_back({"PyTorch", "Debian: apt-get install python3-torch",
                    std::make_unique<Child>(std::vector<std::string>(separator + 1, commands.end()))});

  const Rounds rounds = quick ? Rounds{.most = 5, .seconds = 3.0} : Rounds{.most = 21, .seconds = 30.0};
  print_setting();
  for (const Rival& rival : rivals) {
    fmt::print("{}: {}\n", rival.name, rival.child->version().value_or(fmt::format("not here; {}", rival.how_to_get)));
  }
  fmt::print(
      "\nAttention to a text's own tokens, {} heads of {}, floats, full or causal. t: threads.\n"
      "Milliseconds: median and minimum of up to {} rounds. GF/s: thousand million operations a second, 4\n"
      "for each channel of each pair that is seen. /ONNX, /Torch: how many times as fast as they. ONNX\n"
      "Runtime computes with its fastest operator, which is named; up to 64 of them in a row make one run,\n"
      "and the time of a run without any is subtracted.\n\n",
      num_heads, head_dim, rounds.most);
  fmt::print("{:<14}{:>16}{:>5}{:>16}{:>16}\n", "", "ours", "", "ONNX Runtime", "PyTorch");
  fmt::print("mask  tokens t  median     min GF/s  median     min  median     min  /ONNX /Torch\n");

  const std::string folder = std::filesystem::temp_directory_path();
  const std::string file = fmt::format("{}/attention_bench_{}", folder, getpid());
  std::vector<Case> cases;
  for (const bool causal : {false, true}) {
    for (const std::size_t seq_len : std::initializer_list<std::size_t>{128, 512, 1024, 2048, 4096, 8192}) {
      if (quick && seq_len > 4096) continue;
      AttentionProblem problem(seq_len, causal);
      problem.write_tensors(file);
      for (const std::size_t threads : std::initializer_list<std::size_t>{1, 2})
        cases.push_back(time_case(problem, file, threads, rivals, rounds));
    }
  }
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".context");
  print_goals(cases);
  return 0;
}

}  // namespace

}  // namespace attn::bench

int main(int argc, char** argv) {
  std::vector<std::string> commands;
  const bool quick = attn::bench::start_bench(argc, argv, &commands);
  return attn::bench::compare_attentions(quick, commands);
}
