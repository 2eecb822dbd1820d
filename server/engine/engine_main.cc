// heddle-engine: serves one project over a socket (--channel-fd N), or runs one check by itself for developers
// (--check), printing each event as JSON, or what the stages of the check came to (look_inside.h).
#include <google/protobuf/util/json_util.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <variant>

#include "server/engine/engine.h"
#include "server/engine/explorers/look_inside.h"

// jemalloc reads this. Large pages: 5 to 8 % less time to explore, for an eighth more memory.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "thp:always";
}

namespace {

using namespace heddle;

template <typename Names>
std::string list(const Names& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? " " : ",") + std::string(name);
  return text;
}

int usage(const std::string& problem) {
  std::fprintf(
      stderr,
      "heddle-engine: %s\n"
      "usage: heddle-engine --channel-fd N [--one-command]\n"
      "       heddle-engine --check [FILES] [--base PATH] [--full] [--target T] [--time-limit S]\n"
      "                     [--plain-accesses=race|visible] [--spurious-wakeups]\n"
      "                     [--memory-model=sc|tso|ra|rc11] [--weaken] [-p DIR] [-- FLAGS]\n"
      "for a look inside, with --check:\n"
      "  --print-after=STAGES   what these stages came to, in place of the events:%s\n"
      "  --print-only=NAME      of units: functions whose name contains it, libraries included\n"
      "  --explain-compile      which reuse each unit took, and why not the better one, in place of the events\n"
      "  --without-reuse=TIERS  these are switched off:%s\n"
      "  --verify-each          check each unit, facts and comparison; compile reused units from scratch;\n"
      "                         explore small jobs again without reductions\n"
      "  --reduction-limit=N    the first N of 5 reductions: spin detection, dynamic partial order,\n"
      "                         sleep sets, wakeup trees, state matching\n",
      problem.c_str(), list(engine::kStageNames).c_str(), list(frontend::kTierNames).c_str());
  return 2;
}

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

int serve(int fd, bool one_command) {
  // The daemon's death must not leave an engine running; the channel's end says the same.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  engine::Settings settings = engine::Settings::from_environment();
  settings.one_command = one_command;
  engine::Engine server(fd, settings);
  return server.serve();
}

// What a developer asks for in addition to the check.
struct Look {
  engine::LookInside inside;
  uint32_t reductions = ~0u;
  uint32_t problems = 0;

  Look() {
    inside.print = [](const std::string& text) { std::fputs(text.c_str(), stdout); };
    inside.problem = [this](const std::string& text) {
      ++problems;
      std::printf("verify: %s\n", text.c_str());
    };
  }
  // False: the argument is none of these. A sentence: what is wrong with it.
  std::variant<bool, std::string> take(std::string_view argument) {
    const auto rest = [&](std::string_view name) -> std::optional<std::string> {
      return argument.starts_with(name) ? std::optional(std::string(argument.substr(name.size()))) : std::nullopt;
    };
    if (argument == "--verify-each") return inside.verify = inside.compile.verify = true;
    if (argument == "--explain-compile") return inside.explain_compile = true;
    if (const auto name = rest("--print-only=")) return inside.only = *name, true;
    if (const auto number = rest("--reduction-limit=")) {
      const auto [end, error] = std::from_chars(number->data(), number->data() + number->size(), reductions);
      if (error == std::errc() && end == number->data() + number->size()) return true;
      return "--reduction-limit needs a number";
    }
    if (const auto tiers = rest("--without-reuse="))
      return each_word(*tiers, [&](const std::string& word) -> std::string {
        const std::optional<frontend::Tier> tier = frontend::tier_named(word);
        if (!tier || *tier == frontend::Tier::Scratch) return "there is no reuse '" + word + "' to switch off";
        inside.compile.tiers.switch_off(*tier);
        return "";
      });
    if (const auto stages = rest("--print-after="))
      return each_word(*stages, [&](const std::string& word) -> std::string {
        const std::optional<engine::Stage> stage = engine::stage_named(word);
        if (!stage) return "there is no stage '" + word + "'";
        inside.stages.insert(*stage);
        return "";
      });
    return false;
  }

  bool replaces_events() const { return !inside.stages.empty() || inside.explain_compile; }
  bool is_wanted() const { return replaces_events() || inside.verify || inside.compile != frontend::CompileOptions{}; }

