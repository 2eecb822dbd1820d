#include "server/daemon/hub.h"

#include <algorithm>

#include "server/daemon/log.h"
#include "server/disk/project_place.h"

namespace heddle::daemon {

using std::chrono::milliseconds;

Hub::Hub(base::Loop& loop, const Settings& settings, std::function<void()> leave)
    : loop_(loop), settings_(settings), leave_(std::move(leave)), last_busy_(base::Loop::Clock::now()) {
  arm_idle();
}

Hub::~Hub() = default;

// Files without a database have nothing in common but their folder: each has an engine of its own, so that checks of
// two of them do not cancel each other.
Project& Hub::project_of(v1::CheckRequest& request) {
  const disk::ProjectPlace place =
      disk::find_project_place({request.files().begin(), request.files().end()}, request.database_directory(),
                               request.root(), request.flags_size() > 0);
  request.set_root(place.root);
  std::string key = place.root;
  std::vector<std::string> files;
  if (place.lone_file) files.assign(request.files().begin(), request.files().end());
  for (const std::string& file : files) key += '\n' + file;
  std::unique_ptr<Project>& entry = projects_[key];
  if (!entry) entry = std::make_unique<Project>(loop_, settings_, place.root, files, generations_);
  return *entry;
}

template <typename Question>
Project& Hub::asked(Question& question) {
  v1::CheckRequest& project = *question.mutable_project();
  if (project.root().empty()) project.set_root(question.root());
  Project& chosen = project_of(project);
  question.set_root(chosen.root());
  return chosen;
}

std::map<std::string, Project*> Hub::projects_at(const std::string& root, v1::CheckRequest& request) {
  std::map<std::string, Project*> found;
  for (auto& [key, project] : projects_) {
    if (root.empty() || project->root() == root) found[key] = project.get();
  }
  if (found.empty() && !root.empty()) {
    if (request.root().empty()) request.set_root(root);
    found[root] = &project_of(request);
  }
  return found;
}

// An engine takes some 100 MB: those that are not in use leave, the longest unused first.
void Hub::trim_engines() {
  std::vector<Project*> running;
  for (auto& [key, project] : projects_) {
    if (project->has_engine()) running.push_back(project.get());
  }
  std::stable_sort(running.begin(), running.end(),
                   [](const Project* a, const Project* b) { return a->last_used() < b->last_used(); });
  size_t left = running.size();
  const auto now = base::Loop::Clock::now();
  for (Project* project : running) {
    const bool unused = now - project->last_used() > settings_.engine_idle;
    if (!project->idle() || (left <= settings_.engines_max && !unused)) continue;
    project->rest();
    --left;
  }
}

bool Hub::refuse(const SinkPtr& sink) {
  touch();
  trim_engines();
  if (!closed_) return false;
  auto event = std::make_shared<v1::Event>();
  event->mutable_verdict()->set_kind(v1::VERDICT_INCONCLUSIVE);
  event->mutable_verdict()->set_error(v1::ERROR_CANCELLED);
  event->mutable_verdict()->set_message("the daemon is shutting down");
  event->mutable_verdict()->set_step("final");
  sink->event(event);
  sink->finish();
  return true;
}

void Hub::check(v1::CheckRequest request, const SinkPtr& sink) {
  if (!refuse(sink)) project_of(request).check(request, sink);
}

void Hub::watch(v1::CheckRequest request, const SinkPtr& sink) {
  if (!refuse(sink)) project_of(request).watch(request, sink);
}

void Hub::replay(v1::ReplayRequest request, const SinkPtr& sink) {
  if (refuse(sink)) return;
  v1::CheckRequest& project = *request.mutable_project();
  if (project.root().empty()) project.set_root(request.root());
  if (project.files().empty()) {
    // Without a database a finding belongs to the file that it was reported for.
    for (const auto& [key, candidate] : projects_) {
      if (candidate->root() != project.root() || !candidate->has_reported(request.id())) continue;
      project.mutable_files()->Assign(candidate->lone_files().begin(), candidate->lone_files().end());
    }
  }
  Project& chosen = project_of(project);
  request.set_root(chosen.root());
  chosen.replay(request, sink);
}

void Hub::leave(const SinkPtr& sink) {
  for (auto& [key, project] : projects_) project->leave(sink.get());
}

bool Hub::cancel(const v1::CancelRequest& request) {
  touch();
  bool found = false;
  for (auto& [key, project] : projects_) {
    if (request.root().empty() || project->root() == request.root()) found |= project->cancel(request.generation());
  }
  return found;
}

// Several projects at one root: files without a database. What any of them knows is the answer.
void Hub::show(v1::ShowRequest request, std::function<void(v1::ShowResponse)> answer) {
  touch();
  if (closed_) return answer({});
  struct Collector {
    std::map<std::string, v1::ShowResponse> responses;
  };
  const auto asked = projects_at(request.root(), *request.mutable_project());
  if (asked.empty()) return answer({});
  const auto collector = std::make_shared<Collector>();
  for (const auto& [key, project] : asked) {
    project->show(request, [collector, answer, key = key, count = asked.size()](v1::ShowResponse response) {
      collector->responses[key] = std::move(response);
      if (collector->responses.size() < count) return;
      v1::ShowResponse all;
      for (auto& [name, one] : collector->responses) {
        // Files in one folder share their books, so several may know the same finding.
        for (const v1::Finding& finding : one.findings()) {
          const bool known = std::any_of(all.findings().begin(), all.findings().end(), [&](const v1::Finding& entry) {
            return entry.id() == finding.id() && entry.target() == finding.target();
          });
          if (!known) *all.add_findings() = finding;
        }
        if (one.error().empty()) continue;
        if (all.error().empty()) all.set_error(one.error());
      }
      const bool known = std::any_of(collector->responses.begin(), collector->responses.end(),
                                     [](const auto& entry) { return entry.second.error().empty(); });
      if (known) all.clear_error();
      answer(std::move(all));
    });
  }
}

void Hub::pairs(v1::PairsRequest request, std::function<void(v1::PairsResponse)> answer) {
  touch();
  if (closed_) return answer({});
  asked(request).pairs(request, std::move(answer));
}

void Hub::explain(v1::ExplainRequest request, std::function<void(v1::ExplainResponse)> answer) {
  touch();
  if (closed_) return answer({});
  asked(request).explain(request, std::move(answer));
}

void Hub::status(v1::StatusRequest request, std::function<void(v1::StatusResponse)> answer) {
  touch();
  if (closed_) return answer({});
  struct Collector {
    std::map<std::string, v1::ProjectStatus> statuses;
  };
  const auto asked = projects_at(request.root(), *request.mutable_project());
  if (asked.empty()) return answer({});
  const auto collector = std::make_shared<Collector>();
  for (const auto& [key, project] : asked) {
    project->status(request.project(), [collector, answer, key = key, count = asked.size()](v1::ProjectStatus status) {
      collector->statuses[key] = std::move(status);
      if (collector->statuses.size() < count) return;
      v1::StatusResponse response;
      for (auto& [name, one] : collector->statuses) *response.add_projects() = std::move(one);
      answer(std::move(response));
    });
  }
}

void Hub::shut_down() {
  if (leaving_) return;
  leaving_ = true;
  leave_();
}

void Hub::close(const std::string& reason) {
  closed_ = true;
  for (auto& [key, project] : projects_) project->close(reason);
}

void Hub::arm_idle() {
  const milliseconds step = std::clamp(settings_.idle_exit / 10, milliseconds(10), milliseconds(10'000));
  loop_.after(step, [this] {
    if (leaving_) return;
    trim_engines();
    const bool idle =
        std::all_of(projects_.begin(), projects_.end(), [](const auto& entry) { return entry.second->idle(); });
    if (!idle) touch();
    if (base::Loop::Clock::now() - last_busy_ >= settings_.idle_exit) {
      log_info("idle: leaving");
      return shut_down();
    }
    arm_idle();
  });
}

}  // namespace heddle::daemon
