#include "support/world/world.hpp"

#include "attention/embedding.hpp"
#include "attention/positions.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

const std::string cat_sentence = "the cat sat on the mat.";
const std::string fox_sentence = "The quick brown fox jumps over the lazy dog.";
const std::string dog_sentence = "The dog barked very loudly.";
const std::string tea_sentence = "He drank his tea because he was thirsty.";

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

World crafted(const std::string& text) {
  Options options;
  options.text = text;
  return make_world(options);
}

/// A crafted world's walk through a text, to be asked by words.
class Walk {
 public:
  enum class Places { counted, left_out };

  explicit Walk(const std::string& text, std::size_t first_place = 0, Places places = Places::counted)
      : world_(crafted(text)) {
    Tensor x = gather(world_.embedding_table, world_.encoding.ids);  // [seq_len, 16]
    if (places == Places::counted) x = add(x, sinusoidal_positions(x.dim(0), 16, first_place));
    steps_ = multi_head_attention(x, x, x, world_.weights, world_.num_heads);
  }

  /// How much `query` attends to `key` in a head, counted from 1.
  [[nodiscard]] double weight(std::size_t head, const std::string& query, const std::string& key) const {
    return static_cast<double>(steps_.heads.weights(head - 1, place(query), place(key)));
  }

  /// The words that `query` attends to most, the first one first.
  [[nodiscard]] std::vector<std::string> favourites(std::size_t head, const std::string& query,
                                                    std::size_t count) const {
    std::vector<std::size_t> places(world_.tokens.size());
    std::iota(places.begin(), places.end(), 0U);
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
      const Tensor& weights = steps_.heads.weights;
      return weights(head - 1, place(query), a) > weights(head - 1, place(query), b);
    });
    std::vector<std::string> words;
    for (std::size_t k = 0; k < count; ++k) words.push_back(world_.tokens[places[k]].word);
    return words;
  }

  /// A number of one of head's contexts, or of the output, by the name of its channel.
  [[nodiscard]] double context(std::size_t head, const std::string& query, const std::string& name) const {
    for (std::size_t d = 0; d < 4; ++d) {
      if (world_.value_names[4 * (head - 1) + d] == name) {
        return static_cast<double>(steps_.heads.context(head - 1, place(query), d));
      }
    }
    throw std::invalid_argument("no value is called " + name);
  }
  [[nodiscard]] double output(const std::string& query, const std::string& name) const {
    const auto found = std::find(world_.channel_names.begin(), world_.channel_names.end(), name);
    REQUIRE(found != world_.channel_names.end());
    return static_cast<double>(steps_.output(place(query), found - world_.channel_names.begin()));
  }

  [[nodiscard]] const MultiHeadSteps& steps() const { return steps_; }

 private:
  /// Where a word stands; "the#2" is the second "the".
  [[nodiscard]] std::size_t place(const std::string& word) const {
    const bool second = word.ends_with("#2");
    const std::string plain = second ? word.substr(0, word.size() - 2) : word;
    bool met = false;
    for (std::size_t i = 0; i < world_.tokens.size(); ++i) {
      if (world_.tokens[i].word != plain) continue;
      if (met == second) return i;
      met = true;
    }
    throw std::invalid_argument("not in the text: " + word);
  }

  World world_;
  MultiHeadSteps steps_;
};

using Words = std::vector<std::string>;

/// What the lessons say of the crafted world, wherever the sentences stand.
void check_claims(std::size_t first_place, const std::string& leading = "") {
  CAPTURE(first_place, leading);
  const Walk cat(leading + cat_sentence, first_place);
  Words two = cat.favourites(2, "sat", 2);
  std::sort(two.begin(), two.end());
  CHECK(two == Words{"cat", "mat"});
  CHECK(cat.favourites(2, "cat", 1) == Words{"sat"});

  const Walk fox(leading + fox_sentence, first_place);
  CHECK(fox.favourites(1, "quick", 1) == Words{"fox"});
  CHECK(fox.favourites(1, "lazy", 1) == Words{"dog"});
  CHECK(fox.favourites(2, "fox", 1) == Words{"jumps"});
  CHECK(fox.favourites(2, "jumps", 1) == Words{"fox"});
  CHECK(fox.favourites(3, "jumps", 1) == Words{"over"});
  CHECK(fox.favourites(3, "over", 1) == Words{"dog"});

  const Walk dog(leading + dog_sentence, first_place);
  CHECK(dog.favourites(2, "dog", 1) == Words{"barked"});
  CHECK(dog.favourites(2, "barked", 1) == Words{"dog"});

  const Walk tea(leading + tea_sentence, first_place);
  CHECK(tea.favourites(2, "drank", 2) == Words{"tea", "thirsty"});
}