 private:
  // True, or what is wrong with one of the words.
  template <typename Take>
  static std::variant<bool, std::string> each_word(const std::string& list, const Take& take) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
      if (std::string problem = take(word); !problem.empty()) return problem;
    return true;
  }
};

v1::MemoryModel memory_model(const std::string& argument) {
  if (argument == "--memory-model=sc") return v1::MEMORY_MODEL_SC;
  if (argument == "--memory-model=tso") return v1::MEMORY_MODEL_TSO;
  if (argument == "--memory-model=ra") return v1::MEMORY_MODEL_RA;
  if (argument == "--memory-model=rc11") return v1::MEMORY_MODEL_RC11;
  return v1::MEMORY_MODEL_DEFAULT;
}

int check(const v1::CheckRequest& request, const Look& look) {
  engine::Settings settings = engine::Settings::from_environment();
  if (look.is_wanted()) settings.look = &look.inside;
  settings.reductions = look.reductions;
  engine::Engine server(-1, settings);
  const bool events = !look.replaces_events();
  const v1::Verdict verdict = server.run_once(request, [events](const v1::Frame& frame) {
    if (!events) return;
    std::string text;
    google::protobuf::util::JsonPrintOptions options;
    options.always_print_primitive_fields = false;
    if (frame.has_event() && google::protobuf::util::MessageToJsonString(frame.event(), &text, options).ok())
      std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  });
  if (look.problems > 0) return 5;
  switch (verdict.kind()) {
    case v1::VERDICT_CLEAR: return 0;
    case v1::VERDICT_FINDINGS: return 1;
    case v1::VERDICT_INCONCLUSIVE: return 3;
    default: break;
  }
  return verdict.error() == v1::ERROR_USAGE ? 2 : verdict.error() == v1::ERROR_BUILD ? 4 : 5;
}

}  // namespace

int main(int count, char** arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file limit is a full disk: an error, not the end
  v1::CheckRequest request;
  Look look;
  bool checking = false, one_command = false;
  std::optional<int> channel;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::variant<bool, std::string> taken = look.take(argument);
    if (const auto* problem = std::get_if<std::string>(&taken)) return usage(*problem);
    if (std::get<bool>(taken)) continue;
    const auto value = [&]() -> std::string { return i + 1 < count ? arguments[++i] : ""; };
    if (argument == "--channel-fd") {
      const std::string text = value();
      char* end = nullptr;
      const long fd = std::strtol(text.c_str(), &end, 10);
      if (text.empty() || *end || fd < 0) return usage("--channel-fd needs the number of an open descriptor");
      channel = static_cast<int>(fd);
      continue;
    }
    if (argument == "--one-command")
      one_command = true;
    else if (argument == "--check")
      checking = true;
    else if (argument == "--base")
      request.set_base(absolute(value()));
    else if (argument == "--full")
      request.set_full(true);
    else if (argument == "--target")
      request.set_target(value());
    else if (argument == "--time-limit")
      request.set_time_limit_seconds(std::atof(value().c_str()));
    else if (argument == "--plain-accesses=visible")
      request.set_plain_accesses(v1::PLAIN_ACCESSES_VISIBLE);
    else if (argument == "--plain-accesses=race")
      request.set_plain_accesses(v1::PLAIN_ACCESSES_RACE);
    else if (argument == "--weaken")
      request.set_weaken(true), request.set_full(true), request.set_trial(true);
    else if (const v1::MemoryModel model = memory_model(argument); model != v1::MEMORY_MODEL_DEFAULT)
      request.set_memory_model(model);
    else if (argument == "--spurious-wakeups")
      request.set_spurious_wakeups(true);
    else if (argument == "-p")
      request.set_database_directory(absolute(value()));
    else if (argument == "--") {
      while (++i < count) request.add_flags(arguments[i]);
    } else if (argument[0] == '-')
      return usage("unknown argument '" + argument + "'");
    else
      request.add_files(absolute(argument));
  }
  if (channel) return serve(*channel, one_command);
  if (!checking) return usage("--channel-fd N or --check is needed");
  if (request.files().empty() && request.database_directory().empty())
    request.set_root(std::filesystem::current_path().string());
  return check(request, look);
}
