#include "server/frontend/command/targets.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include "server/frontend/command/grouping.h"
#include "server/frontend/command/link_names.h"
#include "server/frontend/command/link_sentences.h"
#include "server/frontend/command/making.h"
#include "server/frontend/command/unit_names.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using program::UnitPtr;

// One call of find_targets.
class Finder {
 public:
  Finder(const std::vector<UnitPtr>& given, const std::string& root, Grouping groups,
         const std::set<std::string>& with_variants)
      : units_(given), root_(root), groups_(std::move(groups)), with_variants_(with_variants) {
    std::sort(units_.begin(), units_.end(), [](const UnitPtr& a, const UnitPtr& b) { return a->path < b->path; });
    for (size_t n = 0; n < units_.size(); ++n) {
      names_.push_back(link_names(*units_[n]));
      for (const ObjectFolder& folder : folders_of(n)) {
        in_folder_[folder.id].push_back(n);
        folder_names_[folder.id] = folder.name;
      }
      if (names_[n].defined.contains("main")) {
        mains_.push_back(n);
        continue;
      }
      for (const auto& [name, weak] : names_[n].defined) definers_[name].push_back(n);
    }
    for (size_t n = 0; n < units_.size(); ++n)
      for (const auto& [name, weak] : names_[n].defined)
        if (weak && !of_library(name)) find_override(name);
  }

  TargetSet run() {
    for (const size_t main : mains_) make_programs_of(main);
    for (const auto& [id, members] : in_folder_) make_program_without_main(id, members);
    if (!lent_.empty() && !groups_.known())
      std::erase_if(made_, [&](const Making& one) { return !one.borrows && lends_main(one.main); });
    for (const Making& one : made_) {
      used_.insert(one.main);
      used_.insert(one.members.begin(), one.members.end());
    }
    for (size_t n = 0; n < units_.size(); ++n)
      if (!used_.contains(n) && names_[n].has_cases && !is_main(n)) link_cases(n);
    for (size_t n = 0; n < units_.size(); ++n)
      if (!used_.contains(n) && (registers(n) || !names_[n].changes.empty()) && !is_main(n)) link_registering(n);
    return result();
  }

 private:
  const std::vector<ObjectFolder>& folders_of(size_t n) const { return groups_.of(units_[n]->path); }
  bool is_main(size_t n) const { return std::find(mains_.begin(), mains_.end(), n) != mains_.end(); }
  bool is_program_folder(const std::string& id) const {
    if (groups_.known()) return groups_.is_program(id);
    const std::vector<size_t>& members = in_folder_.at(id);
    return programs_.contains(id) || std::any_of(members.begin(), members.end(), [&](size_t n) { return is_main(n); });
  }
  // Its static constructors can affect other units: they start threads, or use what another unit defines, or what a
  // C++ library that is not compiled here may define.
  bool registers(size_t n) const {
    const auto& with = names_[n].registers_with;
    return names_[n].starts_threads || std::any_of(with.begin(), with.end(), [&](const std::string& name) {
             const auto defines = [&](size_t other) { return other != n && names_[other].defined.contains(name); };
             if (std::any_of(mains_.begin(), mains_.end(), defines)) return true;
             const auto found = definers_.find(name);
             if (found == definers_.end()) return name.starts_with("_Z");
             return std::any_of(found->second.begin(), found->second.end(), defines);
           });
  }
  std::string shown(size_t n) const { return name_of(units_[n]->path, root_, true); }

  // A strong definition somewhere else takes the place of a weak one.
  void find_override(const std::string& name) {
    const auto found = definers_.find(name);
    const auto is_strong = [&](size_t n) { return !names_[n].defined.at(name); };
    if (found != definers_.end() && std::any_of(found->second.begin(), found->second.end(), is_strong))
      overridden_.insert(name);
  }

  // --- the units of one program ---

  // A name that both the unit and the program define.
  std::optional<std::string> conflict(const Making& program, size_t n) const {
    for (const auto& [name, weak] : names_[n].defined)
      if (!weak && program.strong.contains(name)) return name;
    return std::nullopt;
  }

  // REQUIRES one does.
  size_t strong_definer(const Making& program, const std::string& name) const {
    const auto defines = [&](size_t n) {
      const auto found = names_[n].defined.find(name);
      return found != names_[n].defined.end() && !found->second;
    };
    return defines(program.main) ? program.main
                                 : *std::find_if(program.members.begin(), program.members.end(), defines);
  }

