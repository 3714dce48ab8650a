// Lesson 00: the tour
//
// Question   How does a word find out which other words matter to it?
// Equation   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V            Vaswani et al. 2017, eq. (1)
// Builds on  nothing: everything is here at a run; the other lessons take one step each

#include "support/lesson.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const World world = make_world(options);
  const auto& [W_Q, W_K, W_V, W_O, b_O] = world.weights;
  const std::size_t seq_len = world.tokens.size();
  const std::size_t d_model = world.d_model;
  const std::size_t num_heads = world.num_heads;
  const std::size_t head_dim = d_model / num_heads;
  const bool crafted = world.crafted();

  // The page follows one word, row i, and one head in full; of the other heads it shows where they look.
  const std::size_t i = world.followed;
  const std::string word = name_of(world, i);
  const std::size_t followed_head = options.head > 0 ? options.head : world.default_head;
  const auto prefix = [&](std::size_t h) { return num_heads == 1 ? "" : "head" + std::to_string(h) + "."; };
  const std::string head = prefix(followed_head);
  board.option("head", followed_head);
  board.follow(head);

  board.dense();
  board.title("{text}", {{"text", options.text}}, "Attention, step by step: the tour");
  board.say(
      "Which words matter to {word}? The word alone does not tell. Attention lets each word look at all words, and "
      "take from each as much as it needs. This page works that out for {word}, number by number.",
      {{"word", word}});
  board.say("{weights} The sections at the right are those of \"Attention Is All You Need\", Vaswani et al. 2017.",
            {{"weights", where_weights_come_from(options)}});
  board.map();

  // 1. The id of each token picks a row of a table.
  const Tensor embeddings = gather(world.embedding_table, world.ids);  // [seq_len, d_model]

  board.part("Words become rows", "text → tokens → ids → [embeddings]");
  board.say(
      "How does a word enter the arithmetic? Each word has a number, its id, and that picks a row of a table: "
      "{d_model} numbers, called channels.",
      {{"d_model", d_model}});
  board.record("tokens", world.ids, tokenize(world.token_texts()));
  board.record("embedding_table", world.embedding_table,
               given().with_rows(row_labels(world.encoding)).with_columns(world.channel_names));
  board.record("embeddings", embeddings, gather("embedding_table", "tokens"));
  board.formula("embeddings = embedding_table[ids]", "Vaswani et al. 2017, 3.4");
  board.shapes("embeddings");
  board.code({"embeddings"});
  board.table({{"tokens", "id"}, {"embeddings", "", channels_to_show(world, world.kind_channels)}}, {.numbered = true});
  board.notice("{sentence}", {{"sentence", crafted ? "These channels say what kind of word it is; all others are 0."
                                                   : channels_shown(d_model)}});
  for (const std::string& remark : remarks_on_text(world)) board.notice("{remark}", {{"remark", remark}});

  // 2. A wave that differs from place to place is added, so that equal words differ too.
  const bool waves = options.positions == Options::Positions::sinusoidal;
  const Tensor positions = waves ? sinusoidal_positions(seq_len, d_model) : Tensor({seq_len, d_model});
  const Tensor X = add(embeddings, positions);  // [seq_len, d_model]

  board.part("Add the place", "embeddings → [X] → Q, K, V");
  board.say(waves ? "Equal words have equal rows, but \"dog bites man\" is not \"man bites dog\". So each place p, "
                    "counted from 0, gets a row of waves, and it is added: sin(p / 10000^(c/{d_model})) in each even "
                    "channel c, the cos of the same angle in c + 1."
                  : "Equal words have equal rows, but \"dog bites man\" is not \"man bites dog\". A row of waves for "
                    "each place would tell them apart. With --positions none, {d_model} zeros are added instead.",
            {{"d_model", d_model}});
  board.record("positions", positions, waves ? sinusoid(seq_len, d_model) : given());
  board.record("X", X, add("embeddings", "positions"));
  board.formula("X = embeddings + positions", "Vaswani et al. 2017, 3.5");
  board.shapes("X");
  board.code({"X"});
  board.table({{"X", "", channels_to_show(world, world.telling_channels)}}, {.numbered = true});
  const std::size_t channel = largest_of(embeddings, i, channels_to_show(world, world.kind_channels));
  if (waves) board.by_hand("positions", {i, channel});
  board.by_hand("X", {i, channel});
  if (waves && crafted) {
    board.notice(
        "sin and cos say where a word stands. thing, prep and det stand on slow cosines, which start at 1 for every "
        "word.");
  }

  // 3. Three views of each row: what it looks for, what it offers, what it hands over.
  const Tensor Q = linear(X, W_Q);  // [seq_len, d_model]
  const Tensor K = linear(X, W_K);  // [seq_len, d_model]
  const Tensor V = linear(X, W_V);  // [seq_len, d_model]

  board.part("Ask, offer, hand over", "X → [Q, K, V] → scores");
  board.say(
      "What does a word look for? That is its query, Q. What does it offer to those who look? Its key, K. What does it "
      "hand over? Its value, V. Each is made from the whole row of X.");
  board.record("W_Q", W_Q, given().with_columns(world.channel_names));
  board.record("W_K", W_K, given().with_columns(world.channel_names));
  board.record("W_V", W_V, given().with_columns(world.channel_names));
  board.record("Q", Q, linear("X", "W_Q"));
  board.record("K", K, linear("X", "W_K"));
  board.record("V", V, linear("X", "W_V"));
  board.formula("Q = X W_Qᵀ,  K = X W_Kᵀ,  V = X W_Vᵀ", "Vaswani et al. 2017, 3.2.2");
  board.shapes("Q");
  board.code({"Q", "K", "V"});
  const std::vector<std::size_t> columns = first_columns_of_head(world, followed_head);
  board.table({{"Q", "Q, looks for", columns}, {"K", "K, offers", columns}},
              {.numbered = true, .names = world.query_names});
  board.by_hand("Q", {i, largest_of(Q, i, columns)});
  if (num_heads == 1) {
    board.notice("There is one head, so all {head_dim} columns are its own.", {{"head_dim", head_dim}});
  } else {
    board.notice(
        "The columns of Q, K and V are shared out to {heads} heads, {head_dim} each. These are head {head}'s; the "
        "others come in part 8.",
        {{"heads", num_heads}, {"head_dim", head_dim}, {"head", followed_head}});
  }
  if (crafted) board.notice("{sentence}", {{"sentence", what_Q_and_K_read(world, followed_head)}});

  // 4 to 7. Each head attends with columns of its own.
  const Tensor mask = options.mask == Options::MaskKind::causal ? causal_mask(seq_len) : full_mask(seq_len, seq_len);
  board.record("mask", mask, given().with_rows(world.token_texts()).with_columns(world.token_texts()));
  std::vector<AttentionSteps> heads;
  std::vector<Tensor> contexts;
  std::vector<std::string> context_names;
  for (std::size_t h = 1; h <= num_heads; ++h) {
    const std::size_t begin = (h - 1) * head_dim;
    const std::size_t end = h * head_dim;
    const Tensor query = slice(Q, -1, begin, end);  // [seq_len, head_dim]
    const Tensor key = slice(K, -1, begin, end);    // [seq_len, head_dim]
    const Tensor value = slice(V, -1, begin, end);  // [seq_len, head_dim]
    heads.push_back(scaled_dot_product_attention(query, key, value, keep_where(mask)));
    record_head(board, world, prefix(h), h, heads.back());
    contexts.push_back(heads.back().context);
    context_names.push_back(prefix(h) + "context");
  }
  const AttentionSteps& steps = heads[followed_head - 1];
  const std::size_t partner = largest_first(steps.weights, i).front();
  const std::string file = "src/attention/scaled_dot_product.cpp";

  board.part("Every query meets every key", "Q, K → [scores] → scaled");
  board.say(
      "How well does what one word looks for fit what another offers? Multiply number by number and add up: a dot "
      "product. A row is a word that asks, a column a word that is asked.");
  board.formula("scores = Q Kᵀ", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "scores");
  board.code({"scores"}, file);
  board.table({{head + "scores"}}, {.shaded = true});
  board.by_hand(head + "scores", {i, partner});
  board.notice("{sentence}", {{"sentence", what_fits_best(world, steps.scores, i)}});

  board.part("Keep the scores moderate", "scores → [scaled, masked] → weights");
  board.say(
      "The more numbers a query has, the larger its scores grow. Dividing by the root of how many, √{head_dim} = "
      "{root}, evens that out. A mask may then hide words: where it is 0, the score becomes minus infinity.",
      {{"head_dim", head_dim}, {"root", std::sqrt(static_cast<double>(head_dim))}});
  board.formula("scaled = scores / √head_dim;  masked = scaled, -inf where hidden", "eq. (1), 3.2.3");
  board.shapes(head + "masked");
  board.code({"scaled", "masked"}, file);
  board.table({{head + "masked"}}, {.shaded = true});
  board.by_hand(head + "scaled", {i, partner});
  const std::size_t kept = count_of_ones(mask);
  board.notice(kept == mask.size() ? "Nothing is hidden: the mask keeps {kept} of {all}. Try --mask causal."
                                   : "The mask keeps {kept} of {all} cells; the others are -inf.",
               {{"kept", kept}, {"all", mask.size()}});

  board.part("From scores to shares", "masked → [weights] → context");
  board.say(
      "What share of its attention does a word give to each? Softmax makes shares of a row: raise e to each number, "
      "then divide by the sum.");
  board.formula("weights = softmax(masked), row by row", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "weights");
  board.code({"weights"}, file);
  board.arcs_and_table(head + "weights", i);
  board.by_hand(head + "weights", {i, partner});
  board.notice("{sentence}", {{"sentence", where_it_looks(world, steps.weights, i)}});

  board.part("Collect", "weights, V → [context] → concat");
  board.say("What does a word take home? From each value as much as its share says. The sum is its context.");
  board.formula("context = weights V", "Vaswani et al. 2017, eq. (1)");
  board.shapes(head + "context");
  board.code({"context"}, file);
  const std::vector<std::size_t> collected = first_columns(columns.size());
  board.table({{head + "V", "V, hands over", collected}, {head + "context", "context, collected", collected}});
  board.by_hand(head + "context", {i, largest_of(steps.context, i, collected)});
  if (crafted) {
    board.notice("{sentence}", {{"sentence", what_V_reads(world, followed_head)}});
    board.notice("{word} has collected {contents}.",
                 {{"word", word}, {"contents", contents_of(board.trace().step(head + "context"), i, collected)}});
  }

  // 8. The heads' contexts side by side, mixed into one row by W_O.
  const Tensor all_contexts = concat(contexts, -1);      // [seq_len, d_model]
  const Tensor output = linear(all_contexts, W_O, b_O);  // [seq_len, d_model]

  board.part("All heads, and one row again", "contexts → [concat → output]");
  board.say("Each head does the same with its own columns. Where they look from {word}:", {{"word", word}});
  show_looks(board, world, heads, i);
  board.say("Their contexts are laid end to end, and a last table of weights, W_O, mixes them into one row.");
  board.record("W_O", W_O, given().with_rows(world.channel_names));
  board.record("b_O", b_O, given().with_rows(world.channel_names));
  board.record("concat", all_contexts, concat(context_names, 1));
  board.record("output", output, linear("concat", "W_O", "b_O"));
  board.formula("output = concat(head 1, ..., head h) W_Oᵀ + b_O", "Vaswani et al. 2017, 3.2.2");
  board.shapes("output");
  board.code({"all_contexts", "output"});
  board.table({{"output", "", channels_to_show(world, world.kind_channels)}}, {.numbered = true});
  board.by_hand("output", {i, largest_of(output, i, channels_to_show(world, world.kind_channels))});
  if (crafted) {
    board.notice(
        "{word} came in with {before} and leaves with {after}: what it collected. A Transformer then adds this to the "
        "row that came in. The channels not shown are 0.",
        {{"word", word},
         {"before", contents_of(board.trace().step("embeddings"), i, world.kind_channels)},
         {"after", contents_of(board.trace().step("output"), i, world.kind_channels)}});
  }
  const Tensor at_once = multi_head_attention(X, X, X, world.weights, num_heads, keep_where(mask)).output;
  board.notice(
      "The library does parts 3 to 8 in one call, multi_head_attention(), with the same output: largest difference "
      "{difference}.",
      {{"difference", Value::difference(largest_difference(output, at_once).largest)}});

  board.pytorch(pytorch_lines(world, options, followed_head));
  board.experiment("--text \"the dog sat on the mat.\"", "Which rows change?");
  board.experiment("--positions none", "Do equal words still differ?");
  board.experiment("--mask causal", "What can " + word + " still see?");
  board.experiment("--weights torch --seed 1", "Is any head still readable?");
}

}  // namespace attn
