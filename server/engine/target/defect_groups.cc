#include "server/engine/target/defect_groups.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace heddle::engine {

namespace {

bool shares(const std::set<std::string>& x, const std::set<std::string>& y) {
  return std::any_of(x.begin(), x.end(), [&](const std::string& name) { return y.contains(name); });
}

// "q.items[0]" -> "q", "malloc@list.c:14+8" -> "malloc@list.c:14"
std::string outermost(const std::string& part) {
  const size_t site = part.find('@');
  const size_t line = site == part.npos ? 0 : part.find(':', site);
  const size_t end = part.find_first_of(".[+-", line == part.npos ? site : line);
  return part.substr(0, end);
}

// The step at which the thread of the place makes its access: the last one, in a loop. -1: none.
int step_at(const v1::Finding& finding, const v1::Place& place) {
  for (int n = finding.trace_size(); n-- > 0;) {
    const v1::TraceStep& step = finding.trace(n);
    if (step.decisive() && step.thread() == place.thread() && step.place().line() == place.line() &&
        step.place().column() == place.column() && step.place().file() == place.file())
      return n;
  }
  return -1;
}

// Locks that the first step holds and the second does not, the one taken last.
std::string only_held_by(const v1::TraceStep& holder, const v1::TraceStep& other) {
  std::string last;
  for (const std::string& lock : holder.locks_held())
    if (std::find(other.locks_held().begin(), other.locks_held().end(), lock) == other.locks_held().end()) last = lock;
  return last;
}

// What the later thread read before its access, of what the earlier one wrote after its own.
std::string order_between(const v1::Finding& finding, int earlier, int later) {
  std::set<std::string> written;
  for (int n = earlier; n < later; ++n) {
    const v1::TraceStep& step = finding.trace(n);
    const bool of_earlier = step.thread_number() == finding.trace(earlier).thread_number();
    if (of_earlier && n > earlier && !step.value_written().empty()) written.insert(step.object());
    const bool of_later = step.thread_number() == finding.trace(later).thread_number();
    if (of_later && !step.value_read().empty() && written.contains(step.object())) return step.object();
  }
  return "";
}

bool stands_for_itself(const v1::Finding& finding) {
  return finding.has_suppressed() || finding.older() || finding.state() == v1::FINDING_NOT_CONFIRMED ||
         finding.state() == v1::FINDING_FIXED;
}

// Empty: an error between threads, which its first place alone does not identify.
std::string fault_key(const v1::Finding& finding) {
  static const std::set<std::string> kBetweenThreads = {"data-race",   "deadlock",          "livelock",
                                                        "lost-signal", "exit-code-differs", "not-linearizable"};
  if (finding.places_size() == 0 || kBetweenThreads.contains(finding.rule())) return "";
  const v1::Place& place = finding.places(0);
  return finding.rule() + "\n" + place.file() + "\n" + std::to_string(place.line()) + ":" +
         std::to_string(place.column()) + (finding.state() == v1::FINDING_NEW ? " new" : "");
}

// Where memory is freed, and where it is used although nothing makes the one wait for the other: a race of the two, or the
// use after it was freed. Empty: neither.
std::string freed_key(const v1::Finding& finding) {
  if (finding.places_size() < 2) return "";
  const v1::Place *use = &finding.places(0), *free = &finding.places(1);
  if (finding.rule() == "data-race") {
    if (use->role().starts_with("frees")) std::swap(use, free);
    if (!free->role().starts_with("frees")) return "";
  } else if (finding.rule() != "use-after-free" || !free->role().starts_with("freed it here")) {
    return "";
  }
  const auto where = [](const v1::Place& place) { return place.file() + ":" + std::to_string(place.line()); };
  return where(*free) + "\n" + where(*use) + (finding.state() == v1::FINDING_NEW ? " new" : "");
}

// A lock that is missing says more than a race of two accesses without any; a write without it more than a read.
int says(const v1::Finding& finding) {
  const RaceFacts facts = race_facts(finding);
  const bool writes = std::any_of(finding.places().begin(), finding.places().end(), [&](const v1::Place& place) {
    return facts.functions.contains(place.function()) && place.role().starts_with("writes");
  });
  return (facts.guards.empty() ? 0 : 2) + (writes ? 1 : 0);
}

}  // namespace

RaceFacts race_facts(const v1::Finding& race) {
  RaceFacts facts;
  if (race.places_size() < 2) return facts;
  const int here = step_at(race, race.places(0)), there = step_at(race, race.places(1));
  if (here < 0 || there < 0) return facts;
  const v1::TraceStep& a = race.trace(here);
  const v1::TraceStep& b = race.trace(there);
  facts.part = a.object();
  facts.object = outermost(facts.part);
  const std::string of_a = only_held_by(a, b), of_b = only_held_by(b, a);
  for (const std::string& lock : {of_a, of_b})
    if (!lock.empty()) facts.guards.insert(lock);
  if (of_a.empty() || !of_b.empty()) facts.functions.insert(race.places(0).function());
  if (of_b.empty() || !of_a.empty()) facts.functions.insert(race.places(1).function());
  if (facts.guards.empty()) facts.order = order_between(race, std::min(here, there), std::max(here, there));
  return facts;
}

bool same_defect(const RaceFacts& x, const RaceFacts& y) {
  if (x.object.empty() || y.object.empty()) return false;
  const bool same_object = x.object == y.object, same_function = shares(x.functions, y.functions);
  if (!x.guards.empty() && !y.guards.empty()) return shares(x.guards, y.guards) && (same_object || same_function);
  if (same_object && same_function) return true;
  const bool same_order = !x.order.empty() && x.order == y.order;
  return same_order || (!x.order.empty() && x.order == y.part) || (!y.order.empty() && y.order == x.part);
}

bool is_led(const v1::Finding& finding) { return !finding.group().empty() && finding.group() != finding.id(); }

void DefectGroups::join(v1::Finding& finding) {
  finding.set_group(finding.id());
  if (stands_for_itself(finding)) return;
  for (const std::string& origin : finding.follows_from())
    if (const auto known = group_of_.find(origin); known != group_of_.end()) {
      finding.set_group(known->second);
      return;
    }
  if (finding.rule() == "data-race") {
    const bool introduced = finding.state() == v1::FINDING_NEW;
    const RaceFacts facts = race_facts(finding);
    const auto same = std::find_if(races_.begin(), races_.end(), [&](const Member& member) {
      return member.introduced == introduced && same_defect(member.facts, facts);
    });
    if (same != races_.end()) finding.set_group(same->group);
    races_.push_back({facts, finding.group(), introduced});
  }
  if (const std::string key = fault_key(finding); !key.empty())
    finding.set_group(faults_.try_emplace(key, finding.id()).first->second);
  if (const std::string key = freed_key(finding); !key.empty())
    finding.set_group(freed_.try_emplace(key, finding.group()).first->second);
  group_of_[finding.id()] = finding.group();
}

std::vector<size_t> regroup(std::vector<v1::Finding>& findings, const std::set<std::string>& leaders) {
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto rank = [&](const v1::Finding& finding) {
    const bool race = finding.rule() == "data-race" && finding.follows_from().empty();
    return std::tuple(!race, !leaders.contains(finding.id()), race ? -says(finding) : 0);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rank(findings[a]) < rank(findings[b]); });
  DefectGroups groups;
  std::vector<size_t> changed;
  for (const size_t n : order) {
    const std::string before = findings[n].group();
    groups.join(findings[n]);
    if (findings[n].group() != before) changed.push_back(n);
  }
  return changed;
}

}  // namespace heddle::engine
