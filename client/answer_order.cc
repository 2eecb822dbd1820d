#include "client/answer_order.h"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "client/command_line/output.h"
#include "client/report/exit_code.h"
#include "client/report/reorder.h"
#include "client/report/report.h"
#include "client/report/source_text.h"
#include "client/report/table.h"
#include "client/report/terminal.h"

namespace heddle::client {
namespace {

using Json = nlohmann::ordered_json;

// How the engine continued, or why it did not.
struct Continuation {
  std::optional<Continued> run;
  std::string problem;
};

Continuation continue_from(const OrderQuestion& question, const Reordered& moved, int step, int before) {
  Continuation out;
  if (!moved.possible || step <= before) return out;
  auto run = continue_from_order(question.backend, question.project, question.finding, step, before);
  if (const auto* failure = std::get_if<Failure>(&run))
    out.problem = failure->message;
  else
    out.run = std::get<Continued>(std::move(run));
  return out;
}

void print_json(const OrderQuestion& question, const Reordered& moved, const Continuation& continuation) {
  Json order = Json::array();
  for (const int step : moved.order) order.push_back(step + 1);
  Json line = {{"type", "reordered"},        {"schemaVersion", 1},     {"id", question.finding.id()},
               {"possible", moved.possible}, {"answer", moved.answer}, {"order", std::move(order)}};
  if (!continuation.problem.empty()) line["problem"] = continuation.problem;
  if (continuation.run) {
    Json steps = Json::array();
    for (const v1::TraceStep& step : continuation.run->finding.trace())
      steps.push_back({{"thread", step.thread()},
                       {"file", step.place().file()},
                       {"line", step.place().line()},
                       {"action", step.action()}});
    line["outcome"] = {{"message", continuation.run->outcome(question.finding)},
                       {"rule", continuation.run->finding.rule()},
                       {"same", continuation.run->finding.id() == question.finding.id()},
                       {"moved", continuation.run->moved + 1},
                       {"steps", std::move(steps)}};
  }
  std::fprintf(question.out, "%s\n", line.dump().c_str());
}

void print_text(const OrderQuestion& question, const Reordered& moved, const Continuation& continuation) {
  std::fprintf(question.out, "%s\n", moved.answer.c_str());
  if (!continuation.problem.empty()) std::fprintf(question.out, "not run: %s\n", continuation.problem.c_str());
  if (!continuation.run) return;
  Style style = detect_style(fileno(question.out), question.options.colour);
  style.current_directory = question.project.root();
  SourceText source;
  const Detail detail = question.options.detail        ? Detail::Everything
                        : continuation.run->is_error() ? Detail::Story
                                                       : Detail::Lines;
  std::fprintf(question.out, "then: %s\n\n%s", continuation.run->outcome(question.finding).c_str(),
               render_interleaving(continuation.run->finding, style, {0, detail, &source}).c_str());
}

}  // namespace

int answer_order(const OrderQuestion& question) {
  const Options& options = question.options;
  const int step = options.before[0] - 1, before = options.before[1] - 1;
  const auto answer = reorder(question.finding, step, before);
  if (const auto* failure = std::get_if<Failure>(&answer)) return fail(*failure, ExitCode::Usage);
  const Reordered& moved = std::get<Reordered>(answer);
  const Continuation continuation = continue_from(question, moved, step, before);
  if (options.format == Format::Jsonl)
    print_json(question, moved, continuation);
  else
    print_text(question, moved, continuation);
  return static_cast<int>(moved.possible ? ExitCode::Clear : ExitCode::Findings);
}

}  // namespace heddle::client
