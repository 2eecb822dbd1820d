#include "server/explore/exit_codes.h"

#include <algorithm>
#include <utility>

namespace heddle::explore {

using detect::ProcessEnd;
using machine::Machine;

std::optional<detect::Finding> ExitCodes::ended(const Machine& machine,
                                                const std::function<detect::Schedule()>& schedule) {
  if (reported_) return std::nullopt;
  const bool succeeds = machine.exit_code() == 0;
  const auto end_of = [succeeds](Ends& ends) -> std::optional<ProcessEnd>& {
    return succeeds ? ends.succeeds : ends.fails;
  };
  // A program that took no input so far hardly takes one later.
  constexpr uint64_t kPathsWithoutInputs = 16;
  Ends& without_inputs = ends_[""];
  if (end_of(without_inputs) && paths_with_inputs_ == 0 && paths_ > kPathsWithoutInputs) return std::nullopt;
  if (paths_with_inputs_ > kPathsWithInputsMost || !detect::ends_by_itself(machine)) return std::nullopt;
  ++paths_;
  const std::string key = detect::inputs_key(machine);
  paths_with_inputs_ += key.empty() ? 0 : 1;
  Ends& ends = ends_[key];
  if (end_of(ends)) return std::nullopt;
  end_of(ends) = detect::process_end(machine, succeeds ? detect::Schedule{} : schedule());
  if (!ends.fails || !ends.succeeds) return std::nullopt;
  reported_ = true;
  return detect::from_ends(*ends.fails, *ends.succeeds);
}

std::optional<std::string> ExitCodes::only_fails_with() const {
  for (const auto& [inputs, ends] : ends_)
    if (ends.fails && !ends.succeeds) return inputs;
  return std::nullopt;
}

std::optional<detect::Finding> ExitCodes::succeeds(const std::string& inputs, const ProcessEnd& end) {
  Ends& ends = ends_[inputs];
  if (reported_ || !ends.fails) return std::nullopt;
  reported_ = true;
  return detect::from_ends(*ends.fails, end);
}

void ExitCodes::add(const ExitCodes& other) {
  for (const auto& [inputs, ends] : other.ends_) {
    Ends& known = ends_[inputs];
    if (!known.fails) known.fails = ends.fails;
    if (!known.succeeds) known.succeeds = ends.succeeds;
  }
  paths_ = std::max(paths_, other.paths_);
  paths_with_inputs_ = std::max(paths_with_inputs_, other.paths_with_inputs_);
  reported_ = reported_ || other.reported_;
}

std::optional<detect::Finding> ExitCodes::differ() {
  for (const auto& [inputs, ends] : ends_) {
    if (reported_ || !ends.fails || !ends.succeeds) continue;
    reported_ = true;
    return detect::from_ends(*ends.fails, *ends.succeeds);
  }
  return std::nullopt;
}

namespace {

void save_end(const std::optional<ProcessEnd>& end, Writer& out) {
  out.value(end.has_value());
  if (!end) return;
  out.value(end->code);
  out.value(end->place.line);
  out.value(end->place.column);
  for (const std::string* text :
       {&end->place.file, &end->place.function, &end->place.thread, &end->place.role, &end->function, &end->how})
    out.text(*text);
  out.text(detect::print(end->schedule));
}

bool restore_end(std::optional<ProcessEnd>& end, Reader& in) {
  if (!in.value<bool>()) return in.good();
  end.emplace();
  end->code = in.value<int>();
  end->place.line = in.value<uint32_t>();
  end->place.column = in.value<uint32_t>();
  for (std::string* text :
       {&end->place.file, &end->place.function, &end->place.thread, &end->place.role, &end->function, &end->how})
    *text = in.text();
  const auto schedule = detect::read_schedule(in.text());
  if (!in.good() || !schedule) return false;
  end->schedule = *schedule;
  return true;
}

}  // namespace

void ExitCodes::save(Writer& out) const {
  out.value(reported_);
  out.value(paths_);
  out.value(paths_with_inputs_);
  out.value(static_cast<uint64_t>(ends_.size()));
  for (const auto& [inputs, ends] : ends_) {
    out.text(inputs);
    save_end(ends.fails, out);
    save_end(ends.succeeds, out);
  }
}

bool ExitCodes::restore(Reader& in) {
  ExitCodes read;
  read.reported_ = in.value<bool>();
  read.paths_ = in.value<uint64_t>();
  read.paths_with_inputs_ = in.value<uint64_t>();
  for (auto left = in.value<uint64_t>(); in.good() && left > 0; --left) {
    Ends& ends = read.ends_[in.text()];
    if (!restore_end(ends.fails, in) || !restore_end(ends.succeeds, in)) return false;
  }
  if (in.good()) *this = std::move(read);
  return in.good();
}

std::optional<ProcessEnd> find_success(const machine::ImagePtr& image, const Task& task, const std::string& inputs) {
  constexpr uint64_t kStates = 5'000;
  Task search;
  search.machine = task.machine;
  search.visible = task.visible;
  search.budget.states_max = kStates;
  search.minimise = search.follow_races = false;
  std::optional<ProcessEnd> found;
  Listener listener;
  listener.path_end = [&](const Machine& machine) {
    if (found || machine.exit_code() != 0 || !detect::ends_by_itself(machine)) return;
    if (detect::inputs_key(machine) == inputs) found = detect::process_end(machine, {});
  };
  explore(image, nullptr, search, listener);
  return found;
}

}  // namespace heddle::explore
