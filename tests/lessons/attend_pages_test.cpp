#include "support/cases/case_page.hpp"

#include "board/json_face.hpp"
#include "board/text_face.hpp"
#include "catch.hpp"
#include "golden/golden_cases.hpp"
#include "lessons/trace_checker.hpp"
#include "support/cases/operators/operator.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// The pages and traces of case files, in this process: hundreds of cases take seconds.

using namespace attn;

namespace {

bool is_known(const std::string& op) {
  return std::any_of(operators().begin(), operators().end(), [&](const Operator& one) { return one.name == op; });
}

/// All that is wrong with a case's page and trace.
std::string problems_of(const ComputedCase& computed) {
  std::string problems;
  for (const std::string& problem : problems_of_trace(render_json(computed.board, false))) problems += problem + "\n";
  for (const std::size_t width : {60U, 80U, 120U}) {
    const bool ascii = width == 80;
    std::istringstream page(render_text(computed.board, {.width = width, .ascii = ascii}));
    for (std::string line; std::getline(page, line);) {
      if (display_width(line) > width) problems += "too wide: " + line + "\n";
      if (!line.empty() && line.back() == ' ') problems += "blanks at the end: " + line + "\n";
      if (line.find("something else") != std::string::npos) problems += "not by its origin: " + line + "\n";
      const bool plain = std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
      if (ascii && !plain) problems += "not ASCII: " + line + "\n";
    }
  }
  return problems;
}

/// A case of that operator, with made-up inputs.
CaseFile made_up(const std::string& text) {
  return parse_case("case made_up op " + text + " end", "made up");
}

ComputedCase computed(const std::string& text) {
  return compute_case(made_up(text));
}

/// The words of a page with one blank between them.
std::string in_one_line(const std::string& page) {
  std::istringstream words(page);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// What a case that was computed took.
CaseCost taken(const Trace& trace) {
  CaseCost cost;
  for (const Step& step : trace.steps()) {
    const std::string& op = step.origin.op;
    cost.numbers += static_cast<double>(step.value.size());
    cost.labels += static_cast<double>(step.rows.size() + step.columns.size());
    if (op == "concat") cost.labels += static_cast<double>(step.origin.inputs.size());
    if (op != "matmul" && op != "matmul_transposed" && op != "linear") continue;
    const std::size_t inner = trace.step(step.origin.inputs[0]).value.dim(-1);
    cost.products += static_cast<double>(step.value.size() * inner);
  }
  return cost;
}

/// Where what was said before computing is less than what it took, or far more.
std::string wrong_costs(const CaseFile& file, const ComputedCase& computed) {
  const CaseCost took = taken(computed.board.trace());
  CaseCost said = inputs_cost(file);
  said += operator_of(file).cost(file);
  std::string wrong;
  const auto compare = [&](const char* what, double before, double after, double far) {
    if (before >= after && before <= far * after + 20.0) return;
    wrong += fmt::format("{}: said {}, took {}\n", what, before, after);
  };
  compare("numbers", said.numbers, took.numbers, 1.7);
  compare("labels", said.labels, took.labels, 2.5);
  compare("products", said.products, took.products, 1.7);
  return wrong;
}

}  // namespace

TEST_CASE("each reference case has a page that fits, and a trace that can be computed anew", "[attend]") {
  std::set<std::string> seen;
  for (const std::string& path : all_golden_cases()) {
    const CaseFile file = read_case(path);
    if (!is_known(file.op)) continue;
    CAPTURE(path);
    const ComputedCase result = compute_case(file);
    CHECK(problems_of(result) == "");
    CHECK(wrong_costs(file, result) == "");
    CHECK(all_hold(result.compared));
    CHECK(result.compared.size() == file.outputs.size());
    seen.insert(file.op);
  }
  CHECK(seen.size() == operators().size());  // no operator is without a reference
}

TEST_CASE("options that no reference case sets have pages and traces that hold too", "[attend]") {
  const std::string heads =
      " hashed Q float32 4 2 4 3 6 1 1 hashed K float32 4 2 2 5 6 2 1 hashed V float32 4 2 2 5 3 3 1";
  const std::string module =
      " attr num_heads 2 hashed query float32 3 2 3 4 1 1 hashed key float32 3 2 5 4 2 1 hashed value float32 3 2 5 4 "
      "3 "
      "1 hashed in_proj_weight float32 2 12 4 4 0.5 hashed out_proj.weight float32 2 4 4 5 0.5";
  const std::string layer =
      " attr num_heads 2 attr norm_first 1 attr activation gelu hashed src float32 3 2 3 4 1 1 "
      "hashed self_attn.in_proj_weight float32 2 12 4 2 0.5 hashed self_attn.in_proj_bias float32 1 12 3 0.5 "
      "hashed self_attn.out_proj.weight float32 2 4 4 4 0.5 hashed self_attn.out_proj.bias float32 1 4 5 0.5 "
      "hashed linear1.weight float32 2 7 4 6 0.5 hashed linear1.bias float32 1 7 7 0.5 hashed linear2.weight float32 2 "
      "4 "
      "7 8 0.5 hashed linear2.bias float32 1 4 9 0.5 hashed norm1.weight float32 1 4 10 1 hashed norm1.bias float32 1 "
      "4 "
      "11 1 hashed norm2.weight float32 1 4 12 1 hashed norm2.bias float32 1 4 13 1";
  for (const std::string& text : std::vector<std::string>{
           "Attention attr softmax_precision 10" + heads,
           "Attention attr softmax_precision 11 attr qk_matmul_output_mode 3" + heads,
           "Attention attr softmax_precision 16 attr softcap 1.5" + heads,
           "Attention attr is_causal 1 attr left_window_size 1 attr right_window_size 0 attr scale -0.5" + heads,
           "Attention input nonpad_kv_seqlen int64 1 2 0 4" + heads,
           "Attention input attn_mask float32 1 2 0.5 -inf" + heads,
           "Attention input attn_mask bool 4 2 1 3 4 1 1 0 1 1 0 0 1 0 0 0 0 1 1 1 1 0 0 0 0 1 1 1 1" + heads,
           "TorchMultiheadAttention attr add_zero_attn 1" + module,
           "TorchMultiheadAttention attr average_attn_weights 0 hashed bias_k float32 3 1 1 4 6 1 "
           "hashed bias_v float32 3 1 1 4 7 1 input key_padding_mask bool 2 2 5 0 0 0 0 1 1 1 1 1 1" +
               module,
           "TorchMultiheadAttention hashed attn_mask float32 3 4 3 5 8 2" + module,
           "TorchMultiheadAttention hashed attn_mask float32 2 3 5 8 2 input key_padding_mask bool 2 2 5 0 0 0 0 1 0 0 "
           "0 0 "
           "0" +
               module,
           "TransformerEncoderLayer" + layer,
           "TransformerEncoderLayer input src_mask bool 2 3 3 0 1 1 0 0 1 0 0 0" + layer,
           "TransformerEncoderLayer hashed src_mask float32 2 3 3 9 1 input src_key_padding_mask bool 2 2 3 0 0 0 0 0 "
           "1" +
               layer,
           "Rope attr interleaved 1 attr base 100 hashed x float32 3 2 5 6 1 1",
           "Rope hashed x float32 2 1 2 1 1",
           "IncrementalDecoding hashed Q float32 4 2 4 3 2 1 1 hashed K float32 4 2 2 3 2 2 1 hashed V float32 4 2 1 3 "
           "5 3 1",
           "ScaledDotProductAttention hashed Q float32 3 2 3 4 1 1 hashed K float32 3 2 2 4 2 1 hashed V float32 3 2 2 "
           "1 3 "
           "1 input mask bool 3 2 3 2 1 0 0 1 0 0 1 1 1 1 0 1 hashed bias float32 2 3 2 4 1",
           "ScaledDotProductAttention input Q float32 2 0 2 input K float32 2 3 2 1 2 3 4 5 6 input V float32 2 3 1 1 "
           "2 3",
           "MultiHeadAttentionModule attr num_heads 2 hashed query float32 3 2 2 4 1 1 hashed key float32 3 2 3 4 2 1 "
           "hashed value float32 3 2 3 4 3 1 hashed query_linear.weight float32 2 4 4 4 1 hashed key_linear.weight "
           "float32 2 4 4 5 1 hashed value_linear.weight float32 2 4 4 6 1 hashed output_linear.weight float32 2 4 4 7 "
           "1 "
           "hashed output_linear.bias float32 1 4 8 1 input mask bool 3 2 2 3 1 0 1 1 1 0 0 0 1 1 1 1",
           "Softmax attr opset 11 attr axis 1 hashed x float32 3 2 3 4 1 5",
           "Softmax input x float32 2 2 0",
           "Softmax attr axis 0 input x float32 2 3 2 1 inf nan 2 -inf -inf",
           "LogSoftmax attr opset 1 hashed x float32 2 3 4 1 5",
           "LayerNormalization attr axis 1 attr epsilon 0 input X float32 3 2 1 2 1 1 3 4 input W float32 1 2 1 2",
           "RMSNormalization attr axis 0 input X float32 2 2 1 0 0 input W float32 0 3",
           "Gelu attr approximate tanh input x float32 0 0.5",
           "LuongAttention attr kind general hashed query float32 2 3 2 1 1 hashed keys float32 3 3 4 5 2 1 "
           "hashed W float32 2 2 5 3 1",
           "SlidingWindowMask attr size 5 attr window 0 attr causal 0",
           "SlidingWindowAttention attr window 1 attr causal 0 hashed Q float32 2 4 2 1 1 hashed K float32 2 4 2 2 1 "
           "hashed "
           "V float32 2 4 2 3 1",
       }) {
    CAPTURE(text);
    const CaseFile file = made_up(text);
    const ComputedCase result = compute_case(file);
    CHECK(problems_of(result) == "");
    CHECK(wrong_costs(file, result) == "");
  }
}

TEST_CASE("a case that would take too much memory or work is refused before anything is computed", "[attend]") {
  const auto refusal = [](const std::string& text) {
    try {
      static_cast<void>(computed(text));
      return std::string("nothing is refused");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  // Each step fits, and all together do not.
  CHECK(refusal("LayerNormalization hashed X float32 2 16384 1000 1 1 hashed W float32 1 1000 2 1") ==
        "LayerNormalization: all steps together would take 131204073 numbers (the largest step is [16384, 1000]), and "
        "may take 16777216: give smaller sizes");
  CHECK_THAT(refusal("ScaledDotProductAttention hashed Q float32 2 4000 1300 1 1 hashed K float32 2 4000 1300 2 1 "
                     "hashed V float32 2 4000 1300 3 1"),
             ContainsSubstring("would take 68800000 numbers (the largest step is [4000, 4000])"));
  CHECK_THAT(
      refusal("BahdanauAttention hashed query float32 2 2 2000 1 1 hashed keys float32 3 2 2000 2000 2 1 hashed "
              "W_query float32 2 2000 2000 3 1 hashed W_key float32 2 2000 2000 4 1 hashed v float32 1 2000 5 1"),
      ContainsSubstring("numbers (the largest step is [2, 1, 2000, 2000])"));
  // The numbers are few: each brings labels, or takes part in many products.
  CHECK(refusal("AlibiSlopes attr num_heads 16777216") ==
        "AlibiSlopes: all steps together would take 16777216 labels of rows and columns (the largest step is "
        "[16777216]), and may take 4194304: give smaller sizes");
  CHECK(refusal("ScaledDotProductAttention hashed Q float32 2 1000 4000 1 1 hashed K float32 2 1000 4000 2 1 hashed V "
                "float32 2 1000 1 3 1") ==
        "ScaledDotProductAttention: all steps together would take 4001000000 multiplications (the largest step is "
        "[1000, 4000]), and may take 1073741824: give smaller sizes");
  // A mask that is made larger than the scores before it is found not to fit.
  CHECK_THAT(
      refusal("Attention attr is_causal 1 hashed Q float32 4 1 1 64 4 1 1 hashed K float32 4 1 1 64 4 2 1 hashed V "
              "float32 4 1 1 64 4 3 1 input attn_mask bool 4 100 100 1 1 " +
              [] {
                std::string ones;
                for (int k = 0; k < 10000; ++k) ones += "1 ";
                return ones;
              }()),
      ContainsSubstring("(the largest step is [100, 100, 64, 64])"));
  // As large as that, and computed.
  CHECK(computed("Gelu hashed x float32 2 400 5000 1 1").outputs.at("y").size() == 2000000);
}

TEST_CASE("numbers at the ends of what a float holds give steps that follow from each other", "[attend]") {
  for (const std::string& numbers :
       std::vector<std::string>{"3e38 -3e38", "3.4e38 -3.4e38", "1e25 1e-25", "1e-21 -1e-21", "1e-30 -1e-30", "0 0",
                                "inf 1", "nan -inf", "1e-45 3e38"}) {
    for (const char* epsilon : {"1e-05", "0", "1e-46", "1e-40", "1e300"}) {
      CAPTURE(numbers, epsilon);
      for (const char* op : {"LayerNormalization", "RMSNormalization"}) {
        CHECK(problems_of(computed(fmt::format("{} attr epsilon {} input X float32 2 1 2 {} input W float32 1 2 1 2",
                                               op, epsilon, numbers))) == "");
      }
    }
    CAPTURE(numbers);
    const std::string pair = " float32 2 1 2 " + numbers;
    CHECK(problems_of(computed("Softmax input x" + pair)) == "");
    CHECK(problems_of(computed("Gelu input x" + pair)) == "");
    CHECK(problems_of(computed("Rope input x" + pair)) == "");
    CHECK(problems_of(computed("ScaledDotProductAttention input Q" + pair + " input K" + pair + " input V" + pair)) ==
          "");
    CHECK(problems_of(computed("RotaryEmbedding input input float32 4 1 1 1 2 " + numbers +
                               " input cos_cache float32 3 1 1 1 1e30 input sin_cache float32 3 1 1 1 -1e30")) == "");
  }
}

TEST_CASE("an output that the operator does not give is refused before anything is computed", "[attend]") {
  CHECK_THROWS_WITH(computed("GeluEdges input x float32 0 1 output y float32 0 1"),
                    "GeluEdges has no output y: did you mean erf? It knows: erf tanh");
  for (const std::string& path : all_golden_cases()) {
    const CaseFile file = read_case(path);
    if (!is_known(file.op)) continue;
    std::vector<std::string> gives = operator_of(file).gives;
    std::sort(gives.begin(), gives.end());
    std::vector<std::string> given;
    for (const auto& [name, value] : compute_case(file).outputs) given.push_back(name);
    CAPTURE(path);
    CHECK(gives == given);
  }
}

TEST_CASE("a query that may see no key gets zeros from ONNX and nan from PyTorch", "[attend]") {
  const std::string hidden = " input Q float32 4 1 1 1 1 1 input K float32 4 1 1 2 1 1 2 input V float32 4 1 1 2 1 3 4";
  CHECK(computed("Attention input attn_mask bool 2 1 2 0 0" + hidden).outputs.at("Y")(0, 0, 0, 0) == 0.0F);
  const Tensor torch = computed("ScaledDotProductAttention input mask bool 2 1 2 0 0" + hidden).outputs.at("output");
  CHECK(torch(0, 0, 0, 0) != torch(0, 0, 0, 0));
}

TEST_CASE("where a query may see no key, the page says why its weights are nan", "[attend]") {
  const auto page = [](const std::string& text) { return in_one_line(render_text(computed(text).board, {})); };
  const char* sentence =
      "A query that may see no key gets 0 / 0, which is nan: by the definition, and in PyTorch. ONNX gives zeros; "
      "lesson 15 shows all three conventions.";
  const std::string two_keys = " input Q float32 2 1 1 1 input K float32 2 2 1 1 2 input V float32 2 2 1 3 4";
  CHECK_THAT(page("ScaledDotProductAttention input mask bool 2 1 2 0 0" + two_keys), ContainsSubstring(sentence));
  CHECK_THAT(page("ScaledDotProductAttention input bias float32 2 1 2 -inf -inf" + two_keys),
             ContainsSubstring(sentence));
  CHECK_THAT(page("ScaledDotProductAttention input mask bool 2 1 2 0 1" + two_keys), !ContainsSubstring("0 / 0"));
  CHECK_THAT(
      page("BahdanauAttention input query float32 2 1 1 1 input keys float32 3 1 2 1 1 2 input W_query float32 2 "
           "1 1 1 input W_key float32 2 1 1 1 input v float32 1 1 1 input lengths int64 1 1 0"),
      ContainsSubstring(sentence));
}

TEST_CASE("the number that is worked out by hand is no sum of zeros, where there is another", "[attend]") {
  const auto page = [](const std::string& text) { return render_text(computed(text).board, {.width = 100}); };
  // At place 0 nothing turns, and half of the terms are 0.
  CHECK_THAT(page("Rope input x float32 2 2 2 1 0 1 0"), ContainsSubstring(" by hand  y.second[1, 0] = "));
  const std::string keys = " input K float32 2 2 2 1 0 0 1 input V float32 2 2 2 0 0 0 5";
  CHECK_THAT(page("ScaledDotProductAttention input Q float32 2 1 2 1 0" + keys),
             ContainsSubstring(" by hand  context[0, 1] = "));
  CHECK_THAT(page("ScaledDotProductAttention input mask bool 2 2 2 0 0 1 1 input Q float32 2 2 2 1 0 0 1" + keys),
             ContainsSubstring(" by hand  context[1, 1] = "));
  CHECK_THAT(page("Rope input x float32 2 2 2 0 0 0 0"),
             ContainsSubstring(" by hand  y.second[0, 0] = "));  // there is no other
}

TEST_CASE("of a batch the page shows the matrix that is asked for", "[attend]") {
  const CaseFile file = parse_case(
      "case a op ScaledDotProductAttention hashed Q float32 4 2 3 2 2 1 1 hashed K float32 4 2 3 2 2 2 1 "
      "hashed V float32 4 2 3 2 2 3 1 end",
      "a.case");
  CHECK_THAT(render_text(compute_case(file).board, {}), ContainsSubstring("scores[0, 0]"));
  CHECK_THAT(render_text(compute_case(file, {1, 2}).board, {}), ContainsSubstring("scores[1, 2]"));
  CHECK_THAT(render_text(compute_case(file, {1}).board, {}), ContainsSubstring("matrix [1, 0]"));
  CHECK_THROWS_WITH(compute_case(file, {1, 3}),
                    "there is no matrix [1, 3] in this case: the inputs' axes before the last two are [2, 3]");
}

TEST_CASE("a nan of ours has no sign in a comparison", "[attend]") {
  ComparedOutput one;
  one.name = "output";
  one.numbers = 1;
  one.worst.largest = std::numeric_limits<double>::infinity();
  one.worst.got = -std::numeric_limits<float>::quiet_NaN();
  one.worst.want = 1.0F;
  CHECK_THAT(comparison_text(one), ContainsSubstring("ours nan, theirs 1"));
}

TEST_CASE("where the page has an output under another name, the comparison says which", "[attend]") {
  const ComputedCase result = computed(
      "ScaledDotProductAttention input Q float32 2 1 2 1 0 input K float32 2 1 2 1 1 input V float32 2 1 1 5 "
      "output scores float32 2 1 1 0.70710677 output weights float32 2 1 1 1 output output float32 2 1 1 5");
  REQUIRE(result.compared.size() == 3);
  CHECK_THAT(comparison_text(result.compared[0]),
             ContainsSubstring("scores (on the page: scaled): largest difference"));
  CHECK_THAT(comparison_text(result.compared[1]), ContainsSubstring("weights: largest difference"));
  CHECK_THAT(comparison_text(result.compared[2]),
             ContainsSubstring("output (on the page: context): largest difference"));
  CHECK_THAT(render_text(result.board, {}), ContainsSubstring("Close enough: output (on the page: context): "));
}

TEST_CASE("a question about an output is one about the step that holds it", "[attend]") {
  const ComputedCase result =
      computed("ScaledDotProductAttention input Q float32 2 1 2 1 0 input K float32 2 1 2 1 1 input V float32 2 1 1 5");
  CHECK(address_on_page(result, "output[0,0]") == "context[0,0]");
  CHECK(address_on_page(result, "output") == "context");
  CHECK(address_on_page(result, "weights[0,0]") == "weights[0,0]");
  CHECK(address_on_page(result, "scores[0,0]") == "scores[0,0]");  // there is a step of that name
  CHECK(address_on_page(result, "else[0,0]") == "else[0,0]");
}

TEST_CASE("of a batch of one there is no other matrix to show", "[attend]") {
  const auto page = [](const char* batch) {
    const std::string shape = fmt::format(" float32 3 {} 2 2 1 1 ", batch);
    return render_text(
        computed("ScaledDotProductAttention hashed Q" + shape + "hashed K" + shape + "hashed V" + shape).board, {});
  };
  CHECK_THAT(page("2"), ContainsSubstring("--matrix shows another"));
  CHECK_THAT(page("1"), !ContainsSubstring("--matrix"));
}

TEST_CASE("a mask of another type than bool or float is not guessed at", "[attend]") {
  CHECK_THROWS_WITH(
      computed("Attention input attn_mask int64 2 1 1 1 input Q float32 4 1 1 1 1 1 input K float32 4 1 1 1 "
               "1 1 input V float32 4 1 1 1 1 1"),
      "attn_mask is int64, and a mask is bool (0 and 1) or float (added to the scores)");
}
