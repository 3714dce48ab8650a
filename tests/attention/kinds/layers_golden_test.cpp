// Every reference case of PyTorch and ONNX for additive attention, positions, norms, activations and layers. A new file
// in one of these folders is picked up by itself.

#include "attention/kinds/additive.hpp"
#include "attention/kinds/alibi.hpp"
#include "attention/kinds/decoder_layer.hpp"
#include "attention/kinds/encoder_layer.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "attention/kinds/luong.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/kinds/onnx_rotary.hpp"
#include "attention/kinds/onnx_softmax.hpp"
#include "attention/kinds/rms_norm.hpp"
#include "attention/kinds/rotary.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace attn;

namespace {

/// What we compute for the outputs of a case, under the names that the case gives them.
using Outputs = std::map<std::string, Tensor>;

int integer(const CaseFile& reference, const std::string& attribute, int otherwise) {
  return static_cast<int>(reference.integer(attribute, otherwise));
}

std::size_t size_of(const CaseFile& reference, const std::string& attribute) {
  return static_cast<std::size_t>(reference.integer(attribute, 0));
}

std::optional<int> optional_axis(const CaseFile& reference) {
  if (reference.attrs.count("axis") == 0) return std::nullopt;
  return integer(reference, "axis", 0);
}

/// One query per sentence, [batch, width], as a row of its own: [batch, 1, width].
Tensor as_row(const Tensor& query) {
  return reshape(query, {query.dim(0), 1, query.dim(1)});
}

/// The way back: [batch, 1, width] to [batch, width].
Tensor as_list(const Tensor& x) {
  return reshape(x, {x.dim(0), x.dim(2)});
}

Outputs additive_outputs(const AdditiveSteps& steps) {
  return {
      {"energies", as_list(steps.scores)}, {"weights", as_list(steps.weights)}, {"context", as_list(steps.context)}};
}

Outputs bahdanau(const CaseFile& reference) {
  const Tensor& keys = reference.input("keys");
  Mask mask = no_mask();
  if (reference.has_input("lengths")) {
    std::vector<std::size_t> lengths;
    for (const float length : reference.input("lengths").values()) {
      lengths.push_back(static_cast<std::size_t>(length));
    }
    mask = keep_where(padding_mask(lengths, keys.dim(1)));
  }
  return additive_outputs(additive_attention(
      as_row(reference.input("query")), keys, keys,
      {.W_query = reference.input("W_query"), .W_key = reference.input("W_key"), .v = reference.input("v")}, mask));
}

Outputs luong(const CaseFile& reference) {
  const Tensor query = as_row(reference.input("query"));
  const Tensor& keys = reference.input("keys");
  const std::string& kind = reference.attrs.at("kind");
  if (kind == "concat") {
    return additive_outputs(luong_concat(query, keys, keys, reference.input("W"), reference.input("v")));
  }
  const MultiplicativeSteps steps =
      kind == "dot" ? luong_dot(query, keys, keys) : luong_general(query, keys, keys, reference.input("W"));
  return {
      {"energies", as_list(steps.scores)}, {"weights", as_list(steps.weights)}, {"context", as_list(steps.context)}};
}

Outputs rotary(const CaseFile& reference) {
  const Tensor& x = reference.input("x");
  const RotaryLayout layout =
      reference.integer("interleaved", 0) == 0 ? RotaryLayout::halves : RotaryLayout::interleaved;
  const RotarySteps steps = rotary_embedding(x, consecutive_positions(x.dim(-2)),
                                             {.layout = layout, .base = reference.number("base", 10000.0)});
  return {{"y", steps.rotated}};
}

Outputs onnx_rotary(const CaseFile& reference) {
  std::optional<Tensor> position_ids;
  if (reference.has_input("position_ids")) position_ids = reference.input("position_ids");
  const OnnxRotaryOptions options{.interleaved = reference.integer("interleaved", 0) != 0,
                                  .num_heads = size_of(reference, "num_heads"),
                                  .rotary_embedding_dim = size_of(reference, "rotary_embedding_dim")};
  return {{"output", onnx_rotary_embedding(reference.input("input"), reference.input("cos_cache"),
                                           reference.input("sin_cache"), position_ids, options)}};
}

Outputs alibi(const CaseFile& reference) {
  const AlibiSteps steps = alibi_attention(reference.input("Q"), reference.input("K"), reference.input("V"),
                                           alibi_slopes(size_of(reference, "num_heads")));
  return {{"weights", steps.attention.weights}, {"output", steps.attention.context}};
}

Outputs layer_normalization(const CaseFile& reference) {
  LayerNormWeights weights{.scale = reference.input("W"), .bias = std::nullopt};
  if (reference.has_input("B")) weights.bias = reference.input("B");
  const LayerNormSteps steps =
      layer_norm(reference.input("X"), weights,
                 {.axis = integer(reference, "axis", -1), .epsilon = reference.number("epsilon", 1e-5)});
  return {{"Y", steps.output}, {"Mean", steps.mean}, {"InvStdDev", steps.inverse_std}};
}

Outputs rms_normalization(const CaseFile& reference) {
  const RmsNormSteps steps =
      rms_norm(reference.input("X"), reference.input("W"),
               {.axis = integer(reference, "axis", -1), .epsilon = reference.number("epsilon", 1e-5)});
  return {{"Y", steps.output}};
}

Outputs gelu_of(const CaseFile& reference) {
  const auto approximate = reference.attrs.find("approximate");
  const bool by_tanh = approximate != reference.attrs.end() && approximate->second == "tanh";
  return {{"y", by_tanh ? gelu_tanh(reference.input("x")) : gelu(reference.input("x"))}};
}

Outputs softmax_and_log(const CaseFile& reference) {
  const std::optional<int> axis = optional_axis(reference);
  const int opset = integer(reference, "opset", 13);
  return {{"y", onnx_softmax(reference.input("x"), axis, opset)},
          {"log_y", onnx_log_softmax(reference.input("x"), axis, opset)}};
}

Activation activation_of(const CaseFile& reference) {
  const auto named = reference.attrs.find("activation");
  return named != reference.attrs.end() && named->second == "gelu" ? Activation::gelu : Activation::relu;
}

/// The weights of nn.MultiheadAttention under the names that PyTorch gives them: "self_attn.in_proj_weight", ...
TorchMultiheadWeights attention_weights(const CaseFile& reference, const std::string& prefix) {
  const InProjection in_weights = split_in_proj(reference.input(prefix + "in_proj_weight"));
  const InProjection in_biases = split_in_proj(reference.input(prefix + "in_proj_bias"));
  return {.W_Q = in_weights.query,
          .W_K = in_weights.key,
          .W_V = in_weights.value,
          .b_Q = in_biases.query,
          .b_K = in_biases.key,
          .b_V = in_biases.value,
          .W_O = reference.input(prefix + "out_proj.weight"),
          .b_O = reference.input(prefix + "out_proj.bias")};
}

LayerNormWeights norm_weights(const CaseFile& reference, const std::string& name) {
  return {.scale = reference.input(name + ".weight"), .bias = reference.input(name + ".bias")};
}

FeedForwardWeights network_weights(const CaseFile& reference) {
  return {.W_1 = reference.input("linear1.weight"),
          .b_1 = reference.input("linear1.bias"),
          .W_2 = reference.input("linear2.weight"),
          .b_2 = reference.input("linear2.bias")};
}

LayerOptions layer_options(const CaseFile& reference) {
  return {.num_heads = size_of(reference, "num_heads"),
          .norm_order = reference.integer("norm_first", 0) == 0 ? NormOrder::post : NormOrder::pre,
          .activation = activation_of(reference),
          .epsilon = reference.number("layer_norm_eps", 1e-5)};
}

/// PyTorch's layers take masks that are 1 where a key is ignored: "src_mask" and "src_key_padding_mask".
LayerMask layer_mask(const CaseFile& reference, const std::string& of) {
  LayerMask mask;
  if (reference.has_input(of + "_mask")) mask.attention = hide_where(reference.input(of + "_mask"));
  if (reference.has_input(of + "_key_padding_mask")) {
    mask.key_padding = hide_where(reference.input(of + "_key_padding_mask"));
  }
  return mask;
}

Outputs torch_encoder_layer(const CaseFile& reference) {
  const EncoderLayerWeights weights{.self_attention = attention_weights(reference, "self_attn."),
                                    .norm_1 = norm_weights(reference, "norm1"),
                                    .feed_forward = network_weights(reference),
                                    .norm_2 = norm_weights(reference, "norm2")};
  return {
      {"output",
       encoder_layer(reference.input("src"), weights, layer_options(reference), layer_mask(reference, "src")).output}};
}

Outputs torch_decoder_layer(const CaseFile& reference) {
  const DecoderLayerWeights weights{.self_attention = attention_weights(reference, "self_attn."),
                                    .norm_1 = norm_weights(reference, "norm1"),
                                    .cross_attention = attention_weights(reference, "multihead_attn."),
                                    .norm_2 = norm_weights(reference, "norm2"),
                                    .feed_forward = network_weights(reference),
                                    .norm_3 = norm_weights(reference, "norm3")};
  const LayerOptions options = layer_options(reference);
  const DecoderLayerSteps steps =
      decoder_layer(reference.input("tgt"), reference.input("memory"), weights, options,
                    {.target = layer_mask(reference, "tgt"), .memory = layer_mask(reference, "memory")});
  const bool post = options.norm_order == NormOrder::post;
  return {{"y", post ? steps.norm_1.output : steps.after_self_attention},
          {"z", post ? steps.norm_2.output : steps.after_cross_attention},
          {"output", steps.output}};
}

Outputs compute(const CaseFile& reference) {
  if (reference.op == "BahdanauAttention") return bahdanau(reference);
  if (reference.op == "LuongAttention") return luong(reference);
  if (reference.op == "Rope") return rotary(reference);
  if (reference.op == "RotaryEmbedding") return onnx_rotary(reference);
  if (reference.op == "AlibiSlopes") return {{"slopes", alibi_slopes(size_of(reference, "num_heads"))}};
  if (reference.op == "AlibiAttention") return alibi(reference);
  if (reference.op == "LayerNormalization") return layer_normalization(reference);
  if (reference.op == "RMSNormalization") return rms_normalization(reference);
  if (reference.op == "Gelu") return gelu_of(reference);
  if (reference.op == "GeluEdges") {
    return {{"erf", gelu(reference.input("x"))}, {"tanh", gelu_tanh(reference.input("x"))}};
  }
  if (reference.op == "Softmax") return softmax_and_log(reference);
  if (reference.op == "LogSoftmax") return {{"y", softmax_and_log(reference).at("log_y")}};
  if (reference.op == "TransformerEncoderLayer") return torch_encoder_layer(reference);
  if (reference.op == "TransformerDecoderLayer") return torch_decoder_layer(reference);
  FAIL("no function for the operator " << reference.op);
  return {};
}

}  // namespace