  // The build groups the unit with this program alone: a folder of objects with two mains is that of several.
  bool is_of_one_program(const Making& program, size_t n) const {
    return std::any_of(program.folders.begin(), program.folders.end(), [&](const std::string& id) {
      const std::vector<size_t>& members = in_folder_.at(id);
      return std::find(members.begin(), members.end(), n) != members.end() &&
             std::count_if(members.begin(), members.end(), [&](size_t member) { return is_main(member); }) <= 1;
    });
  }

  // The build links it with this program, or does not know it.
  bool is_linked(const Making& program, size_t n) const {
    const std::vector<ObjectFolder>& folders = folders_of(n);
    return program.linked.empty() || folders.empty() ||
           std::any_of(folders.begin(), folders.end(),
                       [&](const ObjectFolder& folder) { return program.linked.contains(folder.id); });
  }

  void take(Making& program, size_t n) {
    for (const auto& [name, weak] : names_[n].defined) {
      if (weak) continue;
      program.settled.insert(name);
      program.strong.insert(name);
    }
  }

  // In the objects of other programs only.
  bool is_foreign(const Making& program, size_t n) const {
    const std::vector<ObjectFolder>& folders = folders_of(n);
    return !folders.empty() && std::all_of(folders.begin(), folders.end(), [&](const ObjectFolder& folder) {
      return !program.folders.contains(folder.id) && is_program_folder(folder.id);
    });
  }

  void add(Making& program, const std::vector<size_t>& roots) {
    std::vector<size_t> work;
    for (const size_t root : roots) {
      if (root != program.main && (is_main(root) || program.members.contains(root))) continue;
      if (const auto name = root == program.main ? std::nullopt : conflict(program, root)) {
        if (is_of_one_program(program, root))
          program.left_out.push_back(not_linked_with(shown(root), *name, shown(strong_definer(program, *name))));
        continue;
      }
      if (root != program.main) program.members.insert(root);
      take(program, root);
      work.push_back(root);
    }
    while (!work.empty()) {
      const size_t user = work.back();
      work.pop_back();
      std::vector<std::string> wanted = names_[user].needed;
      for (const std::string& name : overridden_)
        if (names_[user].defined.contains(name)) wanted.push_back(name);
      for (const std::string& name : wanted) {
        if (program.settled.contains(name)) continue;
        const std::optional<size_t> best = definer_of(program, name);
        if (!best || *best == user) continue;
        const bool overrides = overridden_.contains(name) && names_[user].defined.contains(name);
        if (overrides && (names_[*best].defined.at(name) || is_foreign(program, *best) || conflict(program, *best)))
          continue;
        program.settled.insert(name);
        if (program.members.contains(*best)) continue;
        if (const auto both = conflict(program, *best)) {
          const size_t other = strong_definer(program, *both);
          const size_t used = other == program.main ? other : std::min(other, *best);  // as they are linked
          program.left_out.push_back(defined_twice(*both, shown(other), shown(*best), shown(used)));
        }
        program.members.insert(*best);
        if (overrides)
          program.notes.push_back(shown(*best) + " is linked: its '" + name + "' takes the place of the weak one in " +
                                  shown(user));
        take(program, *best);
        work.push_back(*best);
      }
    }
  }

