// Several files at once; which of them need not be compiled.
#include <algorithm>
#include <cmath>
#include <utility>  // the next one wants it

#include <llvm/Support/thread.h>

#include "server/frontend/command/compile_command.h"
#include "server/frontend/compiler_state.h"

namespace heddle::frontend {

std::vector<size_t> Compiler::State::longest_first(const std::vector<CompileJob>& jobs) {
  std::vector<std::pair<double, size_t>> order;
  const base::MutexLock lock(mutex);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const auto known = files.find(jobs[i].command.file);
    order.emplace_back(known == files.end() ? -HUGE_VAL : -known->second.seconds, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<size_t> result;
  for (const auto& [seconds, job] : order) result.push_back(job);
  return result;
}

void Compiler::State::count_new_files(const std::vector<CompileJob>& jobs) {
  constexpr size_t kFew = 4;  // whose preambles the first compile builds
  const base::MutexLock lock(mutex);
  size_t fresh = 0;
  for (const CompileJob& job : jobs) fresh += files.contains(job.command.file) ? 0 : 1;
  many_files_are_new = fresh > kFew;
}

// While nothing is being compiled.
std::optional<Unaffected> Compiler::State::may_be_spared(const CompileJob& job, FilesNow& now) {
  const std::vector<std::string> arguments = arguments_of(job.command);
  const base::MutexLock lock(mutex);
  const auto known = files.find(job.command.file);
  if (known == files.end() || !known->second.invocation || !known->second.last) return std::nullopt;
  const File& file = known->second;
  if (file.directory != job.command.directory || file.arguments != arguments) return std::nullopt;
  const std::string* text = now.text(job.command.file, job.overlays);
  if (!text) return std::nullopt;
  return unaffected(*file.last, {file.last->main_path, *text}, job.overlays, now, file.invocation->getLangOpts());
}

bool Compiler::State::is_confirmed(const CompileJob& job, const Unaffected& now,
                                   const std::vector<const CompileJob*>& compiled) {
  std::vector<std::shared_ptr<const LastCompile>> same_flags;
  {
    const base::MutexLock lock(mutex);
    const std::string& flags = files.at(job.command.file).flags;
    for (const CompileJob* other : compiled)
      if (const auto known = files.find(other->command.file);
          known != files.end() && known->second.flags == flags && known->second.last)
        same_flags.push_back(known->second.last);
  }
  return std::all_of(now.changed.begin(), now.changed.end(), [&](const auto& changed) {
    return std::any_of(same_flags.begin(), same_flags.end(),
                       [&](const auto& last) { return confirms(*last, changed.first, changed.second); });
  });
}

CompileResult Compiler::State::up_to_date_result(const CompileJob& job, Unaffected now) {
  CompileResult result;
  {
    const base::MutexLock lock(mutex);
    File& file = files.at(job.command.file);
    file.last = with_changes(*file.last, std::move(now));
    file.files = view_of(job.command, job.overlays, !without_models.contains(job.command.file));
    file.last_use = ++uses;
    result.unit = file.last->unit;
    result.diagnostics = file.last->diagnostics;
    result.dependencies = file.last->dependencies;
    result.absent = file.last->lookups.absent;
    if (const auto note = without_models.find(job.command.file); note != without_models.end())
      result.diagnostics.push_back(note->second);
  }
  result.as_before = true;
  result.tiers = {{Tier::UpToDate, ""}};
  name_real_files(result, job.command, job.overlays);
  return result;
}

namespace {

// One call of compile_all.
class Round {
 public:
  using Results = std::vector<std::optional<CompileResult>>;
  Round(const std::vector<CompileJob>& jobs, uint32_t at_once, const std::function<bool(size_t)>& begin,
        std::function<CompileResult(size_t)> compile)
      : at_once_(at_once), begin_(begin), compile_(std::move(compile)), results_(jobs.size()) {}

  // False: `begin` said no.
  bool compile(const std::vector<size_t>& order) {
    return at_once_ <= 1 || order.size() <= 1 ? one_by_one(order) : at_once(order);
  }
  Results& results() { return results_; }

 private:
  bool one_by_one(std::vector<size_t> order) {
    std::sort(order.begin(), order.end());
    return std::all_of(order.begin(), order.end(), [&](size_t i) {
      if (!begin_(i)) return false;
      results_[i] = compile_(i);
      return true;
    });
  }

  bool at_once(const std::vector<size_t>& order) {
    constexpr unsigned kStackBytes = 64u << 20;
    bool all = true;
    std::vector<llvm::thread> threads;
    for (const size_t i : order) {
      {
        const base::MutexLock lock(mutex_);
        while (running_ >= at_once_) ended_.wait(mutex_);
      }
      all = begin_(i);
      if (!all) break;
      {
        const base::MutexLock lock(mutex_);
        ++running_;
      }
      threads.emplace_back(std::optional<unsigned>(kStackBytes), [&, i] {
        results_[i] = compile_(i);
        const base::MutexLock lock(mutex_);
        --running_;
        ended_.notify_one();
      });
    }
    for (llvm::thread& thread : threads) thread.join();
    return all;
  }

  const uint32_t at_once_;
  const std::function<bool(size_t)>& begin_;
  const std::function<CompileResult(size_t)> compile_;
  Results results_;
  base::Mutex mutex_;
  base::Condition ended_;
  uint32_t running_ HEDDLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::vector<std::optional<CompileResult>> Compiler::compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                                const std::function<bool(size_t)>& begin,
                                                                const OnResult& on_result) {
  std::vector<std::string> why_not(jobs.size(), "a file alone is always compiled");
  Round round(jobs, at_once, begin, [&](size_t job) {
    CompileResult result = compile(jobs[job].command, jobs[job].overlays);
    result.tiers.insert(result.tiers.begin(), {Tier::UpToDate, why_not[job]});
    if (on_result) on_result(job, result);
    return result;
  });
  state_->count_new_files(jobs);
  std::vector<size_t> first = state_->longest_first(jobs), later;
  std::vector<std::optional<Unaffected>> spared(jobs.size());
  if (!state_->options.tiers.on(Tier::UpToDate)) {
    std::fill(why_not.begin(), why_not.end(), "switched off");
  } else if (jobs.size() > 1) {
    FilesNow now;
    for (size_t i = 0; i < jobs.size(); ++i) {
      spared[i] = state_->may_be_spared(jobs[i], now);
      why_not[i] = spared[i] ? "no unit that was compiled found the bodies where their braces say"
                             : "more changed than bodies in headers, or the unit emits one of them";
    }
    if (std::all_of(spared.begin(), spared.end(), [](const auto& one) { return one.has_value(); })) {
      spared[first.back()].reset();
      why_not[first.back()] = "one unit is compiled, which reports errors in the headers";
    }
  }
  std::vector<const CompileJob*> compiled;
  std::erase_if(first, [&](size_t i) {
    if (!spared[i]) compiled.push_back(&jobs[i]);
    return spared[i].has_value();
  });
  if (!round.compile(first)) return std::move(round.results());
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (!spared[i]) continue;
    if (!state_->is_confirmed(jobs[i], *spared[i], compiled)) {
      later.push_back(i);
      continue;
    }
    round.results()[i] = state_->up_to_date_result(jobs[i], std::move(*spared[i]));
    if (state_->options.verify) verify(jobs[i].command, jobs[i].overlays, *round.results()[i]);
  }
  round.compile(later);
  return std::move(round.results());
}

}  // namespace heddle::frontend
