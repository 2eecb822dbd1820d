#include "client/fix/situation.h"

#include <algorithm>

namespace heddle::client::fix {

std::string last_name(const std::string& expression) {
  const size_t end = expression.find_last_not_of(" )]'");
  size_t begin = end == expression.npos ? 0 : end + 1;
  const size_t stop = begin;
  while (begin > 0 && is_word_character(expression[begin - 1])) --begin;
  return expression.substr(begin, stop - begin);
}

Spot spot_at(const std::string& path, const Source& source, NodeId statement) {
  Spot out;
  out.path = path;
  out.source = &source;
  out.statement = statement;
  return out;
}

Situation::Situation(v1::Finding finding, ReadText read) : finding_(std::move(finding)), read_(std::move(read)) {
  for (const v1::Place& place : finding_.places())
    if (Spot here = spot(place); here.known()) places_.push_back(std::move(here));
  for (const v1::TraceStep& step : finding_.trace()) {
    Spot here = spot(step.place());
    if (!here.known()) continue;
    steps_.push_back({std::move(here),
                      step.thread_number(),
                      step.kind(),
                      step.object(),
                      {step.locks_held().begin(), step.locks_held().end()}});
  }
  for (const v1::OrderChange& change : finding_.remedy().changes()) remedy_.push_back(spot(change.place()));
  for (const v1::Place& place : finding_.places()) {
    const auto step = std::find_if(finding_.trace().rbegin(), finding_.trace().rend(), [&](const v1::TraceStep& s) {
      return s.place().file() == place.file() && s.place().line() == place.line();
    });
    if (step == finding_.trace().rend()) continue;
    add_access(place, step->kind(), {step->locks_held().begin(), step->locks_held().end()});
  }
}

Spot Situation::spot(const v1::Place& place) {
  Spot out;
  out.path = place.file();
  out.function = place.function();
  auto known = sources_.find(out.path);
  if (known == sources_.end()) {
    auto text = read_(out.path);
    known = sources_.emplace(out.path, text ? std::make_unique<Source>(std::move(*text)) : nullptr).first;
  }
  out.source = known->second.get();
  if (!out.source || place.line() == 0) return out;
  out.offset = out.source->offset_of(place.line(), place.column());
  out.statement = out.source->statement_at(out.offset);
  return out;
}

void Situation::add_access(const v1::Place& place, const std::string& kind, std::vector<std::string> locks) {
  Spot here = spot(place);
  if (!here.known()) return;
  const bool known = std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& access) {
    return access.spot.source == here.source && access.spot.statement == here.statement;
  });
  if (!known) accesses_.push_back({std::move(here), kind, std::move(locks)});
}

void Situation::add(const v1::ExplainResponse& explained) {
  const std::string wanted = object();
  const auto is_about = [&](const std::string& name) { return wanted.starts_with(name) || name.starts_with(wanted); };
  for (const v1::Statement& statement : explained.statements()) {
    if (std::none_of(statement.objects().begin(), statement.objects().end(), is_about)) continue;
    add_access(statement.place(), statement.kind(), {statement.locks().begin(), statement.locks().end()});
    for (const v1::Partner& partner : statement.partners())
      add_access(partner.place(), partner.kind(), {partner.locks().begin(), partner.locks().end()});
  }
}

bool Situation::is_cpp() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const auto& entry) {
    return entry.second && !entry.first.ends_with(".c") && !entry.first.ends_with(".h");
  });
}

std::string Situation::object() const {
  const std::string& message = finding_.message();
  const size_t open = message.find('\'');
  const size_t close = open == message.npos ? open : message.find('\'', open + 1);
  return close == message.npos ? "" : message.substr(open + 1, close - open - 1);
}

std::vector<Spot> Situation::spots_of_steps() const {
  std::vector<Spot> out;
  const auto add = [&](const Spot& spot) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const Spot& other) {
      return other.source == spot.source && other.statement == spot.statement;
    });
    if (!known) out.push_back(spot);
  };
  for (const Step& step : steps_) add(step.spot);
  for (const Spot& place : places_) add(place);
  return out;
}

Draft& Plan::at(const Spot& spot) { return drafts_.try_emplace(spot.path, *spot.source).first->second; }

void Plan::finish(std::vector<Candidate>& out) const {
  Candidate candidate{title_, {}};
  for (const auto& [path, draft] : drafts_) {
    auto edits = draft.finish();
    if (!edits) return;
    if (!edits->empty()) candidate.edits[path] = std::move(*edits);
  }
  if (!candidate.edits.empty()) out.push_back(std::move(candidate));
}

}  // namespace heddle::client::fix