  std::optional<size_t> definer_of(Making& program, const std::string& name) {
    const auto found = definers_.find(name);
    if (found == definers_.end()) return std::nullopt;
    std::vector<size_t> linked;
    std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(linked),
                 [&](size_t n) { return is_linked(program, n); });
    const bool by_main = names_[program.main].defined.contains(name);
    if (groups_.known()) groups_.leave_in_archives(program, by_main, linked, [&](size_t n) { return units_[n]->path; });
    if (linked.empty()) return std::nullopt;
    // A strong definition that can be linked takes the place of a weak one, also of a member's.
    const auto rank = [&](size_t n) {
      const bool member = program.members.contains(n), weak = names_[n].defined.at(name);
      const bool refused = !member && conflict(program, n), foreign = is_foreign(program, n);
      return std::make_tuple(weak || refused || (foreign && !member), !member, weak, refused, foreign,
                             distance(units_[n]->path, units_[program.main]->path), units_[n]->path);
    };
    const size_t best =
        *std::min_element(linked.begin(), linked.end(), [&](size_t a, size_t b) { return rank(a) < rank(b); });
    const auto equal = std::count_if(linked.begin(), linked.end(), [&](size_t n) {
      return is_foreign(program, n) == is_foreign(program, best) && !program.members.contains(best);
    });
    if (equal > 1 && !names_[best].defined.at(name))
      program.notes.push_back("'" + name + "' is defined by several units; " + shown(best) + " is the nearest");
    return best;
  }

  Making begin(size_t main, const std::string& folder) const {
    Making program;
    program.main = main;
    if (folder.empty()) return program;
    program.folders.insert(folder);
    program.build_name = folder_names_.at(folder);
    if (!groups_.known()) return program;
    program.linked = groups_.linked(folder);
    program.left_out = groups_.absent(folder);
    program.wraps = groups_.target(folder).wraps;
    program.also_named.push_back(groups_.target(folder).file);
    return program;
  }

  // What the build links into a program whether or not it is needed.
  std::vector<size_t> roots_of(size_t main, const std::string& folder) const {
    std::vector<size_t> roots = {main};
    const auto take_group = [&](const std::string& id) {
      const auto found = in_folder_.find(id);
      if (found != in_folder_.end()) roots.insert(roots.end(), found->second.begin(), found->second.end());
    };
    take_group(folder);
    if (groups_.known())
      for (const std::string& id : groups_.linked_whole(folder)) take_group(id);
    return roots;
  }

  // --- which programs there are ---

  void make_programs_of(size_t main) {
    const std::vector<ObjectFolder>& folders = folders_of(main);
    if (folders.empty()) {
      made_.push_back(begin(main, ""));
      add(made_.back(), {main});
      return;
    }
    for (const ObjectFolder& folder : folders) {
      if (groups_.known() && !groups_.is_program(folder.id)) continue;
      programs_.insert(folder.id);
      Making program = begin(main, folder.id);
      add(program, roots_of(main, folder.id));
      make(std::move(program));
    }
  }

  // Two programs of the same units, such as one with another optimisation, are one with two names.
  void make(Making program) {
    for (Making& known : made_) {
      if (known.main != program.main || known.members != program.members || known.wraps != program.wraps) continue;
      if (!objects_of(known).empty() && objects_of(known) != objects_of(program)) continue;
      known.also_named.push_back(program.build_name);
      known.also_named.insert(known.also_named.end(), program.also_named.begin(), program.also_named.end());
      return;
    }
    made_.push_back(std::move(program));
  }

  // Of a program whose main is in a library that the build links with it.
  void make_program_with_lent_main(const std::string& id, const std::vector<size_t>& members) {
    if (!groups_.is_program(id) || std::any_of(members.begin(), members.end(), [&](size_t n) { return is_main(n); }))
      return;
    for (const size_t main : mains_) {
      Making program = begin(main, id);
      if (!is_linked(program, main) || folders_of(main).empty()) continue;
      program.borrows = true;
      add(program, roots_of(main, id));
      programs_.insert(id);
      return make(std::move(program));
    }
    const auto with_cases = std::find_if(members.begin(), members.end(), [&](size_t n) { return names_[n].has_cases; });
    if (with_cases != members.end()) link_cases_of(*with_cases, id);
  }

  // A library whose main others borrow: gtest_main, Catch2WithMain. It has nothing of its own to run.
  bool lends_main(size_t main) const {
    const std::vector<ObjectFolder>& folders = folders_of(main);
    return std::any_of(folders.begin(), folders.end(), [&](const ObjectFolder& folder) {
      const std::vector<size_t>& members = in_folder_.at(folder.id);
      const bool own = std::any_of(members.begin(), members.end(), [&](size_t n) { return n != main && registers(n); });
      return !own && is_name_of_main(fs::path(folder.name).stem().string());
    });
  }

  bool needed_outside(const std::vector<size_t>& members) const {
    std::set<std::string> defined;
    for (const size_t n : members)
      for (const auto& [name, weak] : names_[n].defined)
        if (!weak) defined.insert(name);
    for (size_t n = 0; n < units_.size(); ++n) {
      if (std::find(members.begin(), members.end(), n) != members.end()) continue;
      for (const std::string& name : names_[n].needed)
        if (defined.contains(name)) return true;
    }
    return false;
  }

  void make_program_without_main(const std::string& id, const std::vector<size_t>& members) {
    if (groups_.known()) return make_program_with_lent_main(id, members);
    if (is_program_folder(id)) return;
    if (std::none_of(members.begin(), members.end(), [&](size_t n) { return registers(n); })) return;
    if (needed_outside(members)) return;
    std::optional<Making> best;
    for (const size_t main : mains_) {
      if (!lends_main(main)) continue;
      Making program = begin(main, id);
      program.borrows = true;
      std::vector<size_t> roots = {main};
      roots.insert(roots.end(), members.begin(), members.end());
      add(program, roots);
      const bool registers =
          std::any_of(members.begin(), members.end(), [&](size_t n) { return registers_in(program, n); });
      if (!registers || (best && best->members.size() <= program.members.size())) continue;
      best = std::move(program);
    }
    if (!best) return;
    programs_.insert(id);
    lent_.insert(best->main);
    made_.push_back(std::move(*best));
  }

  // --- units with test cases ---

  // The program that runs them, if the build does not say otherwise; else one of their own.
  void link_cases(size_t n) {
    const std::vector<ObjectFolder>& folders = folders_of(n);
    Making* nearest = nullptr;
    for (Making& program : made_) {
      if (!names_[program.main].runs_cases || !folders.empty() || conflict(program, n)) continue;
      const auto far = [&](const Making& one) { return distance(units_[n]->path, units_[one.main]->path); };
      if (!nearest || far(program) < far(*nearest)) nearest = &program;
    }
    if (nearest) {
      add(*nearest, {n});
      used_.insert(nearest->members.begin(), nearest->members.end());
      return;
    }
    link_cases_of(n, folders.empty() ? "" : folders.front().id);
  }

  // Their main is not compiled here: it is that of an installed library.
  void link_cases_of(size_t n, const std::string& folder) {
    Making program = begin(n, folder);
    program.borrows = true;
    if (!folder.empty()) programs_.insert(folder);
    add(program, folder.empty() ? std::vector<size_t>{n} : roots_of(n, folder));
    used_.insert(n);
    used_.insert(program.members.begin(), program.members.end());
    made_.push_back(std::move(program));
  }

  // --- units of which no symbol is named ---

  bool registers_in(const Making& program, size_t n) const {
    Members all = program.members;
    all.insert(program.main);
    all.erase(n);
    return std::any_of(all.begin(), all.end(), [&](size_t member) {
      const auto& defined = names_[member].defined;
      return std::any_of(names_[n].registers_with.begin(), names_[n].registers_with.end(),
                         [&](const std::string& name) { return defined.contains(name); });
    });
  }

  void link_registering(size_t n) {
    const std::vector<ObjectFolder>& folders = folders_of(n);
    // The linker takes of a library what is needed.
    if (groups_.known() && std::any_of(folders.begin(), folders.end(), [&](const ObjectFolder& folder) {
          return groups_.is_linked_somewhere(folder.id);
        }))
      return;
    std::vector<Making*> wanted;
    size_t nearest = SIZE_MAX;
    const bool alone = folders.empty() && !names_[n].changes.empty();  // no build says whether it is linked
    const bool anywhere = (names_[n].starts_threads && folders.empty()) || alone;
    for (Making& program : made_) {
      if (!is_linked(program, n) || (!registers_in(program, n) && !(anywhere && made_.size() == 1))) continue;
      const size_t far = distance(units_[n]->path, units_[program.main]->path);
      if (far < nearest) wanted.clear();
      nearest = std::min(nearest, far);
      if (far == nearest) wanted.push_back(&program);
    }
    for (Making* program : wanted) {
      if (const auto name = conflict(*program, n)) {
        program->left_out.push_back(not_linked_although(shown(n), names_[n], *name));
        continue;
      }
      add(*program, {n});
      program->notes.push_back(linked_unnamed(shown(n), names_[n], registers_in(*program, n)));
      used_.insert(program->members.begin(), program->members.end());
    }
    if (!wanted.empty()) return;
    const auto& with = names_[n].registers_with;
    const bool unknown = std::any_of(with.begin(), with.end(), [&](const std::string& name) {
      return name.starts_with("_Z") && !definers_.contains(name);
    });
    if (!unknown && !names_[n].starts_threads && !alone) return;
    if (needed_outside(folders.empty() ? std::vector<size_t>{n} : in_folder_.at(folders[0].id))) return;
    const std::string program = folders.empty() ? shown(n) : folders[0].name + " (" + shown(n) + ")";
    unlinked_[units_[n]->path] = unlinked_unit(program, names_[n], unknown);
  }

  TargetSet result() {
    TargetSet out;
    std::map<std::string, int> plain_names;
    for (const Making& one : made_) ++plain_names[plain_name(one)];
    std::set<std::string> taken;
    for (Making& one : made_) {
      Target target;
      target.name = own_name(one, plain_names[plain_name(one)] > 1, taken);
      target.build_name = one.build_name;
      target.also_named = std::move(one.also_named);
      for (const bool extension : {false, true})
        target.also_named.push_back(name_of(units_[one.main]->path, root_, extension));
      target.units.push_back(units_[one.main]);
      for (const size_t member : one.members) target.units.push_back(units_[member]);
      target.groups = objects_of(one);
      target.wraps = one.wraps;
      for (const size_t member : one.members)
        if (!one.wraps.empty() && groups_.is_linked_before(one, units_[member]->path))
          target.linked_before.insert(units_[member]->path);
      std::sort(one.notes.begin(), one.notes.end());
      one.notes.erase(std::unique(one.notes.begin(), one.notes.end()), one.notes.end());
      target.notes = std::move(one.notes);
      target.left_out = std::move(one.left_out);
      out.targets.push_back(std::move(target));
    }
    std::sort(out.targets.begin(), out.targets.end(), [](const Target& a, const Target& b) { return a.name < b.name; });
    for (size_t n = 0; n < units_.size(); ++n)
      if (!used_.contains(n)) out.unused.push_back(units_[n]->path);
    if (groups_.known()) report_programs_without_main();
    out.unlinked = std::move(unlinked_);
    return out;
  }

  std::map<std::string, std::string> objects_of(const Making& program) const {
    return groups_.objects_of(program, units_, with_variants_, [&](const auto& id) { return is_program_folder(id); });
  }

  void report_programs_without_main() {
    for (const auto& [id, members] : in_folder_)
      if (groups_.is_program(id) && !programs_.contains(id))
        unlinked_.emplace(units_[members.front()]->path,
                          groups_.target(id).name + " (" + shown(members.front()) +
                              ") was not checked: its main() is in no file that compiles");
  }

  // The shortest name that no other program has.
  std::string own_name(const Making& program, bool shared, std::set<std::string>& taken) const {
    const std::string& path = units_[program.main]->path;
    const std::string build = program.build_name.empty() ? "" : " (" + program.build_name + ")";
    const std::string whole = name_of(path, root_, true);
    std::vector<std::string> names = {whole, whole + build, path, path + build};
    if (!shared) names.insert(names.begin(), plain_name(program));
    return take_name(names, taken);
  }

  // What the build calls it, where it says so itself or the main is borrowed.
  std::string plain_name(const Making& program) const {
    const bool named = (program.borrows || groups_.known()) && !program.build_name.empty();
    return named ? program.build_name : name_of(units_[program.main]->path, root_, false);
  }

  std::vector<UnitPtr> units_;
  const std::string& root_;
  const Grouping groups_;
  const std::set<std::string>& with_variants_;
  std::vector<LinkNames> names_;
  std::vector<size_t> mains_;
  std::map<std::string, std::vector<size_t>> definers_;  // without units that have a main of their own
  std::map<std::string, std::vector<size_t>> in_folder_;
  std::map<std::string, std::string> folder_names_;
  std::set<std::string> overridden_;  // names with weak definitions and a strong one
  std::set<std::string> programs_;    // folders of objects
  std::set<size_t> lent_;             // units with main that only others use
  std::vector<Making> made_;
  std::set<size_t> used_;
  std::map<std::string, std::string> unlinked_;
};

}  // namespace

TargetSet find_targets(const std::vector<UnitPtr>& units, const std::string& root, const ObjectFolders& folders,
                       const std::vector<BuildTarget>& build, const std::set<std::string>& with_variants) {
  return Finder(units, root, Grouping(folders, build), with_variants).run();
}

}  // namespace heddle::frontend
