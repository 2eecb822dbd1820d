#include "tests/clear/forms.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace heddle::clear {
namespace {

constexpr std::string_view kHeaders = R"(#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
)";

constexpr std::string_view kCxxHeaders = R"(#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
)";

enum class Form : uint8_t { Direct, Call, Deep, Body, Header, Unit, Macro, Flag, Link };
constexpr std::array<std::string_view, 9> kNames = {"direct", "call",  "deep", "body", "header",
                                                    "unit",   "macro", "flag", "link"};
constexpr std::array kLocalForms = {Form::Unit, Form::Macro, Form::Flag, Form::Link};
constexpr std::array kForms = {Form::Call, Form::Header, Form::Unit,  Form::Flag,
                               Form::Deep, Form::Body,   Form::Macro, Form::Link};
constexpr size_t kFormsOfEach = 5;     // further ones of a kind whose statements can stand anywhere
constexpr size_t kCxxFormsOfEach = 2;  // of C++, where a version costs a second

std::string replaced(std::string text, std::string_view word, std::string_view with) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += with.size())
    text.replace(at, word.size(), with);
  return text;
}

std::string function(const std::string& name, const std::string& body, const std::string& storage = "static ") {
  return storage + "__attribute__((unused)) void " + name + "(void) { " + body + " }\n";
}

// The version in which the statement is the first of the two, or the second.
Sources make(const Kind& kind, Form form, const std::array<std::string, 2>& statements, bool second) {
  const std::string& now = statements[second];
  const std::string file = "main" + std::filesystem::path(kind.name).extension().string();
  const std::string step = "step" + std::filesystem::path(kind.name).extension().string();
  Sources sources;
  sources.files["all.h"] = file.ends_with(".c") ? kHeaders : kCxxHeaders;
  sources.units = {file};
  const auto write = [&](std::string_view helpers, std::string_view statement) {
    sources.files[file] = replaced(replaced(kind.program, "HELPERS", helpers), "STATEMENT", statement);
  };
  const auto calls = [&](const std::string& before, const std::string& name) {
    std::string helpers = before;
    for (size_t k = 0; k < 2; ++k)
      if (!statements[k].empty()) helpers += function(name + std::to_string(k), statements[k]);
    return helpers;
  };
  const std::string called = now.empty() ? "" : std::to_string(second) + "();";
  switch (form) {
    case Form::Direct: write("", now); break;
    case Form::Call: write(calls("", "step"), called.empty() ? "" : "step" + called); break;
    case Form::Deep: {
      std::string helpers = calls("", "deep");
      for (size_t k = 0; k < 2; ++k)
        if (!statements[k].empty()) helpers += function("step" + std::to_string(k), "deep" + std::to_string(k) + "();");
      write(helpers, called.empty() ? "" : "step" + called);
      break;
    }
    case Form::Body: write(function("step", now), "step();"); break;
    case Form::Macro:
      sources.files["step.h"] = "#define STEP " + now + "\n";
      write("#include \"step.h\"\n", "STEP");
      break;
    case Form::Flag:
      write("", "\n#ifdef ON\n" + statements[1] + "\n#else\n" + statements[0] + "\n#endif\n");
      if (second) sources.flags = {"-DON"};
      break;
    case Form::Header:  // what it uses is declared in front of it
      sources.files["step.h"] = function("step", now);
      write("#include \"step.h\"\n", "step();");
      break;
    case Form::Unit:  // main alone stands in the first file
    case Form::Link: {
      sources.files[file] = "int run_all(void);\nint main(void) { return run_all(); }\n";
      const auto rest = [&](const std::string& statement) {
        return replaced(replaced(replaced(kind.program, "HELPERS", ""), "STATEMENT", statement), "int main(void)",
                        "int run_all(void)");
      };
      if (form == Form::Unit) {
        sources.files[step] = rest(now);
        sources.units.push_back(step);
      } else {
        for (size_t k = 0; k < 2; ++k) sources.files[std::to_string(k) + step] = rest(statements[k]);
        sources.units.push_back(std::to_string(second) + step);
      }
      break;
    }
  }
  return sources;
}

Pair pair_of(const Kind& kind, Form form, size_t from, size_t to) {
  const std::string name = kind.name + "/" + std::string(kNames[static_cast<size_t>(form)]) + "/" +
                           std::to_string(from) + "-" + std::to_string(to);
  const std::array<std::string, 2> statements = {kind.statements[from], kind.statements[to]};
  return {name, make(kind, form, statements, false), make(kind, form, statements, true)};
}

}  // namespace

Kind read_kind(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  Kind kind;
  kind.name = std::filesystem::path(path).filename();
  constexpr std::string_view kStatement = "// STATEMENT:";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kStatement))
      kind.statements.push_back(line.size() > kStatement.size() ? line.substr(kStatement.size() + 1) : "");
    else if (line.starts_with("// LOCAL"))
      kind.local = true;
    else
      kind.program += line + "\n";
  }
  if (kind.statements.size() < 2 || kind.program.find("STATEMENT") == std::string::npos)
    throw std::runtime_error(path + ": it needs two statements and a place for them");
  return kind;
}

// Directly from the first statement to each other one and back. The other forms with the first two, there and back in
// turn; which forms, goes round from kind to kind.
std::vector<Pair> pairs_of(const Kind& kind) {
  std::vector<Pair> pairs;
  for (size_t k = 1; k < kind.statements.size(); ++k) {
    pairs.push_back(pair_of(kind, Form::Direct, 0, k));
    pairs.push_back(pair_of(kind, Form::Direct, k, 0));
  }
  size_t first = 0;
  for (const char c : kind.name) first += static_cast<unsigned char>(c);
  const bool cxx = !kind.name.ends_with(".c");
  if (kind.local) {
    for (size_t n = 0; n < (cxx ? kCxxFormsOfEach : kLocalForms.size()); ++n)
      pairs.push_back(pair_of(kind, kLocalForms[(n + (cxx ? first : 0)) % kLocalForms.size()], n % 2, 1 - n % 2));
    return pairs;
  }
  for (size_t n = 0; n < (cxx ? kCxxFormsOfEach : kFormsOfEach); ++n) {
    const size_t back = (first + n) / 2 % 2;
    pairs.push_back(pair_of(kind, kForms[(first + n) % kForms.size()], back, 1 - back));
  }
  return pairs;
}

}  // namespace heddle::clear
