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

// What the engine went on to, or why it did not.
struct Went {
  std::optional<Continued> on;
  std::string problem;
};

Went go_on_from(const OrderQuestion& question, const Reordered& moved, int step, int before) {
  Went out;
  if (!moved.possible || step <= before) return out;
  auto went = go_on(question.backend, question.project, question.finding, step, before);
  if (const auto* failure = std::get_if<Failure>(&went))
    out.problem = failure->message;
  else
    out.on = std::get<Continued>(std::move(went));
  return out;
}

void print_json(const OrderQuestion& question, const Reordered& moved, const Went& went) {
  Json order = Json::array();
  for (const int step : moved.order) order.push_back(step + 1);
  Json line = {{"type", "reordered"},
               {"id", question.finding.id()},
               {"possible", moved.possible},
               {"answer", moved.answer},
               {"order", std::move(order)}};
  if (!went.problem.empty()) line["problem"] = went.problem;
  if (went.on) {
    Json steps = Json::array();
    for (const v1::TraceStep& step : went.on->finding.trace())
      steps.push_back({{"thread", step.thread()},
                       {"file", step.place().file()},
                       {"line", step.place().line()},
                       {"action", step.action()}});
    line["outcome"] = {{"message", went.on->outcome(question.finding)},
                       {"rule", went.on->finding.rule()},
                       {"same", went.on->finding.id() == question.finding.id()},
                       {"moved", went.on->moved + 1},
                       {"steps", std::move(steps)}};
  }
  std::fprintf(question.out, "%s\n", line.dump().c_str());
}

void print_text(const OrderQuestion& question, const Reordered& moved, const Went& went) {
  std::fprintf(question.out, "%s\n", moved.answer.c_str());
  if (!went.problem.empty()) std::fprintf(question.out, "not run: %s\n", went.problem.c_str());
  if (!went.on) return;
  Style style = detect_style(fileno(question.out), question.options.colour);
  style.current_directory = question.project.root();
  SourceText source;
  const Detail detail = question.options.detail      ? Detail::Everything
                        : went.on->is_error() ? Detail::Story
                                              : Detail::Lines;
  std::fprintf(question.out, "then: %s\n\n%s", went.on->outcome(question.finding).c_str(),
               render_interleaving(went.on->finding, style, {0, detail, &source}).c_str());
}

}  // namespace

int answer_order(const OrderQuestion& question) {
  const Options& options = question.options;
  const int step = options.before[0] - 1, before = options.before[1] - 1;
  const auto told = reorder(question.finding, step, before);
  if (const auto* failure = std::get_if<Failure>(&told)) return fail(*failure, ExitCode::Usage);
  const Reordered& moved = std::get<Reordered>(told);
  const Went went = go_on_from(question, moved, step, before);
  if (options.format == Format::Jsonl)
    print_json(question, moved, went);
  else
    print_text(question, moved, went);
  return static_cast<int>(moved.possible ? ExitCode::Clear : ExitCode::Findings);
}

}  // namespace heddle::client
