// What a search has reported, as it is written down where the search stands.
#include <algorithm>

#include "server/explore/report.h"
#include "server/explore/saved.h"

namespace heddle::explore {

void Reporter::save(Writer& out) const {
  out.value(result_.statistics);
  out.value(result_.pauses_bounded || machine_->pauses_bounded());
  out.value(result_.sleeps_for_ever || machine_->sleeps_for_ever());
  out.value(result_.looks_unordered || machine_->looks_unordered());
  out.value(result_.handles_signals || machine_->handles_signals());
  out.value(result_.timers_repeat || machine_->timers_repeat());
  out.value(result_.signals_wait || machine_->signals_wait());
  out.value(result_.cycles_undecided);
  out.value(result_.runs_long || machine_->runs_long());
  out.value(std::max(result_.threads_met, machine_->threads_met()));
  out.value(result_.runs_project_functions || machine_->runs_project_functions());
  out.value(result_.finishes);
  out.values(racy_);
  std::vector<machine::CodeAddress> fresh = new_racy_;
  fresh.insert(fresh.end(), machine_->raced_with_reported().begin(), machine_->raced_with_reported().end());
  out.values(fresh);
  out.value(static_cast<uint64_t>(result_.limits.size()));
  for (const Limit& limit : result_.limits) {
    out.value(limit.kind);
    out.value(limit.count);
    for (const std::string* text : {&limit.message, &limit.place.file, &limit.place.function, &limit.place.thread})
      out.text(*text);
    out.value(limit.place.line);
    out.value(limit.place.column);
  }
}

bool Reporter::restore(Reader& in) {
  const auto statistics = in.value<Statistics>();
  const bool pauses_bounded = in.value<bool>();
  const bool sleeps_for_ever = in.value<bool>();
  const bool looks_unordered = in.value<bool>();
  const bool handles_signals = in.value<bool>();
  const bool timers_repeat = in.value<bool>();
  const bool signals_wait = in.value<bool>();
  const bool cycles_undecided = in.value<bool>();
  const bool runs_long = in.value<bool>();
  const auto threads_met = in.value<uint32_t>();
  const bool runs_project_functions = in.value<bool>();
  const bool finishes = in.value<bool>();
  const auto racy = in.values<machine::CodeAddress>(), fresh = in.values<machine::CodeAddress>();
  std::vector<Limit> limits;
  for (auto left = in.value<uint64_t>(); in.good() && left > 0; --left) {
    Limit& limit = limits.emplace_back();
    limit.kind = in.value<machine::FaultKind>();
    limit.count = in.value<uint64_t>();
    for (std::string* text : {&limit.message, &limit.place.file, &limit.place.function, &limit.place.thread})
      *text = in.text();
    limit.place.line = in.value<uint32_t>();
    limit.place.column = in.value<uint32_t>();
  }
  if (!in.good()) return false;
  result_.statistics = statistics;
  result_.pauses_bounded = pauses_bounded;
  result_.sleeps_for_ever = sleeps_for_ever;
  result_.looks_unordered = looks_unordered;
  result_.handles_signals = handles_signals;
  result_.timers_repeat = timers_repeat;
  result_.signals_wait = signals_wait;
  result_.cycles_undecided = cycles_undecided;
  result_.runs_long = runs_long;
  result_.threads_met = threads_met;
  result_.runs_project_functions = runs_project_functions;
  result_.finishes = finishes;
  result_.limits = limits;
  racy_ = racy;
  new_racy_ = fresh;
  return true;
}

}  // namespace heddle::explore
