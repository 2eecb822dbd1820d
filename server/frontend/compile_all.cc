// Several files at once; which of them need not be compiled.
#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <utility>  // the next one wants it

#include <llvm/Support/thread.h>

#include "server/frontend/command/compile_command.h"
#include "server/frontend/compiler_state.h"

namespace heddle::frontend {

std::vector<size_t> Compiler::State::longest_first(const std::vector<CompileJob>& jobs) {
  std::vector<std::pair<double, size_t>> order;
  const std::lock_guard lock(mutex);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const auto known = files.find(jobs[i].command.file);
    order.emplace_back(known == files.end() ? -HUGE_VAL : -known->second.seconds, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<size_t> result;
  for (const auto& [seconds, job] : order) result.push_back(job);
  return result;
}

// While nothing is being compiled.
std::optional<Unaffected> Compiler::State::may_be_spared(const CompileJob& job, FilesNow& now) {
  const auto known = files.find(job.command.file);
  if (known == files.end() || !known->second.invocation || !known->second.last) return std::nullopt;
  const File& file = known->second;
  const bool same_command =
      file.directory == job.command.directory && file.arguments == effective_arguments(job.command);
  if (!same_command) return std::nullopt;
  const std::string* text = now.text(job.command.file, job.overlays);
  if (!text) return std::nullopt;
  return unaffected(*file.last, {file.last->main_path, *text}, job.overlays, now, file.invocation->getLangOpts());
}

bool Compiler::State::is_confirmed(const CompileJob& job, const Unaffected& now,
                                   const std::vector<const CompileJob*>& compiled) {
  const std::string& flags = files.at(job.command.file).flags;
  return std::all_of(now.changed.begin(), now.changed.end(), [&](const auto& changed) {
    return std::any_of(compiled.begin(), compiled.end(), [&](const CompileJob* other) {
      const auto known = files.find(other->command.file);
      return known != files.end() && known->second.flags == flags && known->second.last &&
             confirms(*known->second.last, changed.first, changed.second);
    });
  });
}

CompileResult Compiler::State::up_to_date_result(const CompileJob& job, Unaffected now) {
  File& file = files.at(job.command.file);
  file.last = with_changes(*file.last, std::move(now));
  file.files = view_of(job.command, job.overlays, !without_models.contains(job.command.file));
  file.last_use = ++uses;
  CompileResult result;
  result.unit = file.last->unit;
  result.diagnostics = file.last->diagnostics;
  result.dependencies = file.last->dependencies;
  result.absent = file.last->lookups.absent;
  result.as_before = true;
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
    std::mutex mutex;
    std::condition_variable ended;
    uint32_t running = 0;  // guarded by mutex
    bool all = true;
    std::vector<llvm::thread> threads;
    for (const size_t i : order) {
      {
        std::unique_lock lock(mutex);
        ended.wait(lock, [&] { return running < at_once_; });
      }
      all = begin_(i);
      if (!all) break;
      {
        const std::lock_guard lock(mutex);
        ++running;
      }
      threads.emplace_back(std::optional<unsigned>(kStackBytes), [&, i] {
        results_[i] = compile_(i);
        const std::lock_guard lock(mutex);
        --running;
        ended.notify_one();
      });
    }
    for (llvm::thread& thread : threads) thread.join();
    return all;
  }

  const uint32_t at_once_;
  const std::function<bool(size_t)>& begin_;
  const std::function<CompileResult(size_t)> compile_;
  Results results_;
};

}  // namespace

std::vector<std::optional<CompileResult>> Compiler::compile_all(const std::vector<CompileJob>& jobs, uint32_t at_once,
                                                                const std::function<bool(size_t)>& begin,
                                                                const OnResult& on_result) {
  Round round(jobs, at_once, begin, [&](size_t job) {
    CompileResult result = compile(jobs[job].command, jobs[job].overlays);
    if (on_result) on_result(job, result);
    return result;
  });
  std::vector<size_t> first = state_->longest_first(jobs), later;
  std::vector<std::optional<Unaffected>> spared(jobs.size());
  if (jobs.size() > 1) {
    FilesNow now;
    for (size_t i = 0; i < jobs.size(); ++i) spared[i] = state_->may_be_spared(jobs[i], now);
    if (std::all_of(spared.begin(), spared.end(), [](const auto& one) { return one.has_value(); }))
      spared[first.back()].reset();  // one of them has to look at the headers
  }
  std::vector<const CompileJob*> compiled;
  std::erase_if(first, [&](size_t i) {
    if (!spared[i]) compiled.push_back(&jobs[i]);
    return spared[i].has_value();
  });
  if (!round.compile(first)) return std::move(round.results());
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (!spared[i]) continue;
    if (state_->is_confirmed(jobs[i], *spared[i], compiled))
      round.results()[i] = state_->up_to_date_result(jobs[i], std::move(*spared[i]));
    else
      later.push_back(i);
  }
  round.compile(later);
  return std::move(round.results());
}

}  // namespace heddle::frontend
