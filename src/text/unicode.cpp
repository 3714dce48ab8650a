#include "text/unicode.hpp"

#include <fmt/core.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace attn {
namespace {

// NFC sorts the marks of each cluster in time that grows with the square of their number: a heap of marks larger than
// this many bytes stays as it was written. No word of any language comes near.
constexpr std::size_t longest_composed_cluster = 256;

unsigned byte_at(std::string_view text, std::size_t position) {
  return position < text.size() ? static_cast<unsigned char>(text[position]) : 0U;
}

/// What is wrong with the malformed character at `position`; see table 3-7 of the Unicode Standard.
std::string_view what_is_malformed(std::string_view text, std::size_t position) {
  const unsigned first = byte_at(text, position);
  const unsigned second = byte_at(text, position + 1);
  const bool second_continues = (second & 0xC0U) == 0x80U;
  if (first < 0xC0) return "continues a character that never started";
  if (first > 0xF7) return "is used nowhere in UTF-8";
  if (first > 0xF4 || (first == 0xF4 && second_continues && second > 0x8F)) return "starts a character past U+10FFFF";
  if (first == 0xED && second_continues && second > 0x9F) return "starts a surrogate, which is half a UTF-16 character";
  const bool overlong = first < 0xC2 || (first == 0xE0 && second_continues && second < 0xA0) ||
                        (first == 0xF0 && second_continues && second < 0x90);
  if (overlong) return "starts a character in more bytes than it needs";
  return "starts a character that is cut short";
}

struct CodePoint {
  char32_t value;
  std::size_t size;  // in bytes
};

CodePoint code_point_at(std::string_view text, std::size_t position) {
  utf8proc_int32_t value = -1;
  const utf8proc_ssize_t size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + position,
                       static_cast<utf8proc_ssize_t>(std::min<std::size_t>(text.size() - position, 4)), &value);
  if (size <= 0)
    throw std::invalid_argument(
        fmt::format("the text is not valid UTF-8: byte 0x{:02X} at position {} (counted from 0) {}: save the text as "
                    "UTF-8, or remove that byte",
                    byte_at(text, position), position, what_is_malformed(text, position)));
  return {.value = static_cast<char32_t>(value), .size = static_cast<std::size_t>(size)};
}

utf8proc_int32_t for_utf8proc(char32_t code_point) {
  return static_cast<utf8proc_int32_t>(code_point);
}

