#include "server/daemon/hub.h"

#include <algorithm>

#include "server/daemon/log.h"
#include "server/daemon/paths.h"

namespace heddle::daemon {

using std::chrono::milliseconds;

Hub::Hub(Loop& loop, const Settings& settings, std::function<void()> leave)
    : loop_(loop), settings_(settings), leave_(std::move(leave)), last_busy_(Loop::Clock::now()) {
  arm_idle();
}

Hub::~Hub() = default;

Project& Hub::project(const std::string& key, const std::string& root) {
  std::unique_ptr<Project>& entry = projects_[key];
  if (!entry) entry = std::make_unique<Project>(loop_, settings_, root, generations_);
  return *entry;
}

Project& Hub::project_at(const std::string& root) { return project(root, root); }

// Files without a database have nothing in common but their folder: each has an engine of its own, so that checks of
// two of them do not cancel each other.
Project& Hub::project_of(v1::CheckRequest& request) {
  const ProjectPlace place = find_project_place({request.files().begin(), request.files().end()},
                                                request.database_directory(), request.root(),
                                                request.flags_size() > 0);
  if (request.root().empty() || !place.root.empty()) request.set_root(place.root);
  std::string key = request.root();
  if (place.lone_file) {
    for (const std::string& file : request.files()) key += '\n' + file;
  }
  return project(key, request.root());
}

bool Hub::refuse(const SinkPtr& sink) {
  touch();
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

void Hub::show(v1::ShowRequest request, std::function<void(v1::ShowResponse)> answer) {
  touch();
  if (closed_) return answer({});
  project_at(request.root()).show(request, std::move(answer));
}

void Hub::pairs(v1::PairsRequest request, std::function<void(v1::PairsResponse)> answer) {
  touch();
  if (closed_) return answer({});
  v1::CheckRequest& project = *request.mutable_project();
  if (project.root().empty()) project.set_root(request.root());
  Project& chosen = project_of(project);
  request.set_root(chosen.root());
  chosen.pairs(request, std::move(answer));
}

void Hub::status(const v1::StatusRequest& request, std::function<void(v1::StatusResponse)> answer) {
  touch();
  if (closed_) return answer({});
  if (!request.root().empty() &&
      std::none_of(projects_.begin(), projects_.end(),
                   [&](const auto& entry) { return entry.second->root() == request.root(); })) {
    project_at(request.root());
  }
  struct Collector {
    std::map<std::string, v1::ProjectStatus> statuses;
    size_t missing = 0;
  };
  const auto collector = std::make_shared<Collector>();
  const auto complete = [collector, answer] {
    v1::StatusResponse response;
    for (auto& [key, status] : collector->statuses) *response.add_projects() = std::move(status);
    answer(std::move(response));
  };
  std::vector<std::pair<std::string, Project*>> asked;
  for (auto& [key, project] : projects_) {
    if (request.root().empty() || project->root() == request.root()) asked.emplace_back(key, project.get());
  }
  collector->missing = asked.size();
  if (asked.empty()) return complete();
  for (auto& [key, project] : asked) {
    project->status([collector, complete, key = key](v1::ProjectStatus status) {
      collector->statuses[key] = std::move(status);
      if (--collector->missing == 0) complete();
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
    const bool idle = std::all_of(projects_.begin(), projects_.end(),
                                  [](const auto& entry) { return entry.second->idle(); });
    if (!idle) touch();
    if (Loop::Clock::now() - last_busy_ >= settings_.idle_exit) {
      log_info("idle: leaving");
      return shut_down();
    }
    arm_idle();
  });
}

}  // namespace heddle::daemon
