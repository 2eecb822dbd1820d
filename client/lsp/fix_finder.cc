#include "client/lsp/fix_finder.h"

#include <unistd.h>

#include <algorithm>

#include "client/link/daemon_link.h"

namespace heddle::client::lsp {
namespace {

constexpr double kTrialSeconds = 5, kSearchSeconds = 15;
constexpr size_t kOffered = 3;

fix::ReadText texts_of(const FixFinder::Question& question) {
  return [snapshot = question.texts, root = question.request.root() + "/"](const std::string& path) {
    if (!path.starts_with(root)) return std::optional<std::string>();
    const auto open = snapshot.find(path);
    return open != snapshot.end() ? open->second.text->content() : read_file(path);
  };
}

fix::Wanted wanted_of(const FixFinder::Question& question) {
  fix::Wanted out;
  out.request = question.request;
  out.finding = question.finding;
  out.open = question.open;
  out.seconds = kTrialSeconds;
  out.read = texts_of(question);
  return out;
}

}  // namespace

FixFinder::~FixFinder() { stop(); }

void FixFinder::stop() {
  if (!control_) return;
  control_->cancellation.cancel();
  const base::MutexLock lock(control_->mutex);
  if (control_->backend) control_->backend->interrupt();
}

void FixFinder::look_for(std::vector<Question> questions) {
  stop();
  std::erase_if(questions, [&](const Question& question) {
    const auto known = looked_at_.find(question.key);
    return known != looked_at_.end() && known->second == question.run;
  });
  if (questions.empty()) return;
  control_ = std::make_shared<Control>();
  worker_.post([this, control = control_, questions = std::move(questions), alive = std::weak_ptr<bool>(alive_)] {
    auto connected = connect_daemon(control->cancellation);
    if (control->cancellation.happened() || std::holds_alternative<Failure>(connected)) return;
    Backend& backend = *std::get<0>(connected);
    {
      const base::MutexLock lock(control->mutex);
      control->backend = &backend;
    }
    for (const Question& question : questions) {
      fix::SearchOptions search;
      search.proved_most = kOffered;
      search.seconds = kSearchSeconds;
      search.cancelled = [control] { return control->cancellation.happened(); };
      auto result = fix::find_fixes(backend, wanted_of(question), search);
      if (control->cancellation.happened() || std::holds_alternative<Failure>(result)) break;
      loop_.post([this, alive, question, found = std::get<fix::Found>(std::move(result))]() mutable {
        if (!alive.expired()) keep(question, std::move(found));
      });
    }
    const base::MutexLock lock(control->mutex);
    control->backend = nullptr;
  });
}

void FixFinder::keep(const Question& question, fix::Found found) {
  looked_at_[question.key] = question.run;
  std::erase_if(found.tried, [](const fix::Tried& tried) { return !tried.proof.proved; });
  ReadyFixes& ready = ready_[question.key];
  ready = {};
  const fix::ReadText read = texts_of(question);
  for (const fix::Tried& tried : found.tried)
    for (const auto& [path, edits] : tried.candidate.edits) ready.texts.try_emplace(path, read(path).value_or(""));
  ready.proved = std::move(found.tried);
}

const ReadyFixes* FixFinder::ready(const std::string& key) const {
  const auto found = ready_.find(key);
  return found == ready_.end() || found->second.proved.empty() ? nullptr : &found->second;
}

}  // namespace heddle::client::lsp
