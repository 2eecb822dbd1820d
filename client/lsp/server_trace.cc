// Interleavings for views: that of a finding, and what comes of it when a step is moved.
#include <set>

#include "client/link/daemon_link.h"
#include "client/lsp/server.h"
#include "client/lsp/shapes.h"
#include "client/lsp/uri.h"
#include "client/report/inputs.h"
#include "client/report/reorder.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "server/text/lines.h"

namespace heddle::client::lsp {

// An interleaving and where its steps are in the texts as they are now.
struct Server::TraceOf {
  const v1::Finding& finding;
  std::string id;  // of the finding that it is of, or began with
  const ProjectSession& project;
  std::string target;
  const std::vector<Placed>& places;
  const std::vector<Placed>& steps;
  const std::vector<Placed>& frames;
  std::shared_ptr<const SeenTexts> seen;
  bool stale = false;
};

namespace {

std::string line_of(const SeenTexts& seen, const v1::Place& place) {
  const TextPtr text = seen.known(place.file());
  return text && place.line() > 0 ? std::string(text::trimmed(text->line(place.line() - 1))) : "";
}

Json step_json(const v1::TraceStep& step, const StepOutline& shown_as, int index) {
  Json out = {{"index", index},
              {"thread", step.thread_number()},
              {"line", step.place().line()},
              {"column", step.place().column()},
              {"function", step.place().function()},
              {"action", step.action()},
              {"kind", step.kind()},
              {"locksHeld", Json::array()},
              {"switched", step.switched()},
              {"decisive", step.decisive()},
              {"library", step.library()},
              {"row", shown_as.row},
              {"detail", static_cast<int>(shown_as.detail)},
              {"summary", shown_as.summary},
              {"after", Json::array()},
              {"caller", step.calls_known() ? Json(step.caller()) : Json()}};
  if (!step.object().empty()) out["object"] = step.object();
  if (!step.value_read().empty()) out["valueRead"] = step.value_read();
  if (!step.value_written().empty()) out["valueWritten"] = step.value_written();
  for (const std::string& lock : step.locks_held()) out["locksHeld"].push_back(lock);
  for (const uint32_t earlier : step.after()) out["after"].push_back(earlier);
  if (step.reads_from() > 0) out["readsFrom"] = step.reads_from() - 1;
  return out;
}

}  // namespace

Json Server::trace_json(const TraceOf& shown) const {
  const v1::Finding& finding = shown.finding;
  Json threads = Json::array(), steps = Json::array(), frames = Json::array(), places = Json::array();
  std::set<uint32_t> known;
  const std::vector<StepOutline> outline = steps_outlined(finding);
  for (int i = 0; i < finding.trace_size(); ++i) {
    const v1::TraceStep& step = finding.trace(i);
    if (known.insert(step.thread_number()).second)
      threads.push_back({{"number", step.thread_number()}, {"name", step.thread()}});
    Json entry = location(shown.steps[static_cast<size_t>(i)]);
    entry.update(step_json(step, outline[static_cast<size_t>(i)], i));
    entry["text"] = line_of(*shown.seen, step.place());
    steps.push_back(std::move(entry));
  }
  for (int i = 0; i < finding.frames_size(); ++i) {
    Json entry = location(shown.frames[static_cast<size_t>(i)]);
    entry.update({{"function", finding.frames(i).place().function()}, {"caller", finding.frames(i).caller()}});
    frames.push_back(std::move(entry));
  }
  for (int i = 0; i < finding.places_size(); ++i) {
    const v1::Place& place = finding.places(i);
    Json entry = location(shown.places[static_cast<size_t>(i)]);
    entry.update({{"function", place.function()}, {"thread", place.thread()}, {"role", place.role()}});
    places.push_back(std::move(entry));
  }
  return {{"id", shown.id},
          {"rule", finding.rule()},
          {"message", finding.message()},
          {"story", finding.rule().empty() ? std::vector<std::string>() : story_of(finding)},
          {"project", uri_of(shown.project.name())},
          {"target", shown.target},
          {"schedule", finding.schedule()},
          {"stale", shown.stale},
          {"withoutInterleaving", finding.without_interleaving()},
          {"inputs", inputs_of(finding)},
          {"threads", std::move(threads)},
          {"places", std::move(places)},
          {"frames", std::move(frames)},
          {"steps", std::move(steps)}};
}

Json Server::trace(const Json& params) {
  ProjectSession* project = nullptr;
  std::string target;
  const ShownFinding& shown = finding_with(params, project, target);
  return trace_json({shown.finding, shown.finding.id(), *project, target, shown.places, shown.steps, shown.frames,
                     shown.seen, shown.stale()});
}

namespace {

int step_in(const Json& params, const char* name, const v1::Finding& finding) {
  if (!params.contains(name) || !params[name].is_number_integer() || params[name] < 0 ||
      params[name] > finding.trace_size())
    throw RequestError{kInvalidParams, std::string("'") + name + "' is no step of the interleaving"};
  return params[name];
}

}  // namespace

// The answer at once if nothing is to be run; else with what the engine says comes of it.
void Server::reorder_steps(const Json& params, const Reply& reply) {
  ProjectSession* project = nullptr;
  std::string target;
  const ShownFinding& shown = finding_with(params, project, target);
  const int step = step_in(params, "step", shown.finding), before = step_in(params, "before", shown.finding);
  const auto reordered = reorder(shown.finding, step, before);
  if (const auto* failure = std::get_if<Failure>(&reordered)) throw RequestError{kInvalidParams, failure->message};
  const Reordered& moved = std::get<Reordered>(reordered);
  Json out = {{"possible", moved.possible}, {"answer", moved.answer}, {"order", moved.order}};
  if (!moved.possible || step <= before || shown.stale()) return answer(reply, std::move(out));
  v1::CheckRequest request = project->description();
  prepare(request, *project);
  request.set_target(target);
  worker_.post([this, reply, out = std::move(out), request, finding = shown.finding, step, before, target,
                name = project->name()] {
    std::variant<Continued, Failure> went = Failure{"the daemon does not answer", ""};
    auto connected = connect_daemon();
    if (auto* backend = std::get_if<std::unique_ptr<Backend>>(&connected))
      went = continue_from_order(**backend, request, finding, step, before);
    loop_.post([this, reply, out, finding, target, name, went = std::move(went)]() mutable {
      const auto session = projects_.find(name);
      if (const auto* failure = std::get_if<Failure>(&went)) {
        out["problem"] = failure->message;
      } else if (session != projects_.end()) {
        out["continued"] = continued_json(std::get<Continued>(went), finding, *session->second, target);
      }
      answer(reply, std::move(out));
    });
  });
}

Json Server::continued_json(const Continued& went, const v1::Finding& before, ProjectSession& project,
                            const std::string& target) {
  const v1::Finding& finding = went.finding;
  const auto texts = std::make_shared<SeenTexts>(documents_.snapshot());
  const auto placed = [&](const v1::Place& place) {
    return texts->place(documents_, place.file(), place.line(), place.column());
  };
  std::vector<Placed> places, steps, frames;
  for (const v1::Place& place : finding.places()) places.push_back(placed(place));
  for (const v1::TraceStep& step : finding.trace()) steps.push_back(placed(step.place()));
  for (const v1::CallFrame& frame : finding.frames()) frames.push_back(placed(frame.place()));
  return {{"outcome", went.outcome(before)},
          {"error", went.is_error()},
          {"same", finding.id() == before.id()},
          {"moved", went.moved},
          {"trace", trace_json({finding, before.id(), project, target, places, steps, frames, texts, false})}};
}

}  // namespace heddle::client::lsp
