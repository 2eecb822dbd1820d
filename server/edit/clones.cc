#include "server/edit/clones.h"

#include <algorithm>
#include <future>

namespace heddle::edit {
namespace {

constexpr size_t kCallersMost = 64;    // changed functions; with more of them hardly anything stays as it was
constexpr size_t kFragmentsMost = 64;  // of an edit that is reported everywhere: what may be thrown changed
constexpr uint32_t kClonesFree = 500, kFunctionsOfAClone = 2;  // beyond the first, one for every second function

struct Callers {
  std::vector<FunctionId> before, after;
};

// Functions of the project that threads run and that differ, in both versions.
Callers changed_functions(const Facts& before, const Facts& after) {
  const BothNames names(*before.program, *after.program);
  const Versions::Functions same(*before.program, *after.program, names);
  Callers result;
  const auto runs = [](const Facts& facts, FunctionId f) {
    return facts.program->function(f).in_project && !facts.roles_of[f.value].empty();
  };
  for (uint32_t f = 0; f < after.program->function_count(); ++f) {
    const FunctionId now(f), then = same.old_of[f];
    if (then.valid() && names.same_code(then, now)) continue;
    const bool old_runs = then.valid() && runs(before, then), new_runs = runs(after, now);
    if (!old_runs && !new_runs) continue;
    result.after.push_back(now);
    if (then.valid()) result.before.push_back(then);
  }
  return result;
}

}  // namespace

std::optional<ClonedVersions> clone_for_changed(const FactsPtr& before, const FactsPtr& after, const Fragments& found) {
  const Callers callers = changed_functions(*before, *after);
  const auto elsewhere = [&](const Fragment& fragment) {
    return !std::binary_search(callers.after.begin(), callers.after.end(), fragment.function);
  };
  if (std::none_of(found.fragments.begin(), found.fragments.end(), elsewhere)) return std::nullopt;
  if (callers.after.empty() || callers.after.size() > kCallersMost || found.fragments.size() > kFragmentsMost)
    return std::nullopt;
  const program::ProgramPtr old_program = before->program->with_clones(callers.before),
                            new_program = after->program->with_clones(callers.after);
  const uint32_t functions = after->program->function_count(), clones = new_program->function_count() - functions;
  if (clones == 0 || clones > kClonesFree + functions / kFunctionsOfAClone) return std::nullopt;
  std::future<FactsPtr> old_facts = std::async(std::launch::async, [&] { return analysis::analyse(old_program); });
  FactsPtr new_facts = analysis::analyse(new_program);
  return ClonedVersions{old_facts.get(), std::move(new_facts)};
}

WithoutClones::WithoutClones(const Facts& cloned, const Facts& facts) : cloned_(cloned), facts_(facts) {
  for (uint32_t o = 0; o < facts.objects.size(); ++o) {
    const analysis::Object& object = facts.objects[o];
    if (!object.whole.valid() && !object.global.valid() && !object.site.function.valid())
      nowhere_.emplace(object.name, ObjectId(o));
  }
  const auto original = [&](FunctionId f) { return f.valid() ? cloned.program->original(f) : f; };
  for (const analysis::Role& role : cloned.roles) {
    const auto same = [&](const analysis::Role& other) {
      return other.entry == original(role.entry) && other.callable == original(role.callable);
    };
    const auto found = std::find_if(facts.roles.begin(), facts.roles.end(), same);
    roles_.push_back(found == facts.roles.end() ? RoleId()
                                                : RoleId(static_cast<uint32_t>(found - facts.roles.begin())));
  }
}

// The parts may be cut otherwise there: all that overlap.
void WithoutClones::add_object(ObjectId cloned, std::vector<ObjectId>& to) const {
  const analysis::Object& object = cloned_.objects[cloned.value];
  const ObjectId whole = object.whole.valid() ? object.whole : cloned;
  const analysis::Object& made = cloned_.objects[whole.value];
  ObjectId here;
  if (made.global.valid())
    here = facts_.object_of(made.global);
  else if (made.site.function.valid())
    here = facts_.object_of(address(made.site));
  else if (const auto found = nowhere_.find(made.name); found != nowhere_.end())
    here = found->second;
  if (!here.valid()) return;
  const auto& parts = facts_.sub_objects[here.value];
  if (whole == cloned) {
    to.push_back(here);
    if (cloned_.sub_objects[whole.value].empty())
      for (const Facts::SubObject& part : parts) to.push_back(part.object);
    return;
  }
  bool found = false;
  for (const Facts::SubObject& part : cloned_.sub_objects[whole.value]) {
    if (part.object != cloned) continue;
    for (const Facts::SubObject& mine : parts)
      if (mine.begin < part.end && part.begin < mine.end) to.push_back(mine.object), found = true;
  }
  if (!found) to.push_back(here);
}

std::vector<ObjectId> WithoutClones::objects(const std::vector<ObjectId>& cloned) const {
  std::vector<ObjectId> result;
  for (ObjectId o : cloned) add_object(o, result);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

bool WithoutClones::translate(Fragments& fragments) const {
  for (const auto& roles : fragments.roles)
    for (RoleId role : roles)
      if (!roles_[role.value].valid()) return false;
  for (size_t n = 0; n < fragments.fragments.size(); ++n) {
    Fragment& fragment = fragments.fragments[n];
    fragment.function = cloned_.program->original(fragment.function);
    for (CodeAddress& at : fragment.inside) at = address(at);
    std::sort(fragment.inside.begin(), fragment.inside.end());
    fragment.inside.erase(std::unique(fragment.inside.begin(), fragment.inside.end()), fragment.inside.end());
    fragment.objects = objects(fragment.objects);
    std::vector<RoleId>& roles = fragments.roles[n];
    for (RoleId& role : roles) role = roles_[role.value];
    std::sort(roles.begin(), roles.end());
    roles.erase(std::unique(roles.begin(), roles.end()), roles.end());
  }
  return true;
}

}  // namespace heddle::edit
