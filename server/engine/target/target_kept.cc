// What becomes of open findings that a check did not see again, and what is said of findings that are lived with.
#include <algorithm>
#include <set>

#include "server/detect/describe.h"
#include "server/engine/target/same_error.h"
#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"

namespace heddle::engine {

namespace {

constexpr int kEarlierMax = 4;  // bases with fewer findings

// These do not end the path they are found on; what comes after them was explored all the same.
bool ends_path(const std::string& rule) {
  return rule != "data-race" && rule != "leak" && rule != "thread-leak" && rule != "exit-code-differs";
}

bool is_open_race(const v1::Finding& finding) {
  return finding.rule() == "data-race" && finding.state() != v1::FINDING_NOT_CONFIRMED;
}

std::string place_text(const v1::Finding& finding) {
  if (finding.places().empty() || finding.places(0).line() == 0) return "";
  const std::string& file = finding.places(0).file();
  return " at " + file.substr(file.rfind('/') + 1) + ":" + std::to_string(finding.places(0).line());
}

std::set<std::string> names_of_functions(const program::Program& program) {
  std::set<std::string> names;
  for (uint32_t f = 0; f < program.function_count(); ++f)
    names.insert(detect::function_name(program, program::FunctionId(f)));
  return names;
}

bool has(const google::protobuf::RepeatedPtrField<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

// Every interleaving that the change affects was explored. What races lead to may be unknown: those are named.
bool TargetCheck::explored() const { return complete() || (step2_complete_ && !lost_explorer_); }

// The finding that is open no more as it was, because this one is the same error.
const v1::Finding* TargetCheck::replaced_by(const v1::Finding& finding) const {
  for (const auto& [id, old] : open_before_)
    if (!present_index_.count(id) && !replaced_.count(id) && (same_error(old, finding) || is_renamed(old, finding)))
      return &old;
  return nullptr;
}

// A function in it has another name now: the old name is in the program no more, and the new one was not.
bool TargetCheck::is_renamed(const v1::Finding& old, const v1::Finding& finding) const {
  const std::optional<Renamed> renamed = renamed_between(old, finding);
  const VersionPtr last = renamed ? project_.version_of(book_.last()) : nullptr;
  if (!last) return false;
  const auto only_in = [&](const program::Program& one, const program::Program& other, const std::string& name) {
    return names_of_functions(one).contains(name) && !names_of_functions(other).contains(name);
  };
  const program::Program &before = *last->program(), &now = *request_.version->program();
  return only_in(before, now, renamed->from) && only_in(now, before, renamed->to);
}

const std::set<std::string>& TargetCheck::functions() const {
  if (functions_.empty()) functions_ = names_of_functions(*request_.version->program());
  return functions_;
}

// A function in which the error was is in the program no more.
bool TargetCheck::is_gone(const v1::Finding& finding) const {
  const std::set<std::string>& names = functions();
  const int decisive = std::min(finding.places_size(), finding.rule() == "data-race" ? 2 : 1);
  return std::any_of(finding.places().begin(), finding.places().begin() + decisive, [&](const v1::Place& place) {
    return !place.function().empty() && !names.contains(place.function());
  });
}

// Some path ended at an error that the check before did not know.
bool TargetCheck::met_new_end() const {
  return std::any_of(present_.begin(), present_.end(), [&](const v1::Finding& finding) {
    return ends_path(finding.rule()) && finding.state() == v1::FINDING_NEW;
  });
}

// The check would have seen it again.
bool TargetCheck::is_excluded(const v1::Finding& old) const {
  if (is_gone(old)) return true;
  if (verdict::is(old.step(), verdict::Search::Weak) && scope_.memory_model() != weak_model()) return false;
  if (met_new_limits() || met_new_end()) return false;
  if (complete()) return true;
  const bool pairs_of_everything = impact_.everything && step1_complete_ && scope_.step1() == v1::STEP_COMPLETE;
  if (pairs_of_everything && verdict::is(old.step(), verdict::Search::Pairwise)) return true;
  if (!explored()) return false;
  if (!verdict::is(old.step(), verdict::Search::Consequences) && !old.inside_race()) return true;
  // What a race led to went with it.
  return !old.follows_from().empty() &&
         std::none_of(old.follows_from().begin(), old.follows_from().end(), [&](const std::string& race) {
           const auto known = present_index_.find(race);
           return known != present_index_.end() && is_open_race(present_[known->second]);
         });
}

// Every finding that was open before is still there, fixed, or kept because nothing could decide.
void TargetCheck::close_open_findings() {
  if (!request_.given_base_text.empty()) return;
  std::vector<const v1::Finding*> unheard;
  for (const auto& [id, old] : open_before_)
    if (!present_index_.count(id) && !replaced_.count(id)) unheard.push_back(&old);
  std::stable_partition(unheard.begin(), unheard.end(), [](const v1::Finding* f) { return f->follows_from().empty(); });
  for (const v1::Finding* old : unheard) {
    v1::Finding finding = *old;
    finding.set_target(request_.name);
    suppress(finding);
    if (is_excluded(*old)) {
      finding.set_state(v1::FINDING_FIXED);
      fixed_.push_back(old->id());
    } else {
      finding.set_state(v1::FINDING_NOT_CONFIRMED);
      keep_origins(finding);
      present_index_[old->id()] = present_.size();
      present_.push_back(finding);
    }
    v1::Event event;
    *event.mutable_finding() = finding;
    emit_(event);
  }
}

// Ids of the races that are open, in order.
std::vector<std::string> TargetCheck::open_races() const {
  std::vector<std::string> out;
  for (const v1::Finding& finding : present_)
    if (is_open_race(finding)) out.push_back(finding.id());
  std::sort(out.begin(), out.end());
  return out;
}

// All races that are open are in the baseline: what they lead to is lived with, too.
bool TargetCheck::only_known_races() const {
  bool some = false;
  for (const v1::Finding& finding : present_) {
    if (!is_open_race(finding)) continue;
    if (!finding.suppressed().baseline()) return false;
    some = true;
  }
  return some;
}

// The search for what these races lead to did not end the last time.
bool TargetCheck::known_not_to_end(const std::vector<std::string>& races) const {
  return !races.empty() &&
         std::all_of(races.begin(), races.end(), [&](const std::string& id) { return has(book_.unended_races(), id); });
}

void TargetCheck::remember_unended(const std::vector<std::string>& races) {
  if (races.empty() || known_not_to_end(races)) return;
  book_.mutable_unended_races()->Assign(races.begin(), races.end());
  book_.set_unended_when_idle(false);
}

// What races lead to, where that was not searched to the end.
void TargetCheck::note_unended_consequences(v1::Scope& scope) const {
  if (consequences_complete_ || !step2_complete_) return;
  std::vector<std::string> reported, suppressed;
  for (const v1::Finding& finding : present_) {
    if (!is_open_race(finding)) continue;
    (finding.has_suppressed() ? suppressed : reported).push_back(subject_of(finding) + place_text(finding));
  }
  const auto listed = [](const std::vector<std::string>& races, const std::string& word) {
    return races.size() == 1 ? "the " + word + races[0] + " leads"
                             : "the " + counted(races.size(), word + "data race") + " lead";
  };
  if (!reported.empty())
    scope.add_limits(
        "what " + listed(reported, "") +
        " to (memory it corrupts, assertions it breaks) was not searched to the end; `heddle full` searches it");
  if (!suppressed.empty())
    scope.add_assumptions("what " + listed(suppressed, "suppressed ") +
                          " to was not searched to the end: it is taken to do no harm");
}

// A finding that ends its path hides what comes after it. One that is suppressed is no error of the verdict, so that
// the verdict says what it hides.
void TargetCheck::note_hidden(v1::Scope& scope) const {
  for (const v1::Finding& finding : present_) {
    if (!finding.has_suppressed() || !ends_path(finding.rule())) continue;
    scope.add_assumptions("what the program does after the suppressed " + finding.rule() + place_text(finding) +
                          " (finding " + finding.id() + ") is right: an interleaving that shows it ends there");
  }
}

bool TargetCheck::never_ends() const { return threads_met_ > 0 ? !finishes_ : base_.record.never_ends(); }

// Nothing is left to find where every interleaving ends at an error that is suppressed.
std::optional<std::string> TargetCheck::all_hidden(bool never_ends) const {
  const auto hides = [](const v1::Finding& finding) { return finding.has_suppressed() && ends_path(finding.rule()); };
  const auto found = std::find_if(present_.begin(), present_.end(), hides);
  if (found == present_.end() || !never_ends) return std::nullopt;
  return "every interleaving ends at an error, and that of finding " + found->id() +
         " is suppressed: what comes after it was never run";
}

// The version becomes the one that later ones are compared with. An error that ends its path hides what comes after it
// in this version as in the next, which is compared with this one only while the error still shows; once it does not,
// an earlier base without it takes over, so that what it hid is explored then.
void TargetCheck::take_as_base(const v1::VersionRecord& version) {
  std::set<std::string> ids;
  for (const v1::Finding& finding : version.findings()) ids.insert(finding.id());
  const auto has_more = [&](const v1::VersionRecord& other) {
    std::set<std::string> others;
    for (const v1::Finding& finding : other.findings()) others.insert(finding.id());
    return !std::includes(others.begin(), others.end(), ids.begin(), ids.end());
  };
  if (version.findings().empty()) {
    book_.clear_earlier();
    *book_.mutable_clean() = version;
  } else if (book_.has_base() && !book_.base().findings().empty() && has_more(book_.base())) {
    *book_.add_earlier() = book_.base();
    if (book_.earlier_size() > kEarlierMax) book_.mutable_earlier()->DeleteSubrange(0, 1);
  }
  *book_.mutable_base() = version;
}

}  // namespace heddle::engine
