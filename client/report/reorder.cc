#include "client/report/reorder.h"

#include <algorithm>
#include <optional>
#include <set>

#include "client/story/words.h"

namespace heddle::client {
namespace {

bool writes(const v1::TraceStep& step) { return step.kind() == "write" || step.kind() == "update"; }

std::string numbered(int step) { return "step " + std::to_string(step + 1); }

class Past {
 public:
  Past(const v1::Finding& finding, int step)
      : finding_(finding), through_(static_cast<size_t>(finding.trace_size()), -1) {
    std::vector<int> open{step};
    through_[static_cast<size_t>(step)] = step;
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (const int earlier : directly_before(at)) {
        if (through_[static_cast<size_t>(earlier)] >= 0) continue;
        through_[static_cast<size_t>(earlier)] = at;
        open.push_back(earlier);
      }
    }
  }

  bool has(int step) const { return through_[static_cast<size_t>(step)] >= 0; }
  int next(int step) const {
    return through_[static_cast<size_t>(step)];
  }  // on a way to the step that this is the past of

 private:
  std::vector<int> directly_before(int at) const {
    std::vector<int> out;
    const v1::TraceStep& step = finding_.trace(at);
    for (const uint32_t earlier : step.after())
      if (static_cast<int>(earlier) < at) out.push_back(static_cast<int>(earlier));
    for (int n = at; n-- > 0;)
      if (finding_.trace(n).thread_number() == step.thread_number()) {
        out.push_back(n);
        break;
      }
    return out;
  }

  const v1::Finding& finding_;
  std::vector<int> through_;  // by step: its successor on a path of happens-before; -1: the step is not in the past
};

// What orders the two: the steps of different threads on a path of happens-before from one to the other.
std::string why_ordered(const v1::Finding& finding, const Past& past, int from, int to) {
  std::string text;
  for (int at = from; at != to; at = past.next(at)) {
    const v1::TraceStep &one = finding.trace(at), &two = finding.trace(past.next(at));
    if (one.thread_number() == two.thread_number()) continue;
    const std::string& object = one.object().empty() ? two.object() : one.object();
    text += (text.empty() ? "" : ", then ") + (object.empty() ? "the " + one.kind() : with_backticks(object)) + " (" +
            one.thread() + ": " + one.action() + ", " + numbered(at) + ", comes before " + numbered(past.next(at)) +
            ")";
  }
  if (text.empty()) return "both are steps of " + finding.trace(from).thread() + ", in the order of its code";
  return text + " orders them";
}

// The objects on which a step that moves has a conflict with one that it passes.
std::set<std::string> conflicts(const v1::Finding& finding, const Past& past, int step, int before) {
  std::set<std::string> objects;
  for (int moved = before; moved <= step; ++moved) {
    if (!past.has(moved)) continue;
    for (int passed = before; passed < moved; ++passed) {
      const v1::TraceStep &one = finding.trace(moved), &two = finding.trace(passed);
      const bool memory = !one.object().empty() && one.object() == two.object() && (writes(one) || writes(two));
      if (!past.has(passed) && memory) objects.insert(one.object());
    }
  }
  return objects;
}

// Of the schedule, from 1. What a thread waits for at the end comes after all of them (Move in server/explore); 0:
// none.
uint32_t choice_of(const v1::TraceStep& step) {
  constexpr uint32_t kNext = uint32_t{1} << 31;
  return step.choice() == 0 && step.kind() == "end" ? kNext + step.thread_number() + 1 : step.choice();
}

}  // namespace

std::variant<Reordered, Failure> reorder(const v1::Finding& finding, int step, int before) {
  const int count = finding.trace_size();
  if (count == 0) return Failure{"the finding was recorded without an interleaving", "check again with --all-steps"};
  for (const int wanted : {step, before})
    if (wanted < 0 || wanted >= count)
      return Failure{"the interleaving has no step " + std::to_string(wanted + 1LL),
                     "its steps are 1 to " + std::to_string(count) + ": heddle show " + finding.id() + " --detail"};
  Reordered out;
  const Past past(finding, step);
  if (step != before && before < step && past.has(before)) {
    out.answer = "impossible: " + why_ordered(finding, past, before, step);
    return out;
  }
  out.possible = true;
  out.answer = "possible: nothing orders " + numbered(before) + " before " + numbered(step);
  if (step <= before) out.answer = step == before ? "possible: it is the same step" : "possible: it is so already";
  const std::set<std::string> objects = conflicts(finding, past, step, before);
  if (!objects.empty())
    out.answer +=
        "; they conflict on " + list_of({objects.begin(), objects.end()}) + ": values may differ from there on";
  for (int n = 0; n < std::min(before, count); ++n) out.order.push_back(n);
  for (int n = before; n < count; ++n)
    if (n <= step && past.has(n)) out.order.push_back(n);
  for (int n = before; n < count; ++n)
    if (n > step || !past.has(n)) out.order.push_back(n);
  return out;
}

std::string Continued::outcome(const v1::Finding& before) const {
  if (!is_error()) return finding.message();
  if (finding.id() == before.id()) return "it leads to the same error";
  return "it leads to another error: " + finding.message();
}

std::variant<Continued, Failure> continue_from_order(Backend& backend, const v1::CheckRequest& project,
                                                     const v1::Finding& finding, int step, int before) {
  v1::ReplayRequest wanted;
  wanted.set_root(project.root());
  wanted.set_id(finding.id());
  *wanted.mutable_project() = project;
  if (!finding.target().empty()) wanted.mutable_project()->set_target(finding.target());
  wanted.mutable_move()->set_choice(choice_of(finding.trace(step)));
  wanted.mutable_move()->set_before(choice_of(finding.trace(before)));
  for (const int asked : {step, before})
    if (choice_of(finding.trace(asked)) == 0)
      return Failure{"no choice of the schedule performs " + numbered(asked), "choose a step before the finding's end"};
  std::optional<Continued> out;
  std::string message;
  const auto failure = backend.replay(wanted, [&](const v1::Event& event) {
    if (event.has_finding() && event.finding().step() == "reorder") out.emplace().finding = event.finding();
    if (event.has_verdict()) message = event.verdict().message();
  });
  if (failure) return *failure;
  if (!out) return Failure{message.empty() ? "the engine gave no answer" : message, ""};
  if (out->finding.trace_size() == 0) return Failure{out->finding.message(), ""};
  for (int n = out->finding.trace_size(); n-- > 0;)
    if (out->finding.trace(n).choice() == out->finding.moved()) out->moved = n;
  return *std::move(out);
}

}  // namespace heddle::client
