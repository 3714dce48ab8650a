// Lesson 00: the tour
//
// Question   How does a word find out which other words matter to it?
// Equation   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V            Vaswani et al. 2017, eq. (1)
// Builds on  nothing: everything is here at a run; the other lessons take one step each

#include "support/lesson.hpp"
#include "support/record/record_steps.hpp"
#include "support/words/tour_words.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const World world = make_world(options);
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const auto& [W_Q, W_K, W_V, W_O, b_O] = world.weights;
  const std::size_t seq_len = world.tokens.size();
  const std::size_t d_model = world.d_model;
  const std::size_t head_dim = d_model / world.num_heads;

  // The page follows one word, row i, and one head in full; of the other heads it shows where they look.
  const std::size_t i = world.followed;
  const std::string word = name_of(world, i);
  const std::size_t followed_head = options.head > 0 ? options.head : world.default_head;
  const std::string head = head_prefix(world, followed_head);
  const std::vector<std::size_t> channels = channels_to_show(world, world.kind_channels);
  board.option("head", followed_head);
  board.follow(head);

  board.dense();
  board.title("{text}", {{"text", options.text}}, "Attention, step by step: the tour");
  board.say(
      "Which words matter to {word}? Attention lets a word look at all words and take from each what it needs. Here is "
      "how, number by number. {weights}",
      {{"word", word}, {"weights", where_weights_come_from(options)}});
  board.map();

  // 1. The id of each token picks a row of a table.
  const Tensor embeddings = gather(world.embedding_table, world.ids);  // [seq_len, d_model]
  record_embeddings(board, world, embeddings);

  board.part("Words become rows", "text → tokens → ids → [embeddings]");
  board.say(
      "How does a word enter the arithmetic? Each word has a number, its id, and that picks a row of a table: "
      "{d_model} numbers, called channels.",
      {{"d_model", d_model}});
  board.formula("embeddings = embedding_table[ids]", "Vaswani et al. 2017, 3.4");
  board.shapes("embeddings");
  board.code({"embeddings"});
  board.table({{"tokens", "id"}, {"embeddings", "", channels}});
  board.notice("{channels}", {{"channels", what_channels_tell(world, embeddings)}});
  notice_each(board, remarks_on_text(world));

  // 2. A wave that differs from place to place is added, so that equal words differ too.
  const bool waves = options.positions == Options::Positions::sinusoidal;
  const Tensor positions = waves ? sinusoidal_positions(seq_len, d_model) : Tensor({seq_len, d_model});
  const Tensor X = add(embeddings, positions);  // [seq_len, d_model]
  record_X(board, options, positions, X);

  board.part("Add the place", "embeddings → [X] → Q, K, V");
  board.say("{place}", {{"place", what_a_place_adds(options, d_model)}});
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.shapes("X");
  board.code({"X"});
  show_rows(board, "X_row", {"embeddings", "positions", "X"}, {world.tokens[i].text, "+ place", "= X"}, i,
            {.columns = channels_to_show(world, world.telling_channels), .numbered = true});
  board.by_hand(waves ? "positions" : "X", {i, largest_of(embeddings, i, channels)});
  notice_each(board, what_waves_do_to_kinds(world, options));

  // 3. Three views of each row: what it looks for, what it offers, what it hands over.
  const Tensor Q = linear(X, W_Q, compute);  // [seq_len, d_model]
  const Tensor K = linear(X, W_K, compute);  // [seq_len, d_model]
  const Tensor V = linear(X, W_V, compute);  // [seq_len, d_model]
  record_Q_K_V(board, world, Q, K, V);

  board.part("Ask, offer, hand over", "X → [Q, K, V] → scores");
  board.say(
      "What does a word look for? Its query, Q. What does it offer to those who look? Its key, K. What does it hand "
      "over? "
      "Its value, V. Each is made from the whole row of X (compute: how to multiply).");
  board.formula("Q = X W_Qᵀ,  K = X W_Kᵀ,  V = X W_Vᵀ", "Vaswani et al. 2017, 3.2.2");
  board.shapes("Q");
  board.code({"Q", "K", "V"});
  const std::vector<std::size_t> columns = first_columns_of_head(world, followed_head);
  board.table({{"Q", "Q, looks for", columns}, {"K", "K, offers", columns}},
              {.numbered = true, .names = world.query_names});
  board.by_hand("Q", {i, largest_of(Q, i, columns)});
  notice_each(board, what_a_head_gets(world, followed_head, columns.size()));

  // 4 to 7. Each head attends with columns of its own.
  const Tensor mask = options.mask == Options::MaskKind::causal ? causal_mask(seq_len) : full_mask(seq_len, seq_len);
  std::vector<AttentionSteps> heads;
  std::vector<Tensor> contexts;
  for (std::size_t begin = 0; begin < d_model; begin += head_dim) {
    const auto own = [&](const Tensor& all) { return slice(all, -1, begin, begin + head_dim); };  // [seq_len, head_dim]
    heads.push_back(scaled_dot_product_attention(own(Q), own(K), own(V), keep_where(mask), compute));
    contexts.push_back(heads.back().context);
  }
  record_heads(board, world, mask, heads);
  const AttentionSteps& steps = heads[followed_head - 1];
  const std::size_t partner = largest_first(steps.weights, i).front();
  const char* const file = "src/attention/scaled_dot_product.cpp";

  board.part("Every query meets every key", "Q, K → [scores] → scaled");
  board.say(
      "How well does what a row's word looks for fit what a column's word offers? Multiply number by number and add "
      "up: a dot product.");
  board.formula("scores = Q Kᵀ", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "scores");
  board.code({"scores"}, file);
  board.table({{head + "scores"}}, {.shaded = true});
  board.by_hand(head + "scores", {i, partner});
  board.notice("{fit}", {{"fit", what_fits_best(world, steps.scores, i)}});

  board.part("Keep the scores moderate", "scores → [scaled, masked] → weights");
  board.say(
      "More numbers in a query make larger scores. Dividing by the root of how many, √{head_dim} = {root}, evens that "
      "out. A 0 in the mask then hides a word: its score becomes minus infinity. The row of {word}:",
      {{"head_dim", head_dim}, {"root", std::sqrt(static_cast<double>(head_dim))}, {"word", word}});
  board.formula("scaled = scores / √head_dim,  masked = scaled or -inf", "eq. (1), 3.2.3");
  board.code({"scaled", "masked"}, file);
  show_rows(board, "row", {head + "scaled", "mask", head + "masked"}, {"scaled", "mask", "masked"}, i);
  board.by_hand(head + "scaled", {i, partner});
  board.notice("{kept}", {{"kept", what_a_mask_keeps(mask)}});

  board.part("From scores to shares", "masked → [weights] → context");
  board.say(
      "What share of a word's attention goes to each? Softmax makes shares of a row: raise e to each number, then "
      "divide by the sum.");
  board.formula("weights = softmax(masked), row by row", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "weights");
  board.code({"weights"}, file);
  board.arcs_and_table(head + "weights", i);
  board.by_hand(head + "weights", {i, partner});
  board.notice("{looks}", {{"looks", where_it_looks(world, steps.weights, i)}});

  board.part("Collect", "weights, V → [context] → concat");
  board.say("What does a word take home? From each value as much as its share says. The sum is its context.");
  board.formula("context = weights V", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "context");
  board.code({"context"}, file);
  const std::vector<std::size_t> collected = first_columns(columns.size());
  board.table({{head + "V", "V, hands over", collected}, {head + "context", "context, collected", collected}});
  board.by_hand(head + "context", {i, largest_of(steps.context, i, collected)});
  notice_each(board, what_is_collected(world, board.trace().step(head + "context"), followed_head));

  // 8. The heads' contexts side by side, mixed into one row by W_O.
  const Tensor all_contexts = concat(contexts, -1);               // [seq_len, d_model]
  const Tensor output = linear(all_contexts, W_O, b_O, compute);  // [seq_len, d_model]
  record_output(board, world, all_contexts, output);

  board.part("All heads, and one row again", "contexts → [concat → output]");
  board.say("{heads}", {{"heads", what_becomes_of_heads(world)}});
  show_looks(board, world, heads, i);
  board.formula("output = concat W_Oᵀ + b_O", "Vaswani et al. 2017, 3.2.2");
  board.shapes("output");
  board.code({"all_contexts", "output"});
  board.table({{"output", "", channels}});
  board.by_hand("output", {i, largest_of(output, i, channels)});
  notice_each(board, what_came_of_it(world, board.trace()));
  const Tensor at_once =
      multi_head_attention(X, X, X, world.weights, world.num_heads, keep_where(mask), compute).output;
  board.notice("multi_head_attention() does it in one call: largest difference {difference}.",
               {{"difference", difference_of(output, at_once)}});

  board.pytorch(pytorch_lines(world, options, followed_head));
  board.experiment("--text \"the dog sat on the mat.\"", "Which rows change?");
  board.experiment_why(head + "weights", {i, partner}, "Where does it come from?");
  board.experiment("--mask causal", "What can " + word + " still see?");
  board.experiment("--weights torch --seed 1", "Is any head still readable?");
}

}  // namespace attn