void append(std::string& text, char32_t code_point) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size = utf8proc_encode_char(for_utf8proc(code_point), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

utf8proc_category_t category(char32_t code_point) {
  return utf8proc_category(for_utf8proc(code_point));
}

int break_class(char32_t code_point) {
  return static_cast<int>(utf8proc_get_property(for_utf8proc(code_point))->boundclass);
}

/// Controls, line ends, and format characters that join nothing: each is a grapheme cluster alone, and is not seen.
bool is_unseen(char32_t code_point) {
  const int where_to_break = break_class(code_point);
  return where_to_break == UTF8PROC_BOUNDCLASS_CONTROL || where_to_break == UTF8PROC_BOUNDCLASS_CR ||
         where_to_break == UTF8PROC_BOUNDCLASS_LF;
}

bool is_within(char32_t code_point, char32_t first, char32_t last) {
  return code_point >= first && code_point <= last;
}

/// Unicode's Default_Ignorable_Code_Point: drawn as nothing, wherever a font does not know better.
bool is_ignorable(char32_t c) {
  // Those that are not assigned yet, which utf8proc says nothing of.
  if (c == 0x2065 || is_within(c, 0xFFF0, 0xFFF8) || is_within(c, 0xE0000, 0xE0FFF)) return true;
  return utf8proc_get_property(for_utf8proc(c))->ignorable != 0;
}

bool is_mark(char32_t code_point) {
  const utf8proc_category_t kind = category(code_point);
  return kind == UTF8PROC_CATEGORY_MN || kind == UTF8PROC_CATEGORY_MC || kind == UTF8PROC_CATEGORY_ME;
}

bool is_pictograph(char32_t code_point) {
  return break_class(code_point) == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

/// Scripts whose letters change with a joiner beside them: Arabic and its kin, those of India, Myanmar, Khmer,
/// Mongolian, Phags-pa.
bool is_joining_script(char32_t c) {
  return is_within(c, 0x0600, 0x0DFF) || is_within(c, 0x1000, 0x109F) || is_within(c, 0x1780, 0x18AF) ||
         is_within(c, 0xA840, 0xA877);
}

/// The flags of England, Scotland and Wales are a black flag, letters that are not seen, and a sign that ends them.
bool is_flag_of_tags(std::u32string_view cluster) {
  constexpr char32_t black_flag = 0x1F3F4;
  constexpr char32_t end_of_tags = 0xE007F;
  return cluster.front() == black_flag && cluster.back() == end_of_tags;
}

/// Is this selector of a variant behind a character that has variants?
bool selects_variant(char32_t selector, char32_t before) {
  const utf8proc_category_t kind = category(before);
  if (selector == 0xFE0E || selector == 0xFE0F)  // draw it as text, as an emoji
    return is_pictograph(before) || is_digit(before) || before == U'#' || before == U'*';
  if (is_within(selector, 0x180B, 0x180F)) return is_within(before, 0x1800, 0x18AF);
  const bool is_selector = is_within(selector, 0xFE00, 0xFE0D) || is_within(selector, 0xE0100, 0xE01EF);
  return is_selector && (kind == UTF8PROC_CATEGORY_LO || kind == UTF8PROC_CATEGORY_SM || kind == UTF8PROC_CATEGORY_SO);
}

/// Does a reader see nothing of the cluster's code point k: neither itself, nor what it does to its neighbours?
bool leaves_nothing_to_see(std::u32string_view cluster, std::size_t k) {
  constexpr char32_t non_joiner = 0x200C;
  constexpr char32_t joiner = 0x200D;
  constexpr char32_t blank_braille = 0x2800;
  const char32_t c = cluster[k];
  if (is_unseen(c) || c == blank_braille) return true;
  if (!is_ignorable(c)) return false;
  if (is_within(c, 0x115F, 0x1160)) {  // fill the place of a consonant or a vowel in a Hangul syllable
    return std::all_of(cluster.begin(), cluster.end(), is_ignorable);
  }
  if (k == 0) return true;
  const char32_t before = cluster[k - 1];
  if (c == joiner && k + 1 < cluster.size() && is_pictograph(cluster[k + 1])) return false;
  if (c == joiner || c == non_joiner) return is_ignorable(before) || !is_joining_script(before);
  if (is_within(c, 0xE0020, 0xE007F)) return !is_flag_of_tags(cluster);
  return !selects_variant(c, before);
}

/// Printable ASCII, as most text is: each byte is a character of its own, is seen, and takes one column.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::size_t cluster_width(std::u32string_view cluster) {
  constexpr char32_t emoji_style = 0xFE0F;  // variation selector 16: "draw this as an emoji"
  const char32_t first = cluster.front();
  if (is_unseen(first)) return 0;
  if (break_class(first) == UTF8PROC_BOUNDCLASS_REGIONAL_INDICATOR) return cluster.size() > 1 ? 2 : 1;  // a flag
  const bool could_be_emoji = break_class(first) == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC || is_digit(first) ||
                              first == U'#' || first == U'*';  // keycaps
  if (could_be_emoji && cluster.find(emoji_style) != std::u32string_view::npos) return 2;

  // The widest part decides: the marks and joiners have no width, and the vowel and the final consonant of a Hangul
  // syllable are drawn inside the square of its first consonant.
  int widest = 0;
  for (const char32_t code_point : cluster) widest = std::max(widest, utf8proc_charwidth(for_utf8proc(code_point)));
  return static_cast<std::size_t>(widest);
}

std::string composed_cluster(std::string_view cluster) {
  utf8proc_uint8_t* bytes = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(cluster.data()),
                                             static_cast<utf8proc_ssize_t>(cluster.size()), &bytes,
                                             static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (size < 0) throw std::runtime_error(fmt::format("composing characters failed: {}", utf8proc_errmsg(size)));
  std::string result(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  std::free(bytes);
  return result;
}

}  // namespace

void require_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) position += code_point_at(text, position).size;
}

