#include "client/shared_store.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "client/check_request.h"
#include "client/command_line/output.h"
#include "client/link/backend.h"
#include "server/disk/user_state.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).lexically_normal().string();
}

// What the engine's notes say of the store that it could not write.
std::string problem_in(const v1::Verdict& verdict) {
  for (const std::string& note : verdict.scope().assumptions())
    if (note.starts_with("the shared store ")) return note;
  return "";
}

struct Exported {
  uint32_t targets = 0;
  std::vector<std::string> left_out;  // not judged, or not to the end
  std::string problem;
};

Exported ask(Backend& backend, const v1::CheckRequest& request, std::optional<Failure>& failure) {
  Exported out;
  std::map<std::string, bool> known;  // by target
  failure = backend.check(request, [&](const v1::Event& event) {
    if (!event.has_verdict()) return;
    if (const std::string problem = problem_in(event.verdict()); !problem.empty()) out.problem = problem;
    if (event.target().empty()) {
      if (event.verdict().kind() == v1::VERDICT_ERROR) out.problem = event.verdict().message();
      return;
    }
    known[event.target()] =
        event.verdict().kind() == v1::VERDICT_CLEAR || event.verdict().kind() == v1::VERDICT_FINDINGS;
  });
  for (const auto& [target, judged] : known) {
    if (judged)
      ++out.targets;
    else
      out.left_out.push_back(target);
  }
  return out;
}

}  // namespace

int run_cache_export(const Options& options) {
  const std::string path = absolute(options.store);
  v1::CheckRequest request;
  if (auto failure = make_request(options, request)) return fail(*failure, ExitCode::Usage);
  request.set_ledger_only(true);
  ::setenv("HEDDLE_STORE_EXPORT", path.c_str(), 1);
  ::unsetenv("HEDDLE_STORE");
  auto connected = connect_engine();
  if (const auto* failure = std::get_if<Failure>(&connected)) return fail(*failure, ExitCode::Internal);
  std::optional<Failure> failure;
  const Exported exported = ask(*std::get<0>(connected), request, failure);
  if (failure) return fail(*failure, ExitCode::Internal);
  if (!exported.problem.empty()) return fail({exported.problem, "name another file with --to"}, ExitCode::Usage);
  std::printf("%s: %u target%s exported\n", path.c_str(), exported.targets, exported.targets == 1 ? "" : "s");
  for (const std::string& target : exported.left_out)
    std::printf("not exported: %s, which was not judged to its end as it is now; `heddle full` does\n", target.c_str());
  return 0;
}

int run_cache_use(const Options& options) {
  if (options.store.empty() && !options.no_store)
    return fail({"no store is named", "name a file or a folder, or give --none"}, ExitCode::Usage);
  const std::string path = options.store.empty() ? "" : absolute(options.store);
  if (std::error_code error; !path.empty() && !fs::exists(path, error))
    return fail({path + " is not there", "`heddle cache export --to " + path + "` writes it"}, ExitCode::Usage);
  if (const std::string problem = disk::write_chosen_store(path); !problem.empty())
    return fail({problem, "look at its permissions"}, ExitCode::Usage);
  std::printf("%s\n", path.empty() ? "no shared store is read from now on"
                                   : (path + " is read from now on; nothing is written to it").c_str());
  return 0;
}

}  // namespace heddle::client
