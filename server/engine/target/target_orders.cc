// Other memory orders than those of the text, explored: what forbids a finding, and what each order is needed for.
#include <algorithm>
#include <filesystem>

#include "server/engine/target/orders.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"

namespace heddle::engine {

namespace {

using program::MemoryOrder;

constexpr size_t kPlacesMost = 16;  // of a finding: each is tried with several orders
constexpr int kFindingsWithRemedy = 3;

bool at_least(MemoryOrder order, MemoryOrder other) {
  if (order == other || order == MemoryOrder::SequentiallyConsistent || other == MemoryOrder::Relaxed) return true;
  return order == MemoryOrder::AcquireRelease && other != MemoryOrder::SequentiallyConsistent;
}

std::string order_text(OrderUse use, MemoryOrder order) {
  return use == OrderUse::Fence && order == MemoryOrder::Relaxed ? "none" : name_of(order);
}

v1::OrderChange to_proto(const program::Program& program, const OrderChange& change) {
  v1::OrderChange out;
  v1::Place& place = *out.mutable_place();
  const program::CodeAddress at = change.place.at;
  place.set_file(program.file_of(at));
  place.set_line(program.place(at).line);
  place.set_column(program.place(at).column);
  place.set_function(program.function(at.function).display_name);
  out.set_operation(name_of(change.place.use));
  out.set_from(order_text(change.place.use, change.place.order));
  out.set_to(order_text(change.place.use, change.to));
  return out;
}

bool is_same(const v1::Finding& one, const v1::Finding& other) {
  if (one.id() == other.id()) return true;
  return one.rule() == other.rule() && !one.places().empty() && !other.places().empty() &&
         one.places(0).file() == other.places(0).file() && one.places(0).line() == other.places(0).line();
}

// Those that the interleaving executes, and that could be stronger.
std::vector<OrderPlace> places_in(const v1::Finding& finding, const analysis::Facts& facts) {
  std::vector<OrderPlace> out;
  for (const OrderPlace& place : order_places(facts)) {
    if (place.order == MemoryOrder::SequentiallyConsistent) continue;
    const program::Place& at = facts.program->place(place.at);
    const std::string& file = facts.program->file_of(place.at);
    if (std::any_of(finding.trace().begin(), finding.trace().end(), [&](const v1::TraceStep& step) {
          return step.place().line() == at.line && step.place().file() == file;
        }))
      out.push_back(place);
  }
  return out;
}

// The file is named where it is not that of the finding.
std::string remedy_text(const v1::Remedy& remedy, const v1::Finding& finding) {
  const std::string file = finding.places().empty() ? "" : finding.places(0).file();
  std::string text;
  for (const v1::OrderChange& change : remedy.changes()) {
    const v1::Place& at = change.place();
    const std::string where = at.file() == file ? "line " : std::filesystem::path(at.file()).filename().string() + ":";
    text += (text.empty() ? "" : ", ") + change.operation() + " at " + where + std::to_string(at.line()) + " " +
            change.to();
  }
  if (remedy.changes().empty()) return "; no stronger order in this interleaving forbids it";
  return (remedy.weakest() ? "; the weakest orders that forbid it: " : "; forbidden by: ") + text;
}

}  // namespace

// No graph of the program with these orders shows the finding. Nothing: that is not known in time.
std::optional<bool> TargetCheck::forbids(const std::vector<OrderChange>& changes, const v1::Finding& finding,
                                         base::SteadyTime deadline) {
  const VersionPtr version = with_orders(*request_.version, changes);
  const std::optional<v1::JobResult> result = search_weak(*version, deadline);
  if (!result) return std::nullopt;
  const bool shows = std::any_of(result->findings().begin(), result->findings().end(),
                                 [&](const v1::Finding& other) { return is_same(other, finding); });
  if (shows) return false;
  return result->completeness() == v1::JOB_COMPLETE ? std::optional(true) : std::nullopt;
}

// All orders on the way as strong as can be, then each as weak as the others let it be.
std::optional<v1::Remedy> TargetCheck::remedy_of(const v1::Finding& finding, base::SteadyTime deadline) {
  const analysis::Facts& facts = *request_.version->facts();
  std::vector<OrderChange> changes;
  for (const OrderPlace& place : places_in(finding, facts))
    changes.push_back({place, MemoryOrder::SequentiallyConsistent});
  if (changes.size() > kPlacesMost) return std::nullopt;
  const std::optional<bool> by_the_strongest = changes.empty() ? false : forbids(changes, finding, deadline);
  if (!by_the_strongest) return std::nullopt;
  v1::Remedy remedy;
  remedy.set_model(memory_model_name(searched_model()));
  if (!*by_the_strongest) return remedy;
  remedy.set_weakest(true);
  for (OrderChange& change : changes) {
    const MemoryOrder strongest = change.to;
    for (const MemoryOrder order : orders_of(change.place.use)) {
      if (!at_least(order, change.place.order)) continue;
      change.to = order;
      if (order == strongest || forbids(changes, finding, deadline).value_or(false)) break;
    }
    if (base::seconds_until(deadline) <= 0) remedy.set_weakest(false);
  }
  for (const OrderChange& change : changes)
    if (change.to != change.place.order) *remedy.add_changes() = to_proto(*facts.program, change);
  return remedy;
}

// Of the first findings that no sequentially consistent execution shows, as far as there is time.
void TargetCheck::add_remedies(google::protobuf::RepeatedPtrField<v1::Finding>& findings) {
  const base::SteadyTime deadline = weak_deadline();
  int left = kFindingsWithRemedy;
  for (v1::Finding& finding : findings) {
    if (finding.only_under().empty() || finding.older() || left-- == 0) continue;
    const std::optional<v1::Remedy> remedy = remedy_of(finding, deadline);
    if (!remedy || (remedy->changes().empty() && remedy->weakest())) continue;  // as they are, they forbid it
    *finding.mutable_remedy() = *remedy;
    finding.set_message(finding.message() + remedy_text(*remedy, finding));
  }
}

// Of a search of every execution graph, whose findings were reported when they were found: reported again with it.
void TargetCheck::add_remedies_to_reported() {
  google::protobuf::RepeatedPtrField<v1::Finding> findings(present_.begin(), present_.end());
  add_remedies(findings);
  for (size_t n = 0; n < present_.size(); ++n) {
    v1::Finding& known = present_[n];
    const v1::Finding& now = findings[static_cast<int>(n)];
    if (known.has_remedy() || !now.has_remedy()) continue;
    known = now;
    v1::Event event;
    *event.mutable_finding() = known;
    emit_(event);
  }
}

// False: interrupted.
bool TargetCheck::weaken_one(const OrderChange& change) {
  v1::Event event;
  v1::Weakening& row = *event.mutable_weakening();
  *row.mutable_change() = to_proto(*request_.version->program(), change);
  const VersionPtr version = with_orders(*request_.version, {change});
  const std::optional<v1::JobResult> result = search_weak(*version, weak_deadline());
  if (!result) return false;
  row.set_graphs(result->stats().graphs() + result->stats().blocked());
  const auto fresh = std::find_if(result->findings().begin(), result->findings().end(), [&](const v1::Finding& f) {
    return std::none_of(present_.begin(), present_.end(), [&](const v1::Finding& old) { return is_same(f, old); });
  });
  if (fresh != result->findings().end()) {
    row.set_outcome("noticed");
    row.set_rule(fresh->rule());
    row.set_message(fresh->message());
    if (!fresh->places().empty()) *row.mutable_place() = fresh->places(0);
  } else if (result->completeness() == v1::JOB_COMPLETE && step2_complete_) {
    row.set_outcome("harmless");
  } else {
    row.set_outcome("unknown");
    row.set_message(!result->limits().empty() ? limit_text(result->limits(0))
                    : result->completeness() == v1::JOB_COMPLETE
                        ? "the program as it stands was not explored to its end"
                        : "stopped at its time limit");
  }
  emit_(event);
  return true;
}

// Each order one step weaker: is that noticed? False: interrupted.
bool TargetCheck::run_weaken() {
  for (const OrderPlace& place : order_places(*request_.version->facts()))
    for (const MemoryOrder to : weaker(place))
      if (!weaken_one({place, to})) return false;
  return true;
}

}  // namespace heddle::engine
