// Lesson 13: three kinds of attention
//
// Question   Who asks whom: in an encoder, in a decoder, and between the two?
// Equation   Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V             Vaswani et al. 2017, 3.2.3
// Builds on  05 to 09 (one head), 08 (mask)
// Ignores    --mask: each kind has the mask that belongs to it

#include "attention/kinds/masks.hpp"
#include "support/lesson.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/words/pytorch_lines_of_two.hpp"
#include "support/words/three_kinds_words.hpp"
#include "support/world/sentences.hpp"

namespace attn {

void lesson(Board& board, const Options& typed) {
  Options options = typed;
  options.mask = Options::MaskKind::none;  // each kind has the mask that belongs to it, whatever --mask says
  board.option("mask", "none");
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const auto text_or = [&](const char* own) { return options.text_given ? options.text : own; };
  const std::vector<OneHead> all =
      sentences(options, {text_or("the cat sat on the mat."), text_or("The dog barked very loudly."),
                          text_or("Hello everyone."), memory_text(board, options, "Bonjour tout le monde.")});
  const OneHead& read = all[0];     // by an encoder
  const OneHead& written = all[1];  // by a decoder
  const OneHead& asking = all[2];   // what a decoder has written of a translation
  const OneHead& memory = all[3];   // what an encoder has read for it
  record_sentences(board, all, {"encoder.", "decoder.", "asking.", "memory."});

  board.title("Three kinds of attention");
  board.map("context");
  board.say("Who asks whom: in an encoder, in a decoder, and between the two?");
  board.say(
      "A translator has two halves: an encoder reads a sentence, a decoder writes another. They attend in three ways "
      "with one function. In a model each way has its own weights; here all share those of {head}: "
      "only the call differs.",
      {{"head", followed_head(read)}});

  // 1. Encoder: queries, keys and values of one sentence, and nothing is hidden.
  const AttentionSteps encoder = scaled_dot_product_attention(read.Q, read.K, read.V, compute);
  record_attention(board, encoder, "encoder.", {"encoder.Q", "encoder.K", "encoder.V"});

  board.part("Encoder: a sentence asks itself", "Q, K, V → [encoder.weights]");
  board.say("To read, a word may look at all words, before it and after it. The row of {word}:", {{"word", read.word}});
  board.formula("Q, K, V = X W_Qᵀ, X W_Kᵀ, X W_Vᵀ;  no mask", "Vaswani et al. 2017, 3.2.3");
  board.code({"encoder"});
  board.bars("encoder.weights", read.i);
  board.notice("{sentence}", {{"sentence", what_it_gives_each_way(read.world, encoder.weights, read.i)}});

  // 2. Decoder: the same call with a causal mask.
  const std::size_t seq_len = written.world.tokens.size();
  const Tensor causal = causal_mask(seq_len);  // [seq_len, seq_len]
  const AttentionSteps decoder =
      scaled_dot_product_attention(written.Q, written.K, written.V, keep_where(causal), compute);
  const std::vector<std::string> words = written.world.token_texts();
  board.record("decoder.mask", causal, given().with_rows(words).with_columns(words));
  record_attention(board, decoder, "decoder.", {"decoder.Q", "decoder.K", "decoder.V", "decoder.mask"});
  const Tensor open = softmax(decoder.scaled, -1, compute);
  board.record("open.weights", open, softmax("decoder.scaled", -1));

  board.part("Decoder: a sentence asks its past", "Q, K, V, mask → [decoder.weights]");
  board.say(
      "To write is to produce the next word: the row of a word produces the one after it. So a word may see itself and "
      "what came before it, never what comes later{end}",
      {{"end", seq_len > 1 ? ":" : ". (Here nothing comes later.)"}});
  if (seq_len > 1)
    board.links("row of", {words.begin(), words.end() - 1}, "produces", {words.begin() + 1, words.end()});
  board.code({"causal", "decoder"});
  board.panels({{"open.weights", "without mask"}, {"decoder.weights"}}, {.top = 1.0, .row_sums = true});
  board.by_hand("decoder.weights", {written.i, 0});
  board.notice("{sentence}", {{"sentence", what_the_next_word_gets(written.world, decoder.weights, open, written.i)}});

  // 3. Cross-attention: queries of one sentence, keys and values of the other.
  const AttentionSteps cross = scaled_dot_product_attention(asking.Q, memory.K, memory.V, compute);
  record_attention(board, cross, "cross.", {"asking.Q", "memory.K", "memory.V"});

  board.part("Cross: one asks the other", "asking.Q, memory.K, V → [cross.weights]");
  board.say(
      "To translate, each word that is written may look at all that was read. The decoder asks: Q is made from its "
      "rows. "
      "The encoder answers: K and V are made from its output, the memory (here: X).");
  board.formula("Q = asking.X W_Qᵀ;  K, V = memory.X W_Kᵀ, memory.X W_Vᵀ", "3.2.3");
  board.shapes("cross.scores");
  board.code({"cross"});
  board.table({{"cross.weights"}}, {.shaded = cross.weights.dim(1) > 1, .row_sums = true});
  board.by_hand("cross.scores", {asking.i, 0});
  board.notice("{sentence}", {{"sentence", what_a_rectangle_is(cross.weights)}});
  board.notice("{sentence}", {{"sentence", what_it_finds_in_the_memory(asking, memory, cross.weights)}});
  board.notice("{sentence}", {{"sentence", what_a_causal_mask_hides(asking, memory)}});

  // 4. What is mixed up most: who asks, and whose mask it is.
  const AttentionSteps swapped =
      scaled_dot_product_attention(memory.Q, asking.K, asking.V, compute);  // the wrong way round
  record_attention(board, swapped, "swapped.", {"memory.Q", "asking.K", "asking.V"});

  board.part("Two mix-ups", "memory.Q, asking.K, asking.V → swapped");
  board.say("Often Q is taken from the encoder, by mistake. What then?");
  board.code({"swapped"});
  board.shapes("swapped.scores");
  board.notice("{sentence}", {{"sentence", what_swapped_queries_give(asking, memory, cross.weights, swapped.weights)}});
  board.notice("{sentence}", {{"sentence", what_the_wrong_mask_does(asking, memory)}});

  // 5. Padding fills short sentences up. Whoever looks at a sentence must not see its padding.
  const Tensor text_keep = keep_all_but_last(asking);    // [1, seq_len_q + 1], 0 for the padding
  const Tensor memory_keep = keep_all_but_last(memory);  // [1, seq_len_kv + 1]
  const std::size_t seq_len_q = text_keep.dim(1);
  const std::size_t seq_len_kv = memory_keep.dim(1);
  const Tensor decoder_mask = combine_masks(causal_mask(seq_len_q), text_keep);
  const Tensor cross_mask = combine_masks(full_mask(seq_len_q, seq_len_kv), memory_keep);

  board.part("Which mask goes where", "padding, causal → masks");
  board.say(
      "A batch is several sentences at once. Short ones are filled up with padding, here one <pad> each. No word may "
      "look "
      "at it:");
  board.code({"cross_mask"});
  record_masks(board, asking, memory, decoder_mask, cross_mask);
  board.panels({{"decoder_mask"}, {"cross_mask"}});
  board.notice(
      "Masks hide columns: the padding of the sentence that is looked at. decoder_mask hides later words as well. (The "
      "encoder that reads the memory hides the same columns as cross_mask.)");

  board.ask(
      "The decoder writes one more word. Whose weights get a row, whose a column: encoder's, decoder's, cross?",
      "The encoder's stay: what was read does not change. The decoder's get a row and a column. Those of cross get "
      "a row only, so K and V of the memory are made once and kept.");
  board.pytorch(pytorch_lines_of_cross_weights(asking, memory, options));
  board.experiment("--text \"cat sat\" --memory \"a dog\"", "Who complains now?");
  board.experiment("--memory \"a dog\"", "Which shapes change?");
  board.experiment("--memory cat", "Is there a choice?");
  board.experiment("--weights torch", "Which rows still add up to 1?");
}

}  // namespace attn