std::u32string code_points(std::string_view text) {
  std::u32string result;
  for (std::size_t position = 0; position < text.size();) {
    const CodePoint next = code_point_at(text, position);
    result.push_back(next.value);
    position += next.size;
  }
  return result;
}

std::vector<std::string_view> graphemes(std::string_view text) {
  std::vector<std::string_view> pieces;
  utf8proc_int32_t state = 0;  // what utf8proc remembers of the cluster so far
  char32_t previous = 0;
  std::size_t start = 0;
  for (std::size_t position = 0; position < text.size();) {
    const CodePoint next = code_point_at(text, position);
    if (position > 0 && utf8proc_grapheme_break_stateful(for_utf8proc(previous), for_utf8proc(next.value), &state)) {
      pieces.push_back(text.substr(start, position - start));
      start = position;
    }
    previous = next.value;
    position += next.size;
  }
  if (start < text.size()) pieces.push_back(text.substr(start));
  return pieces;
}

std::size_t display_width(std::string_view text) {
  if (is_plain(text)) return text.size();
  std::size_t width = 0;
  for (const std::string_view cluster : graphemes(text)) width += cluster_width(code_points(cluster));
  return width;
}

std::string lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char32_t code_point : code_points(text))
    append(result, static_cast<char32_t>(utf8proc_tolower(for_utf8proc(code_point))));
  return result;
}

std::string composed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const std::string_view cluster : graphemes(text)) {
    const bool as_it_is = cluster.size() == 1 || cluster.size() > longest_composed_cluster;
    result += as_it_is ? std::string(cluster) : composed_cluster(cluster);
  }
  return result;
}

bool is_white_space(char32_t code_point) {
  constexpr char32_t next_line = 0x85;
  constexpr char32_t zero_width_space = 0x200B;
  if (code_point >= U'\t' && code_point <= U'\r') return true;  // tab, line feed, vertical tab, form feed, return
  if (code_point == next_line || code_point == zero_width_space) return true;
  const utf8proc_category_t kind = category(code_point);
  return kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

bool is_layout_hint(char32_t code_point) {
  return category(code_point) == UTF8PROC_CATEGORY_CF && is_unseen(code_point) && !is_white_space(code_point);
}

bool is_letter(char32_t code_point) {
  const utf8proc_category_t kind = category(code_point);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool is_digit(char32_t code_point) {
  return category(code_point) == UTF8PROC_CATEGORY_ND;
}

bool is_word_character(char32_t code_point) {
  const utf8proc_category_t kind = category(code_point);  // Lu Ll Lt Lm Lo, Mn Mc Me, Nd Nl No follow each other
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NO;
}

std::vector<Stretch> stretches(std::string_view text) {
  if (is_plain(text) && !text.empty()) return {{.text = text, .seen = true}};
  std::vector<Stretch> result;
  const auto append_to_result = [&](std::string_view piece, bool seen) {
    const bool goes_on = seen && !result.empty() && result.back().seen;
    if (!goes_on) return result.push_back({.text = piece, .seen = seen});
    std::string_view& last = result.back().text;
    last = {last.data(), last.size() + piece.size()};  // the pieces are neighbours
  };
  for (const std::string_view cluster : graphemes(text)) {
    const std::u32string content = code_points(cluster);
    std::size_t position = 0;
    bool seen = true;
    for (std::size_t k = 0; k < content.size(); ++k) {
      const std::size_t size = code_point_at(cluster, position).size;
      // Marks behind what is not seen would sit on whatever is written in its place.
      seen = !leaves_nothing_to_see(content, k) && (seen || !is_mark(content[k]));
      append_to_result(cluster.substr(position, size), seen);
      position += size;
    }
  }
  return result;
}

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const Stretch& stretch : stretches(text)) {
    if (stretch.seen) {
      result += stretch.text;
      continue;
    }
    const char32_t hidden = code_points(stretch.text).front();
    if (hidden < 0x20 || hidden == 0x7F) {
      append(result, hidden == 0x7F ? U'\u2421' : U'\u2400' + hidden);
    } else {
      result += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(hidden));
    }
  }
  return result;
}

}  // namespace attn
