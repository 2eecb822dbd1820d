#include <algorithm>

#include "server/edit/clones.h"
#include "server/edit/kinds.h"
#include "server/edit/may_locksets.h"
#include "server/edit/pairs.h"

namespace heddle::edit {
namespace {

// All of the impact but the pairs.
Fragments compare_versions(const FactsPtr& before, const FactsPtr& after, Impact& impact) {
  ChangeSet changes(before, after);
  Fragments fragments = make_fragments(changes);
  impact.kinds = kinds_of(changes);
  for (FunctionId f : changes.differing) impact.edited.push_back(after->program->function(f).display_name);
  std::sort(impact.edited.begin(), impact.edited.end());
  impact.everything = changes.everything;
  impact.widened = std::move(changes.widened);
  impact.unchanged = std::move(changes.unchanged);
  impact.seeds = changes.gone;
  for (const Fragment& fragment : fragments.fragments) unite(impact.seeds, fragment.objects);
  if (changes.sites.empty() && changes.deletions.empty()) return fragments;
  // A lock, a signal, a fence or a thread that changed affects what it orders, too.
  std::vector<CodeAddress> then, now;
  for (const auto& [at, site] : changes.sites) {
    now.push_back(at);
    if (const CodeAddress old = changes.old_of(at); old.function.valid()) then.push_back(old);
  }
  for (const Deletion& deletion : changes.deletions) then.push_back(deletion.old_at);
  unite(impact.seeds, MayLocksets(*after).ordered_by(now));
  unite(impact.seeds, changes.versions().map(MayLocksets(*before).ordered_by(then)));
  return fragments;
}

// The same, more precisely.
void compare_cloned(const ClonedVersions& cloned, const FactsPtr& after, Impact& impact, Fragments& fragments) {
  Impact found;
  Fragments changed = compare_versions(cloned.before, cloned.after, found);
  const WithoutClones back(*cloned.after, *after);
  if (!back.translate(changed)) return;
  found.seeds = back.objects(found.seeds);
  impact = std::move(found);
  fragments = std::move(changed);
}

}  // namespace

Impact compare(const FactsPtr& before, const FactsPtr& after) {
  Impact impact;
  Fragments fragments;
  if (!before) {
    impact.everything = true;
    impact.kinds = {EditKind::FirstVersion};
    impact.widened.push_back("there is no earlier version to compare with: everything is new");
    fragments = whole_functions(after, Summaries(*after));
    for (uint32_t o = 0; o < after->objects.size(); ++o)
      if (after->objects[o].shared) impact.seeds.push_back(ObjectId(o));
  } else {
    if (before->program->content() == after->program->content() && before->roles.size() == after->roles.size()) {
      const auto& x = before->program->units();
      const auto& y = after->program->units();
      bool flags = x.size() == y.size();
      for (size_t k = 0; flags && k < x.size(); ++k) flags = x[k]->flags == y[k]->flags;
      if (x.size() == y.size() && flags && std::equal(x.begin(), x.end(), y.begin())) {
        impact.unchanged.push_back("nothing changed");
        impact.kinds = {EditKind::NothingThatRuns};
        return impact;
      }
    }
    fragments = compare_versions(before, after, impact);
    if (const auto cloned = clone_for_changed(before, after, fragments))
      compare_cloned(*cloned, after, impact, fragments);
  }
  impact.pairs = make_pairs(*after, fragments);
  for (const auto& roles : fragments.roles)
    impact.modified_roles.insert(impact.modified_roles.end(), roles.begin(), roles.end());
  std::sort(impact.modified_roles.begin(), impact.modified_roles.end());
  impact.modified_roles.erase(std::unique(impact.modified_roles.begin(), impact.modified_roles.end()),
                              impact.modified_roles.end());
  impact.fragments = std::move(fragments.fragments);
  return impact;
}

}  // namespace heddle::edit
