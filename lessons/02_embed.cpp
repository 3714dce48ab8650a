// Lesson 02: embed
//
// Question   How does an id become numbers that can be worked with?
// Equation   embeddings = embedding_table[ids] = one_hot embedding_table           Vaswani et al. 2017, section 3.4
// Builds on  01 (tokens and ids)
// Ignores    --mask: no word looks at another yet
// Ignores    --positions: places come in with lesson 03

#include "support/lesson.hpp"
#include "support/words/token_lists.hpp"
#include "support/world/one_head.hpp"
#include "support/world/two_places.hpp"
#include "text/vocabulary.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const OneHead head = one_head(options);
  const World& world = head.world;
  const Compute& compute = options.compute;               // how products are computed: lesson 25
  const Tensor& embedding_table = world.embedding_table;  // [vocabulary_size, d_model]
  const Tensor& ids = world.ids;                          // [seq_len]
  const std::size_t i = head.i;
  const std::vector<std::size_t> columns = channels_to_show(world, world.kind_channels);

  board.title("Embeddings");
  board.map("X");
  board.say("How does an id become numbers that can be worked with?");
  board.say("In lesson 01 each token got an id, its row in the vocabulary:");
  record_until(board, head, Until::embeddings);
  board.links("tokens", world.token_texts(), "ids", as_words(world.encoding.ids));

  // 1. The model has a table with a row for each row of the vocabulary. An id picks a row.
  const Tensor embeddings = gather(embedding_table, ids);  // [seq_len, d_model]

  board.part("A row of a table", "ids → [embeddings] → X");
  board.say(
      "An id only says which row. So the model has a table with as many rows, and in each {d_model} numbers, called "
      "channels. The row that an id picks is the token's embedding. (A shape is [rows, columns], that of a list "
      "[length].)",
      {{"d_model", world.d_model}});
  board.formula("embeddings = embedding_table[ids]", "Vaswani et al. 2017, 3.4");
  board.shapes("embeddings");
  board.code({"embeddings"});
  board.table({{"tokens", "id"}, {"embeddings", "", columns}}, {.numbered = true});
  const std::size_t channel = largest_of(embeddings, i, columns);
  board.by_hand("embeddings", {i, channel});
  board.notice("{channels} {filled}",
               {{"channels", what_channels_tell(world, embeddings)}, {"filled", how_channels_were_filled(options)}});
  notice_each(board, remarks_on_text(world));

  // 2. The same rows as a matrix product: a row of zeros with a single 1 picks a row of the table.
  Tensor identity({vocabulary_size, vocabulary_size});
  for (std::size_t id = 0; id < vocabulary_size; ++id) identity(id, id) = 1.0F;
  const Tensor one_hot = gather(identity, ids);                      // [seq_len, vocabulary_size]
  const Tensor product = matmul(one_hot, embedding_table, compute);  // [seq_len, d_model]

  board.part("The same as a product", "one_hot, embedding_table → [product]");
  board.say(
      "The lessons to come multiply and add. Picking a row can be written that way too. Let each id become a row of "
      "zeros with a single 1, in the column of the id: a one-hot row. The columns in use:");
  board.record("identity", identity,
               given().with_rows(row_labels(world.encoding)).with_columns(row_labels(world.encoding)));
  const std::vector<std::size_t> rows = rows_in_use(world.encoding.ids);
  board.show("one_hot", one_hot, gather("identity", "tokens"), {.columns = rows, .numbered = true});
  board.record("product", product, matmul("one_hot", "embedding_table"));
  board.say(
      "Multiply that row with a column of the table, number by number, and add up. The 0s wipe out every row but one:");
  board.formula("product = one_hot embedding_table", "the same, written as a product");
  board.shapes("product");
  board.code({"product"});
  board.by_hand("product", {i, channel});
  board.notice(
      "The product and part 1: largest difference {difference}. It takes {products} multiplications to move {cells} "
      "numbers, so programs pick. But the product shows what the table is: weights, numbers to be trained.",
      {{"difference", difference_of(product, embeddings)},
       {"products", product.size() * vocabulary_size},
       {"cells", product.size()}});

  // 3. Rows can be compared; ids cannot.
  const TwoPlaces words = two_words(world);
  if (words.differ()) {
    const Tensor one_row = slice(embeddings, 0, words.first, words.first + 1);      // [1, d_model]
    const Tensor other_row = slice(embeddings, 0, words.second, words.second + 1);  // [1, d_model]
    const Tensor apart = subtract(one_row, other_row);                              // [1, d_model]

    board.part("What a row tells and an id does not", "embeddings → apart");
    board.say("{question}", {{"question", how_far_apart(world, words)}});
    board.record("one_row", one_row, slice("embeddings", 0, words.first, words.first + 1));
    board.record("other_row", other_row, slice("embeddings", 0, words.second, words.second + 1));
    board.record("apart", apart, subtract("one_row", "other_row"));
    board.code({"apart"});
    show_rows(board, "words", {"one_row", "other_row", "apart"},
              {world.tokens[words.first].text, world.tokens[words.second].text, "apart"}, 0,
              {.columns = columns, .numbered = true});
    board.by_hand("apart", {0, largest_of(apart, 0, columns)});
    board.notice("{sentence}", {{"sentence", how_rows_differ(world, apart, words)}});
    board.notice("The ids tell nothing of this. Sort the list in another way, and they change; the rows move along.");
  }

  // 4. The paper enlarges embeddings by sqrt(d_model). That is not the sqrt(d_k) of the scores.
  const float root = std::sqrt(static_cast<float>(world.d_model));
  const Tensor enlarged = scale(embeddings, root);  // [seq_len, d_model]

  board.part("A root that gets mixed up", "embeddings → enlarged");
  board.say("The paper multiplies its embeddings by √d_model, the root of the number of channels:");
  board.record("enlarged", enlarged, scale("embeddings", root));
  board.formula("enlarged = embeddings · √d_model", "Vaswani et al. 2017, 3.4");
  board.code({"enlarged"});
  board.by_hand("enlarged", {i, channel});
  board.notice(
      "Lesson 03 adds waves between -1 and 1. Rows of small numbers, with which the paper's code starts, would drown "
      "in them. Ours go up to {before}, with the factor up to {after}, so we go without it.",
      {{"before", largest_size(embeddings)}, {"after", largest_size(enlarged)}});
  board.notice("Attention's own equation has another root: there scores are divided, by √d_k (lesson 06).");

  board.ask("A word stands twice in a text. Can its two embeddings differ?",
            "No. Both have the same id, so both are the same row. What differs is where they stand: lesson 03.");

  board.pytorch(pytorch_lines_of_embeddings(world, options));
  board.experiment("--text \"the dog sat on the mat.\"", "Which rows change?");
  board.experiment("--text \"a rat saw a blorf\"", "What is in the rows of new words?");
  board.experiment("--weights torch --seed 1", "What do random rows have in common?");
  board.experiment("--weights torch --d-model 64", "Larger rows: what becomes of √d_model?");
}

}  // namespace attn
