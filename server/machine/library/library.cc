// All tables of the library in one, and the library's variables.
#include <algorithm>

#include "server/machine/library/stream.h"
#include "server/machine/library/support.h"

namespace heddle::machine {

namespace models {

Rows join(std::initializer_list<std::span<const BuiltinRow>> tables) {
  Rows rows;
  for (const auto& table : tables) rows.insert(rows.end(), table.begin(), table.end());
  return rows;
}

}  // namespace models

std::span<const BuiltinRow> library_builtins() {
  static const models::Rows rows = [] {
    models::Rows all = models::join({string_builtins(), ctype_builtins(), stdlib_builtins(), stdio_builtins(),
                                     math_builtins(), time_builtins(), posix_builtins(), fortify_builtins()});
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    all.erase(std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name == b.name; }),
              all.end());
    return all;
  }();
  return rows;
}

std::span<const DataRow> library_data() {
  using namespace std::string_view_literals;
  static const std::string standard[3] = {models::initial_stream(0), models::initial_stream(1),
                                          models::initial_stream(2)};
  static constexpr DataLink kZones[] = {{0, "heddle.zone"}, {8, "heddle.zone"}};
  static const DataRow rows[] = {
      {"stdin", 8, "", "heddle.stream.0"},
      {"stdout", 8, "", "heddle.stream.1"},
      {"stderr", 8, "", "heddle.stream.2"},
      {"heddle.stream.0", models::kStreamSize, standard[0], ""},
      {"heddle.stream.1", models::kStreamSize, standard[1], ""},
      {"heddle.stream.2", models::kStreamSize, standard[2], ""},
      {"environ", 8, "", "heddle.environment"},
      {"__environ", 8, "", "heddle.environment"},
      {"heddle.environment", 8, "", ""},
      {"optarg", 8, "", ""},
      {"optind", 4, "\1\0\0\0"sv, ""},
      {"opterr", 4, "\1\0\0\0"sv, ""},
      {"optopt", 4, "?\0\0\0"sv, ""},
      {"signgam", 4, "", ""},
      {"__libc_single_threaded", 1, "", ""},
      {"daylight", 4, "", ""},
      {"timezone", 8, "", ""},
      {"tzname", 16, "", "", kZones},
      {"heddle.zone", 4, "GMT", ""},
      {"__daylight", 4, "", ""},
      {"__timezone", 8, "", ""},
      {"__tzname", 16, "", "", kZones},
      {"_environ", 8, "", "heddle.environment"},
      {"program_invocation_name", 8, "", "heddle.program_name"},
      {"program_invocation_short_name", 8, "", "heddle.program_name"},
      {"heddle.program_name", 8, "program", ""},
      // The processor, as __builtin_cpu_supports and cpu_is ask for it: of no known vendor, with what every x86-64 has
      // (CMOV, MMX, SSE, SSE2; the level itself is the last bit of the second word).
      {"__cpu_model", 16, "\3\0\0\0\0\0\0\0\0\0\0\0\x1b\0\0\0"sv, ""},
      {"__cpu_features2", 12, "\0\0\0\0\0\0\0\x80"sv, ""},
  };
  return rows;
}

}  // namespace heddle::machine