std::string message_of(const Options& options) {
  try {
    static_cast<void>(make_world(options));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("in the crafted world each head finds what it looks for", "[world]") {
  check_claims(0);
}

TEST_CASE("the heads still find it sixty places on, and after sixty leading words", "[world]") {
  check_claims(60);
  check_claims(0, repeated("very ", 60));
}

TEST_CASE("the weights are the ones that the lessons speak of, to two decimals", "[world]") {
  const auto two_decimals = [](double weight) { return WithinAbs(weight, 0.00501); };
  const Walk cat(cat_sentence);
  CHECK_THAT(cat.weight(2, "sat", "cat"), two_decimals(0.51));
  CHECK_THAT(cat.weight(2, "sat", "mat"), two_decimals(0.45));
  for (const char* other : {"the", "sat", "on", "the#2", "."}) CHECK(cat.weight(2, "sat", other) < 0.015);
  CHECK_THAT(cat.weight(2, "cat", "sat"), two_decimals(0.59));

  const Walk dog(dog_sentence);
  CHECK_THAT(dog.weight(2, "dog", "barked"), two_decimals(0.62));
  CHECK_THAT(dog.weight(2, "barked", "dog"), two_decimals(0.92));

  const Walk fox(fox_sentence);
  CHECK_THAT(fox.weight(1, "quick", "fox"), two_decimals(0.86));
  CHECK_THAT(fox.weight(1, "lazy", "dog"), two_decimals(0.75));
  CHECK_THAT(fox.weight(2, "fox", "jumps"), two_decimals(0.50));
  CHECK_THAT(fox.weight(2, "jumps", "fox"), two_decimals(0.53));
  CHECK_THAT(fox.weight(2, "jumps", "dog"), two_decimals(0.41));
  CHECK_THAT(fox.weight(3, "jumps", "over"), two_decimals(0.81));
  CHECK_THAT(fox.weight(3, "over", "dog"), two_decimals(0.90));
  CHECK_THAT(fox.weight(4, "the", "fox"), two_decimals(0.56));
  CHECK_THAT(fox.weight(4, "the#2", "dog"), two_decimals(0.90));

  const Walk tea(tea_sentence);
  CHECK_THAT(tea.weight(2, "drank", "tea"), two_decimals(0.52));
  CHECK_THAT(tea.weight(2, "drank", "thirsty"), two_decimals(0.31));
}

TEST_CASE("without positions quick attends to fox and dog alike", "[world]") {
  const Walk fox(fox_sentence, 0, Walk::Places::left_out);
  CHECK(fox.weight(1, "quick", "fox") == fox.weight(1, "quick", "dog"));
  CHECK_THAT(fox.weight(1, "quick", "fox"), WithinAbs(0.466, 0.0005));
}

TEST_CASE("after 300 leading tokens the kinds of word drown: over gives dog a tenth", "[world]") {
  CHECK_THAT(Walk(repeated("very ", 300) + fox_sentence).weight(3, "over", "dog"), WithinAbs(0.10, 0.00501));
}

TEST_CASE("sat takes home half cat, half mat, and its output says the cat, on, the mat", "[world]") {
  const Walk cat(cat_sentence);
  CHECK_THAT(cat.context(2, "sat", "noun"), WithinAbs(0.97, 0.00501));
  CHECK_THAT(cat.context(2, "sat", "animal"), WithinAbs(0.54, 0.00501));
  CHECK_THAT(cat.context(2, "sat", "thing"), WithinAbs(0.45, 0.00501));
  CHECK_THAT(cat.context(2, "sat", "verb"), WithinAbs(0.01, 0.00501));
  CHECK_THAT(cat.output("sat", "animal"), WithinAbs(0.86, 0.00501));
  CHECK_THAT(cat.output("sat", "thing"), WithinAbs(0.85, 0.00501));
  CHECK_THAT(cat.output("sat", "prep"), WithinAbs(0.86, 0.00501));
}

TEST_CASE("the scores of head 2 are not symmetric: a verb asks for a noun more strongly than a noun for a verb",
          "[world]") {
  const Tensor scores = Walk(cat_sentence).steps().heads.scores;
  CHECK(scores(1, 2, 1) > scores(1, 1, 2) + 3.0F);  // sat to cat, cat to sat
}

TEST_CASE("the crafted weights are small whole numbers, few of them", "[world]") {
  const World world = crafted(cat_sentence);
  const auto count = [](const Tensor& weight) {
    return std::count_if(weight.values().begin(), weight.values().end(), [](float w) { return w != 0.0F; });
  };
  for (const Tensor* weight : {&world.weights.W_Q, &world.weights.W_K, &world.weights.W_V, &world.weights.W_O}) {
    CHECK(weight->shape() == Shape{16, 16});
    for (const float w : weight->values())
      CHECK((w == 0.0F || std::abs(w) == 1.0F || std::abs(w) == 2.0F || std::abs(w) == 4.0F));
  }
  CHECK(count(world.weights.W_Q) == 16);
  CHECK(count(world.weights.W_K) == 15);
  CHECK(count(world.weights.W_V) == 22);  // 16 channels, six of which take off the constant 1
  CHECK(count(world.weights.W_O) == 16);
  CHECK(count(world.weights.b_O) == 0);
}

TEST_CASE("every channel of the crafted world has a name, in the torch world none has", "[world]") {
  const World world = crafted(cat_sentence);
  CHECK(world.channel_names.size() == 16);
  CHECK(world.channel_names[10] == "noun");
  CHECK(world.telling_channels == std::vector<std::size_t>{2, 3, 8, 9, 10, 11, 12, 13, 14});
  CHECK(world.query_names.size() == 16);
  CHECK(Words(world.query_names.begin() + 4, world.query_names.begin() + 8) == Words{"noun", "verb", "place", "place"});
  CHECK(Words(world.value_names.begin() + 4, world.value_names.begin() + 8) ==
        Words{"noun", "animal", "thing", "verb"});
  CHECK(world.key_names.size() == 16);
  CHECK(world.value_names.size() == 16);
  CHECK(world.head_names == Words{"adjective → noun", "subject – verb", "verb → prep → noun", "determiner → noun"});
  CHECK(world.default_head == 2);

  Options options;
  options.weights = Options::Weights::torch;
  const World torch = make_world(options);
  CHECK(torch.channel_names.empty());
  CHECK(torch.telling_channels.empty());
  CHECK(torch.query_names.empty());
  CHECK(torch.head_names.empty());
  CHECK(torch.guesses.empty());
  CHECK(torch.default_head == 1);
}

TEST_CASE("each value goes back to the channel that has its name", "[world]") {
  const World world = crafted(cat_sentence);
  for (std::size_t v = 0; v < 16; ++v) {
    for (std::size_t d = 0; d < 16; ++d) {
      CAPTURE(v, d);
      CHECK(world.weights.W_O(d, v) == (world.channel_names[d] == world.value_names[v] ? 1.0F : 0.0F));
    }
  }
}

TEST_CASE("swapping one word changes only that word's row of the embeddings", "[world]") {
  const auto weights = GENERATE(Options::Weights::crafted, Options::Weights::torch);
  const auto embeddings = [weights](const std::string& text) {
    Options options;
    options.text = text;
    options.weights = weights;
    const World world = make_world(options);
    return gather(world.embedding_table, world.encoding.ids);
  };
  const Tensor before = embeddings("the cat sat on the mat.");
  const std::string other = GENERATE("the dog sat on the mat.", "the zebra sat on the mat.");
  CAPTURE(other);
  const Tensor after = embeddings(other);
  check_close(slice(after, 0, 0, 1), slice(before, 0, 0, 1), {});
  check_close(slice(after, 0, 2, 7), slice(before, 0, 2, 7), {});
  if (weights == Options::Weights::torch || other.find("zebra") != std::string::npos) {
    CHECK_FALSE(all_close(slice(after, 0, 1, 2), slice(before, 0, 1, 2), {}));
  }
}

TEST_CASE("a new word gets the row of its guessed kind, and the guess is told", "[world]") {
  const World world = crafted("the cat sat on the velveteen sofa");
  REQUIRE(world.guesses.size() == 2);
  CHECK(world.encoding.new_words.size() == 2);
  CHECK(world.guesses[1].starts_with("taken for "));
  const std::size_t sofa = world.encoding.ids.back();
  CHECK(world.embedding_table(sofa, 10) == 1.0F);  // a noun
  CHECK(world.embedding_table(sofa, 9) == 1.0F);   // a thing
  CHECK(Walk("the cat sat on the sofa.").favourites(2, "sat", 2) == Words{"cat", "sofa"});
}

TEST_CASE("known words need no guess", "[world]") {
  const std::string text =
      GENERATE("the cat sat on the mat.", "He drank his tea because he was thirsty.", "Orange is my favorite fruit",
               "The dog barked very loudly.", "The quick brown fox jumps over the lazy dog.", "Bonjour tout le monde");
  CAPTURE(text);
  CHECK(crafted(text).guesses.empty());
}

TEST_CASE("when the spare rows run out, the word says that it shares the row of [UNK]", "[world]") {
  std::string text;
  for (std::size_t i = 0; i <= spare_rows(); ++i) {
    text += "q";
    for (std::size_t n = i; n > 0; n /= 4) text += "bdfg"[n % 4];
    text += ' ';
  }
  const World world = crafted(text);
  REQUIRE(world.guesses.size() == spare_rows() + 1);
  CHECK_THAT(world.guesses.back(), ContainsSubstring("no spare one was left"));
  for (std::size_t d = 0; d < 16; ++d) CHECK(world.embedding_table(unknown_id, d) == 0.0F);
}

TEST_CASE("options that do not go together are refused in one clear line", "[world][error]") {
  Options options;
  options.d_model = 32;
  CHECK(message_of(options) == "the crafted world has d_model 16 and 4 heads: add --weights torch");
  options.d_model = 16;
  options.num_heads = 2;
  CHECK(message_of(options) == "the crafted world has d_model 16 and 4 heads: add --weights torch");
  options.weights = Options::Weights::torch;
  options.d_model = 8;
  options.num_heads = 7;
  CHECK(message_of(options) == "d_model (8) must be divisible by num_heads (7): try 4 or 8");
  options.num_heads = 4;
  options.head = 5;
  CHECK(message_of(options) == "there is no head 5: the heads are 1 to 4");
}

TEST_CASE("a text without words is refused", "[world][error]") {
  Options options;
  options.text = GENERATE("", " \n\t ");
  CHECK_THAT(message_of(options), ContainsSubstring("the text has no words"));
}

TEST_CASE("a text of more tokens than a page has room for is refused before anything is computed", "[world][error]") {
  Options options;
  options.text = repeated("sat ", 1025);
  CHECK(message_of(options) == "the text has 1025 tokens, and a page has room for 1024 at most: give a shorter text");
  options.text = repeated("sat ", 1024);
  CHECK(make_world(options).tokens.size() == 1024);
}

TEST_CASE("a word longer than any is refused before anything is computed", "[world][error]") {
  Options options;
  options.text = "the " + std::string(4097, 'x') + " sat";
  CHECK(message_of(options) == "the text has a word of 4097 bytes, \"" + std::string(60, 'x') +
                                   "...\", and a page has room for 4096 at most: give a text of shorter words");
  options.text = "the " + std::string(4096, 'x') + " sat";
  CHECK(make_world(options).tokens.size() == 3);
}

TEST_CASE("sizes that together take too long are refused before a lesson computes with them", "[world][error]") {
  Options options;
  options.weights = Options::Weights::torch;
  options.text = repeated("sat ", 1000);
  options.d_model = 16;
  options.num_heads = 8;
  CHECK(message_of(options) ==
        "seq_len 1000, d_model 16 and 8 heads together are too much work for a page: give a shorter text, a smaller "
        "d_model or fewer heads");
  options.num_heads = 4;
  CHECK(make_world(options).num_heads == 4);
  options.d_model = 1024;
  CHECK_THAT(message_of(options), ContainsSubstring("seq_len 1000, d_model 1024 and 4 heads"));
  options.text = repeated("sat ", 7);
  options.d_model = 2048;
  CHECK(make_world(options).d_model == 2048);
  options.num_heads = 2048;
  CHECK_THAT(message_of(options), ContainsSubstring("seq_len 7, d_model 2048 and 2048 heads"));
}

TEST_CASE("the torch world has PyTorch's numbers, from the ids to the output", "[world][golden]") {
  for (const std::string& path : golden_cases("world")) {
    INFO(path);
    const CaseFile reference = read_case(path);
    Options options;
    options.text = reference.attrs.at("text");
    std::replace(options.text.begin(), options.text.end(), '_', ' ');
    options.weights = Options::Weights::torch;
    options.seed = static_cast<std::uint64_t>(reference.integer("seed", 0));
    options.d_model = static_cast<std::size_t>(reference.integer("d_model", 0));
    options.num_heads = static_cast<std::size_t>(reference.integer("num_heads", 0));
    const World world = make_world(options);

    const std::vector<float>& ids = reference.input("ids").values();
    REQUIRE(world.encoding.ids == std::vector<std::size_t>(ids.begin(), ids.end()));

    const Tensor embeddings = gather(world.embedding_table, world.encoding.ids);
    const Tensor X = add(embeddings, sinusoidal_positions(world.tokens.size(), world.d_model));
    const bool causal = reference.attrs.at("mask") == "causal";
    const Mask mask = causal ? keep_where(causal_mask(world.tokens.size())) : no_mask();
    const MultiHeadSteps steps = multi_head_attention(X, X, X, world.weights, world.num_heads, mask);

    check_close(embeddings, reference.output("embeddings"), reference.tolerance);
    check_close(X, reference.output("X"), reference.tolerance);
    check_close(steps.Q, reference.output("Q"), reference.tolerance);
    check_close(steps.K, reference.output("K"), reference.tolerance);
    check_close(steps.V, reference.output("V"), reference.tolerance);
    check_close(steps.heads.weights, reference.output("weights"), reference.tolerance);
    check_close(steps.concat, reference.output("concat"), reference.tolerance);
    check_close(steps.output, reference.output("output"), reference.tolerance);
  }
}
