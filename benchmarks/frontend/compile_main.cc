// How long a save takes in the front end: bench_compile [--rounds N] FILE... [-- FLAGS]
//
// For each file: the first compile (with building the preamble), then the median and 95th percentile of N compiles,
// each of a text that differs from the one before (an appended comment, as an editor's save would), and the growth of
// the process over these N compiles.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/frontend/frontend.h"

namespace {

using heddle::frontend::CompileCommand;
using heddle::frontend::Compiler;
using heddle::frontend::Overlay;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double resident_mb() {
  std::ifstream status("/proc/self/statm");
  double total = 0, resident = 0;
  status >> total >> resident;
  return resident * 4096 / 1e6;
}

int measure(const CompileCommand& command, int rounds) {
  std::ifstream in(command.file);
  std::stringstream text;
  text << in.rdbuf();
  const std::string source = text.str();
  Compiler compiler;
  double start = now_ms();
  const auto first = compiler.compile(command, {});
  const double cold = now_ms() - start;
  if (!first.unit) {
    std::printf("%s: does not compile\n", command.file.c_str());
    return 1;
  }
  size_t instructions = 0;
  for (const auto& function : first.unit->functions) instructions += function.code.size();
  double before = 0;
  std::vector<double> times, processor;
  size_t taken_over = 0;
  for (int n = 0; n < rounds + 3; ++n) {
    const std::vector<Overlay> overlays = {{command.file, source + "\n// " + std::to_string(n) + "\n"}};
    start = now_ms();
    const double busy = processor_ms();
    const auto result = compiler.compile(command, overlays);
    if (n >= 3) times.push_back(now_ms() - start);
    if (n >= 3) processor.push_back(processor_ms() - busy);
    if (n == 10) before = resident_mb();
    taken_over = result.functions_taken_over;
    if (!result.unit || result.preamble_built) return 1;
  }
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  const auto lines = std::count(source.begin(), source.end(), '\n');
  std::printf(
      "%s: %ld lines, %zu functions, %zu instructions: first %.1f ms, warm median %.2f ms (%.2f of processor), p95 "
      "%.2f ms, %zu taken over, growth %.1f MB\n",
      std::filesystem::path(command.file).filename().c_str(), static_cast<long>(lines), first.unit->functions.size(),
      instructions, cold, times[times.size() / 2], processor[processor.size() / 2], times[times.size() * 95 / 100],
      taken_over, resident_mb() - before);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  int rounds = 200;
  std::vector<std::string> files, flags;
  // What follows `--` is the compiler's.
  const int own = static_cast<int>(std::find(words, words + count, std::string_view("--")) - words);
  for (int n = own + 1; n < count; ++n) flags.emplace_back(words[n]);
  CLI::App app{"how long a save takes in the front end; the compiler's flags follow --", "bench_compile"};
  app.add_option("--rounds", rounds, "compiles of each file")->check(CLI::Range(20, 1'000'000));
  app.add_option("files", files, "C or C++ files")->check(CLI::ExistingFile);
  try {
    app.parse(own, words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (files.empty()) return std::fprintf(stderr, "bench_compile: name at least one file to compile\n"), 2;
  heddle::frontend::ProjectRequest request;
  request.flags = std::move(flags);
  for (const std::string& file : files) request.files.push_back(std::filesystem::absolute(file).lexically_normal());
  const auto found = heddle::frontend::find_project(request);
  if (const auto* error = std::get_if<heddle::frontend::ProjectError>(&found)) {
    std::fprintf(stderr, "%s\n%s\n", error->message.c_str(), error->remedy.c_str());
    return 2;
  }
  int status = 0;
  for (const CompileCommand& command : std::get<heddle::frontend::Project>(found).commands)
    if (std::find(request.files.begin(), request.files.end(), command.file) != request.files.end())
      status |= measure(command, rounds);
  return status;
}