TEST_CASE("every reference case gives every number that PyTorch and ONNX give", "[golden]") {
  const std::string folder = GENERATE("torch/additive", "torch/alibi", "torch/rotary", "torch/encoder_layer",
                                      "torch/gelu", "torch/softmax", "layers", "onnx/gelu", "onnx/layernorm",
                                      "onnx/rmsnorm", "onnx/rotary", "onnx/softmax", "onnx/logsoftmax");
  for (const std::string& path : golden_cases(folder)) {
    const CaseFile reference = read_case(path);
    // A Tensor is float: a case computed in double is held to 1e-5, absolute and relative.
    INFO(path << (reference.has_float64 ? ", computed in double, held to 1e-5" : ""));

    const Outputs ours = compute(reference);
    for (const auto& [name, expected] : reference.outputs) {
      INFO(name);
      REQUIRE(ours.count(name) == 1);
      check_close(ours.at(name), expected, reference.tolerance);
    }
  }
}

TEST_CASE("there is a reference from PyTorch for a decoder layer of either order of norms with either activation",
          "[golden]") {
  std::set<std::string> seen;
  for (const std::string& path : golden_cases("layers")) {
    const CaseFile reference = read_case(path);
    if (reference.op != "TransformerDecoderLayer") continue;
    const bool padded = reference.has_input("memory_key_padding_mask");
    seen.insert((reference.integer("norm_first", 0) == 0 ? "post-norm " : "pre-norm ") +
                reference.attrs.at("activation") + (padded ? " padded" : ""));
  }
  for (const char* kind : {"post-norm relu", "post-norm gelu", "pre-norm relu", "pre-norm gelu",
                           "post-norm relu padded", "pre-norm gelu padded"}) {
    CAPTURE(kind);
    CHECK(seen.count(kind) == 1);
  }
}

TEST_CASE("as many reference cases of these kinds are there as were taken over", "[golden]") {
  CHECK(golden_cases("torch/additive").size() >= 5);
  CHECK(golden_cases("torch/alibi").size() >= 7);
  CHECK(golden_cases("torch/rotary").size() >= 1);
  CHECK(golden_cases("torch/encoder_layer").size() >= 3);
  CHECK(golden_cases("torch/gelu").size() >= 1);
  CHECK(golden_cases("layers").size() >= 12);
  CHECK(golden_cases("onnx/gelu").size() >= 3);
  CHECK(golden_cases("onnx/layernorm").size() >= 11);
  CHECK(golden_cases("onnx/rmsnorm").size() >= 11);
  CHECK(golden_cases("onnx/rotary").size() >= 8);
  CHECK(golden_cases("onnx/logsoftmax").size() >= 4);
}
