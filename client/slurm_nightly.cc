#include "client/slurm_nightly.h"

#include "client/check_request.h"
#include "client/nightly/slurm.h"
#include "server/daemon/paths.h"

namespace heddle::client {

void use_slurm(const Options& options, NightlyRequest& nightly) {
  SlurmRequest jobs;
  jobs.folder = nightly.folder + "/slurm";
  jobs.root = current_directory();
  jobs.explore = {daemon::binary_directory() + "/heddle", "full", "--no-daemon"};
  const auto add = [&](const std::string& word) { jobs.explore.push_back(word); };
  if (options.time_limit_seconds > 0) add("--time-limit=" + std::to_string(options.time_limit_seconds));
  if (options.plain_accesses == v1::PLAIN_ACCESSES_VISIBLE) add("--plain-accesses=visible");
  if (options.spurious_wakeups) add("--spurious-wakeups");
  if (!options.database_directory.empty()) add("--compile-commands=" + options.database_directory);
  for (const std::string& file : options.files) add(file);
  if (!options.flags.empty()) add("--");
  for (const std::string& flag : options.flags) add(flag);
  jobs.budget_seconds = options.time_limit_seconds;
  jobs.interrupted = nightly.interrupted;
  jobs.say = nightly.say;
  nightly.elsewhere = [jobs](const std::vector<std::string>& targets) { return run_on_slurm(jobs, targets); };
}

}  // namespace heddle::client
