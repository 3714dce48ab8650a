// trace_checker FILE...|-   checks traces (json faces); exit status 0 when all hold, 1 when one does not, 2 when one
// cannot be read.

#include "lessons/trace_checker.hpp"

#include <fmt/core.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "trace_checker FILE...|-: checks every step of traces made with --face json\n");
    return 2;
  }
  int status = 0;
  for (int k = 1; k < argc; ++k) {
    const std::string name = argv[k];
    std::ifstream file;
    if (name != "-") file.open(name, std::ios::binary);
    if (name != "-" && !file) {
      fmt::print(stderr, "trace_checker: cannot read {}: is the path right?\n", name);
      return 2;
    }
    std::istream& in = name == "-" ? std::cin : file;
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const auto problems = problems_of_trace(text);
    for (const std::string& problem : problems) fmt::print("{}: {}\n", name, problem);
    if (problems.empty()) fmt::print("{}: every step follows from its inputs\n", name);
    if (!problems.empty()) status = 1;
  }
  return status;
}
