#include "board/long_lines.hpp"

#include "board/ink.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <utility>

namespace attn {

std::vector<std::string> broken_at_equals(const std::string& line, std::size_t width) {
  const std::size_t first = line.find(" = ");
  if (display_width(line) <= width || first == std::string::npos) return {line};
  std::vector<std::string> lines;
  for (const std::size_t indent : {display_width(line.substr(0, first)), std::size_t{4}}) {
    lines.clear();
    std::string rest = line;
    while (display_width(rest) > width) {
      const std::size_t room = bytes_within(rest, width);
      const std::size_t after = !lines.empty() ? indent + 2 : first + 3 < room ? first : 0;  // a long name breaks too
      std::size_t cut = std::string::npos;
      // A name that leaves no room for what it equals gives way too, where the pieces begin at the left.
      for (const std::size_t at_least : {after, indent == 4 ? std::size_t{6} : after}) {
        for (const char* joint : {" = ", " + ", " - ", "   (", " "}) {
          if (cut != std::string::npos) break;
          cut = rest.rfind(joint, room);
          if (cut != std::string::npos && cut <= at_least) cut = std::string::npos;
        }
      }
      if (cut == std::string::npos) break;
      lines.push_back(rest.substr(0, cut));
      rest = std::string(indent, ' ') + rest.substr(cut);
    }
    lines.push_back(std::move(rest));
    const bool fits = std::all_of(lines.begin(), lines.end(),
                                  [&](const std::string& piece) { return display_width(piece) <= width; });
    if (fits) break;
  }
  return lines;
}

std::vector<std::string> broken_python(std::string line, std::size_t width) {
  const std::size_t remark = line.find("    #");
  if (display_width(line) > width && remark != std::string::npos) line.erase(remark);
  std::vector<std::string> lines;
  while (display_width(line) > width) {
    int depth = line.front() == ' ' ? 1 : 0;  // what is indented is in brackets already
    bool in_string = false;
    std::size_t cut = 0;
    std::size_t statement = 0;                                // where the last statement that fits ends
    const bool one_block = line.find(": ") < line.find(';');  // "for x in y: a; b" repeats both
    for (std::size_t k = 0; k <= width && k < line.size(); ++k) {
      if (line[k] == '"' && (k == 0 || line[k - 1] != '\\')) in_string = !in_string;
      if (in_string) continue;
      if (line[k] == '(' || line[k] == '[' || line[k] == '{') ++depth;
      if (line[k] == ')' || line[k] == ']' || line[k] == '}') --depth;
      if (line[k] == ' ' && depth > 0 && k > 4) cut = k;
      if (line[k] == ';' && depth == 0 && !one_block) statement = k;
    }
    if (statement > 0) {
      lines.push_back(line.substr(0, statement));
      line = line.substr(line.find_first_not_of(' ', statement + 1));
      continue;
    }
    if (cut == 0) break;
    lines.push_back(line.substr(0, cut));
    line = "    " + line.substr(cut + 1);
  }
  lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> broken_at_options(const std::string& command, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t begin = 0; begin < command.size();) {
    const std::size_t end = std::min(command.find(" --", begin + 1), command.size());
    const std::string piece = command.substr(begin, end - begin);
    const bool last = end == command.size();
    if (!line.empty() && display_width(line + piece) + (last ? 0 : 2) > width) {
      lines.push_back(std::exchange(line, "   ") + " \\");
    }
    line += piece;
    begin = end;
  }
  lines.push_back(line);
  return lines;
}

}  // namespace attn
