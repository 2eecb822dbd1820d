#include "client/lsp/findings.h"

#include <algorithm>

#include "client/report/finding_order.h"
#include "client/story/outline.h"

namespace heddle::client::lsp {
namespace {

bool concerns(const ShownFinding& shown, const std::string& path) {
  const auto there = [&](const Placed& place) { return place.path == path; };
  return std::any_of(shown.places.begin(), shown.places.end(), there) ||
         std::any_of(shown.steps.begin(), shown.steps.end(), there);
}

void leave_document(Placed& place, const Document& document, const TextPtr& disk) {
  if (place.path != document.path || place.basis) return;
  if (disk->content() != document.text->content()) {
    const Position at = document.text->position_of(place.span.begin, Encoding::Utf8);
    place.span = statement_at(*disk, disk->offset_of(at, Encoding::Utf8));
  }
  place.basis = disk;
}

void enter_document(Placed& place, const Document& document) {
  if (place.path != document.path || !place.basis) return;
  if (place.basis->content() != document.text->content()) {
    const Position at = place.basis->position_of(place.span.begin, Encoding::Utf8);
    place.span = statement_at(*document.text, document.text->offset_of(at, Encoding::Utf8));
  }
  place.basis = nullptr;
}

void forget_change(TargetState& state) {
  state.fragments.clear();
  state.diffed.clear_fragments();
  state.diffed.clear_pairs();
  state.interleavings.clear();
}

template <typename Wanted>
size_t count_defects(const std::map<std::string, TargetState>& targets, Wanted wanted) {
  size_t sum = 0;
  for (const auto& [target, state] : targets) {
    for (const auto& [id, shown] : state.findings)
      sum += !shown.finding.has_suppressed() && shown.confirmed() && !is_below_another(shown.finding) && wanted(shown);
  }
  return sum;
}

}  // namespace

TextPtr SeenTexts::text(const std::string& path) {
  if (const auto seen = snapshot_.find(path); seen != snapshot_.end()) return seen->second.text;
  TextPtr& text = from_disk_[path];
  if (!text) text = std::make_shared<const Text>(read_file(path).value_or(""));
  return text;
}

TextPtr SeenTexts::known(const std::string& path) const {
  if (const auto seen = snapshot_.find(path); seen != snapshot_.end()) return seen->second.text;
  const auto read = from_disk_.find(path);
  return read == from_disk_.end() ? nullptr : read->second;
}

Placed SeenTexts::place(Documents& documents, const std::string& path, uint32_t line, uint32_t column) {
  const TextPtr seen = text(path);
  Placed out{path, statement_at(*seen, seen->offset_of_place(line, column)), seen};
  Document* document = documents.find(path);
  if (!document) return out;
  if (const auto known = snapshot_.find(path);
      known != snapshot_.end() && known->second.revision >= 1 && known->second.revision <= document->revision) {
    documents.catch_up(*document, known->second.revision, out.span);
    out.basis = nullptr;
  } else {
    enter_document(out, *document);
  }
  return out;
}

void Findings::heard(const std::string& target, const v1::Finding& finding, uint64_t run, uint64_t generation,
                     const std::shared_ptr<SeenTexts>& seen, Documents& documents) {
  TargetState& state = targets_[target];
  if (finding.state() == v1::FINDING_FIXED) {
    state.findings.erase(finding.id());
    return;
  }
  ShownFinding shown;
  shown.finding = finding;
  shown.target = target;
  shown.seen = seen;
  shown.run = run;
  shown.generation = generation;
  const bool fresh = finding.state() == v1::FINDING_NEW || finding.state() == v1::FINDING_CHANGED;
  const auto before = state.findings.find(finding.id());
  shown.since_edit = fresh || (state.diffed_run != run && before != state.findings.end() && before->second.since_edit);
  for (const v1::Place& place : finding.places()) {
    shown.places.push_back(seen->place(documents, place.file(), place.line(), place.column()));
  }
  for (const v1::TraceStep& step : finding.trace()) {
    shown.steps.push_back(seen->place(documents, step.place().file(), step.place().line(), step.place().column()));
  }
  for (const v1::CallFrame& frame : finding.frames())
    shown.frames.push_back(seen->place(documents, frame.place().file(), frame.place().line(), frame.place().column()));
  for (size_t i = 0; i < shown.steps.size(); ++i)
    if (finding.trace(static_cast<int>(i)).decisive()) shown.shown_steps.insert(i);
  for (const OutlineRow& row : rows_shown(finding, Detail::Story))
    shown.shown_steps.insert(static_cast<size_t>(row.step));
  state.findings[finding.id()] = std::move(shown);
}

void Findings::target_ended(const std::string& target, const v1::Verdict& verdict, uint64_t run) {
  TargetState& state = targets_[target];
  state.verdict = verdict;
  if (verdict.kind() == v1::VERDICT_ERROR) state.failed_run = run;
  if (verdict.kind() == v1::VERDICT_ERROR || verdict.error() != v1::ERROR_NONE) return;
  state.run = state.ended_run = run;
  if (state.diffed_run == run) {
    state.program_after = verdict.program();
  } else if (verdict.program() != state.program_before && verdict.program() != state.program_after) {
    forget_change(state);
  }
  state.judged_program = verdict.program();
  std::erase_if(state.findings, [&](const auto& entry) { return entry.second.run != run; });
}

void Findings::keep_targets(const std::set<std::string>& names) {
  if (!names.empty()) std::erase_if(targets_, [&](const auto& entry) { return !names.contains(entry.first); });
}

void Findings::clear() {
  targets_.clear();
  unchecked_.clear();
}

std::set<std::string> Findings::files() const {
  std::set<std::string> out;
  for (const auto& [target, state] : targets_) {
    for (const auto& [id, shown] : state.findings)
      for (const Placed& place : shown.places) out.insert(place.path);
    for (const ShownFragment& shown : state.fragments) out.insert(shown.place.path);
  }
  return out;
}

void Findings::set_unchecked(const std::string& target, std::vector<ShownUnchecked> places) {
  (target.empty() ? unchecked_ : targets_[target].unchecked) = std::move(places);
}

void Findings::compared(const std::string& target, const v1::Diffed& diffed, uint64_t run, uint64_t generation,
                        const std::shared_ptr<SeenTexts>& seen, Documents& documents) {
  TargetState& state = targets_[target];
  state.generation = generation;
  state.run = run;
  // Nothing changed, or the program is one that was judged before: the places of the last change stay, and what was
  // found in it before says nothing any more. The findings and the verdict of this run do.
  if (diffed.fragments().empty() && !diffed.everything() && !state.fragments.empty()) {
    for (ShownFragment& shown : state.fragments) {
      shown.seen = seen;
      seen->text(shown.place.path);
      shown.stale = false;
    }
    for (v1::Pair& pair : *state.diffed.mutable_pairs())
      if (pair.chosen() && pair.state() != "not-reached") pair.set_state("reused");
    return;
  }
  state.diffed_run = run;
  state.program_before = state.judged_program;
  state.program_after.clear();
  state.diffed = diffed;
  state.interleavings.assign(static_cast<size_t>(diffed.pairs_size()), 0);
  state.fragments.clear();
  for (const v1::Fragment& fragment : diffed.fragments()) {
    ShownFragment shown;
    shown.fragment = fragment;
    shown.place = seen->place(documents, fragment.file(), fragment.begin_line(), fragment.begin_column());
    shown.extent = shown.place;
    if (fragment.end_line() > 0) {
      const Placed end = seen->place(documents, fragment.file(), fragment.end_line(), fragment.end_column());
      shown.extent.span.end = std::max(shown.extent.span.end, end.span.end);
    }
    shown.seen = seen;
    const auto known = seen->snapshot().find(fragment.file());
    if (known != seen->snapshot().end()) shown.version = known->second.version;
    state.fragments.push_back(std::move(shown));
  }
}

template <typename Visit>
void Findings::each_place(Visit visit) {
  for (auto& [target, state] : targets_) {
    for (auto& [id, shown] : state.findings) {
      for (Placed& place : shown.places) visit(place);
      for (Placed& place : shown.steps) visit(place);
      for (Placed& place : shown.frames) visit(place);
    }
    for (ShownFragment& shown : state.fragments) {
      visit(shown.place);
      visit(shown.extent);
    }
    for (ShownUnchecked& shown : state.unchecked) visit(shown.place);
  }
  for (ShownUnchecked& shown : unchecked_) visit(shown.place);
}

void Findings::edited(const std::string& path, const Edit& edit) {
  each_place([&](Placed& place) {
    if (!place.basis && place.path == path) place.span.move(edit);
  });
}

void Findings::opened(const Document& document) {
  each_place([&](Placed& place) { enter_document(place, document); });
}

void Findings::closed(const Document& document) {
  const auto disk = std::make_shared<const Text>(read_file(document.path).value_or(""));
  each_place([&](Placed& place) { leave_document(place, document, disk); });
}

void Findings::refresh(const std::string& path, const std::function<bool(const TextPtr&)>& matters) {
  const auto stale = [&](const SeenTexts& seen) {
    const TextPtr text = seen.known(path);
    return text && matters(text);
  };
  for (auto& [target, state] : targets_) {
    for (auto& [id, shown] : state.findings) {
      if (!concerns(shown, path)) continue;
      if (stale(*shown.seen))
        shown.edited.insert(path);
      else
        shown.edited.erase(path);
    }
    for (ShownFragment& shown : state.fragments) {
      if (shown.place.path == path) shown.stale = stale(*shown.seen);
    }
    for (ShownUnchecked& shown : state.unchecked)
      if (shown.place.path == path) shown.stale = stale(*shown.seen);
  }
  for (ShownUnchecked& shown : unchecked_)
    if (shown.place.path == path) shown.stale = stale(*shown.seen);
}

const ShownFinding* Findings::find(const std::string& id, std::string& target, std::string& problem) const {
  const ShownFinding* found = nullptr;
  const std::string wanted = target;
  for (const auto& [name, state] : targets_) {
    if (!wanted.empty() && name != wanted) continue;
    for (const auto& [key, shown] : state.findings) {
      if (id.empty() || !key.starts_with(id)) continue;
      if (found && found->finding.id() != key) {
        problem = "the id '" + id + "' is not unique: give more of it";
        return nullptr;
      }
      if (!found) target = name;
      found = found ? found : &shown;
    }
  }
  if (!found) problem = "no finding shown now has the id '" + id + "'";
  return found;
}

size_t Findings::defect_count() const {
  return count_defects(targets_, [](const ShownFinding&) { return true; });
}

size_t Findings::stale_defect_count() const {
  return count_defects(targets_, [](const ShownFinding& shown) { return shown.stale(); });
}

size_t Findings::suppressed_count() const {
  size_t sum = 0;
  for (const auto& [target, state] : targets_) {
    for (const auto& [id, shown] : state.findings) sum += shown.finding.has_suppressed();
  }
  return sum;
}

}  // namespace heddle::client::lsp
