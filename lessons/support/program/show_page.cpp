#include "support/program/show_page.hpp"

#include "board/board.hpp"
#include "board/json_face.hpp"
#include "board/text_face.hpp"
#include "support/program/output.hpp"
#include "support/program/pause.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

namespace attn {
namespace {

TextStyle text_style(const PageOptions& options) {
  const bool to_terminal = options.out.empty() && stdout_is_terminal();
  std::size_t width = options.width;
  if (width == 0 && to_terminal) width = terminal_columns();
  // A terminal that is narrower than the narrowest page breaks its lines by itself.
  width = width == 0 ? 80 : std::max(width, narrowest_page);
  const bool color = options.color == PageOptions::Color::always ||
                     (options.color == PageOptions::Color::automatic && to_terminal && terminal_wants_color());
  return {.width = width, .ascii = options.ascii, .color = color, .precision = options.precision};
}

/// Where standard error cannot be written to, the exit status has to do.
void complain(const std::string& name, const char* message) noexcept {
  std::fprintf(stderr, "%s: %s\n", name.c_str(), message);
}

}  // namespace

void show_page(const Board& board, const PageOptions& options) {
  if (options.face == PageOptions::Face::json) return write_page(render_json(board, options.ascii), options.out);
  if (options.pause) return read_part_by_part([&] { return render_text_parts(board, text_style(options)); });
  write_page(render_text(board, text_style(options)), options.out);
}

int run_program(const std::string& name, const std::function<ExitStatus()>& program, ExitStatus otherwise) noexcept {
  report_write_errors_instead_of_dying();
  try {
    return static_cast<int>(program());
  } catch (const std::invalid_argument& error) {
    complain(name, error.what());
    return static_cast<int>(ExitStatus::bad_options);
  } catch (const std::bad_alloc&) {
    complain(name, "not enough memory: try a shorter text or smaller sizes");
  } catch (const std::exception& error) {
    complain(name, error.what());
  }
  return static_cast<int>(otherwise);
}

}  // namespace attn
