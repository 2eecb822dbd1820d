#include "server/edit/fragments.h"

#include <algorithm>
#include <set>

namespace heddle::edit {
namespace {

constexpr uint32_t kReach = 48;  // code indices between a statement and what loads its operands or uses its result

struct Piece {
  Fragment fragment;
  std::vector<std::string> parts;  // descriptions
  std::vector<RoleId> roles;
};

bool inside(const program::Range& range, const program::Place& place) {
  if (!place.line || range.file != place.file) return false;
  const auto at = std::pair(place.line, place.column);
  return std::pair(range.begin_line, range.begin_column) <= at && at < std::pair(range.end_line, range.end_column);
}

// Who runs a function of a library: calls of the project, by way of libraries alone, and threads that begin there.
class LibraryCalls {
 public:
  explicit LibraryCalls(const Facts& facts) : facts_(facts) {}

  struct Entries {
    std::set<CodeAddress> calls;
    std::vector<RoleId> roles;  // sorted
  };
  const Entries& entries(FunctionId function) {
    const auto [at, made] = known_.try_emplace(function);
    if (!made || facts_.program->function(function).in_project) return at->second;
    std::set<RoleId> roles;
    std::set<FunctionId> seen{function};
    std::vector<FunctionId> work{function};
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (uint32_t r = 0; r < facts_.roles.size(); ++r)
        if (facts_.roles[r].entry == f || facts_.roles[r].callable == f) roles.insert(RoleId(r));
      const auto& callers = facts_.callers_of[f.value];
      if (callers.empty())  // run when something ends, or by what the analysis does not show
        roles.insert(facts_.roles_of[f.value].begin(), facts_.roles_of[f.value].end());
      for (CodeAddress call : callers) {
        if (facts_.roles_of[call.function.value].empty()) continue;
        if (facts_.program->function(call.function).in_project)
          at->second.calls.insert(call);
        else if (seen.insert(call.function).second)
          work.push_back(call.function);
      }
    }
    at->second.roles.assign(roles.begin(), roles.end());
    return at->second;
  }

 private:
  const Facts& facts_;
  std::map<FunctionId, Entries> known_;
};

class Builder {
 public:
  explicit Builder(ChangeSet& changes)
      : changes_(changes), views_(changes.new_views()), facts_(views_.facts()), calls_(facts_) {}

  Fragments run() {
    for (const auto& [at, site] : lifted()) pieces_.push_back(around(at, site));
    merge();
    for (const Deletion& deletion : changes_.deletions) remains(deletion);
    for (const RoleChange& change : changes_.roles) role(change);
    std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& x, const Piece& y) {
      return std::pair(x.fragment.function, x.fragment.code.empty() ? 0 : x.fragment.code[0]) <
             std::pair(y.fragment.function, y.fragment.code.empty() ? 0 : y.fragment.code[0]);
    });
    Fragments result;
    for (Piece& piece : pieces_) {
      finish(piece);
      result.fragments.push_back(std::move(piece.fragment));
      result.roles.push_back(std::move(piece.roles));
    }
    return result;
  }

 private:
  struct Lifted {
    ChangeSet::Site site;
    bool own = false;                 // the statement itself is a site
    std::vector<CodeAddress> inside;  // those in libraries that it runs
    std::vector<RoleId> roles;        // that run it; none: all of its function's
  };

  // Changes in libraries belong to the project's calls that run them, and to threads that begin in a library.
  std::map<CodeAddress, Lifted> lifted() {
    std::map<CodeAddress, Lifted> result;
    for (auto begin = changes_.sites.begin(); begin != changes_.sites.end();) {
      const FunctionId function = begin->first.function;
      auto end = begin;
      while (end != changes_.sites.end() && end->first.function == function) ++end;
      in_project(function) ? own(begin, end, result) : lift(begin, end, result);
      begin = end;
    }
    return result;
  }

  using Sites = std::map<CodeAddress, ChangeSet::Site>::const_iterator;
  using LiftedSites = std::map<CodeAddress, Lifted>;

  static void own(Sites begin, Sites end, LiftedSites& result) {
    for (; begin != end; ++begin) add(result[begin->first], begin->first, begin->second);
  }

  // Those of one function in a library.
  void lift(Sites begin, Sites end, LiftedSites& result) {
    const LibraryCalls::Entries& entries = calls_.entries(begin->first.function);
    std::vector<ObjectId> objects;
    std::vector<CodeAddress> inside;
    for (Sites site = begin; site != end; ++site) {
      unite(objects, site->second.old_objects);
      unite(objects, objects_of(site->first));
      inside.push_back(site->first);
    }
    for (CodeAddress call : entries.calls) {
      Lifted& lifted = result[call];
      unite(lifted.site.old_objects, objects);
      lifted.inside.insert(lifted.inside.end(), inside.begin(), inside.end());
    }
    if (entries.roles.empty()) return;
    for (Sites site = begin; site != end; ++site) {
      add(result[site->first], site->first, site->second);
      result[site->first].roles = entries.roles;
    }
  }

  static void add(Lifted& lifted, CodeAddress at, const ChangeSet::Site& site) {
    lifted.own = true;
    lifted.site.kind = site.kind;
    unite(lifted.site.old_objects, site.old_objects);
  }

  bool in_project(FunctionId f) const { return facts_.program->function(f).in_project; }

  // The statement, the code that loads its operands and the code that uses its result.
  Piece around(CodeAddress at, const Lifted& lifted) {
    const FunctionView& view = views_.of(at.function);
    std::set<uint32_t> code{at.index};
    auto near = [&](uint32_t i) { return (i > at.index ? i - at.index : at.index - i) <= kReach; };
    std::vector<uint32_t> work{at.index};
    while (!work.empty()) {  // operands, up to what loads them
      const uint32_t i = work.back();
      work.pop_back();
      for (const Operand& operand : view.operands(i))
        for (uint32_t d : operand.definitions)
          if (d != CodeGraph::kParameter && operand.definitions.size() == 1 && near(d) && code.insert(d).second &&
              !view.effect(d) && view.code().code[d].op != Opcode::Load)
            work.push_back(d);
    }
    work = {at.index};
    std::set<uint32_t> users;
    while (!work.empty()) {  // users, up to what they do with it
      const uint32_t i = work.back();
      work.pop_back();
      for (uint32_t user : view.users(i)) {
        if (!near(user) || !users.insert(user).second) continue;
        if (CodeGraph::is_conditional(view.code().code[user].op))
          for (uint32_t c : view.controlled(user))
            if (failing(view, c) && near(c)) users.insert(c);
        if (!view.effect(user) && !CodeGraph::is_conditional(view.code().code[user].op)) work.push_back(user);
      }
    }
    code.insert(users.begin(), users.end());
    if (view.fails(at.index))  // the check itself: its block, the branch into it and what the branch looks at
      for (const CodeGraph::Control& control : view.controls(at.index)) backwards(view, control.branch, code);

    Piece piece;
    piece.fragment.kind = lifted.site.kind;
    piece.fragment.function = at.function;
    piece.fragment.code.assign(code.begin(), code.end());
    piece.fragment.statements = {at.index};
    piece.fragment.inside = lifted.inside;
    if (lifted.own) piece.fragment.objects = objects_of(at);
    unite(piece.fragment.objects, lifted.site.old_objects);
    piece.parts = {describe(facts_, at)};
    piece.roles = lifted.roles.empty() ? facts_.roles_of[at.function.value] : lifted.roles;
    return piece;
  }

  bool failing(const FunctionView& view, uint32_t index) const {
    return view.graph().blocks()[view.graph().block_of(index)].fails;
  }

  void backwards(const FunctionView& view, uint32_t from, std::set<uint32_t>& code) const {
    std::vector<uint32_t> work{from};
    code.insert(from);
    while (!work.empty()) {
      const uint32_t i = work.back();
      work.pop_back();
      for (const Operand& operand : view.operands(i))
        for (uint32_t d : operand.definitions)
          if (d != CodeGraph::kParameter && from - std::min(from, d) <= kReach && d <= from && code.insert(d).second &&
              !view.effect(d))
            work.push_back(d);
    }
  }

  std::vector<ObjectId> objects_of(CodeAddress at) {
    std::vector<ObjectId> objects;
    if (const Interaction* interaction = facts_.interaction(at)) {
      objects = interaction->objects;
      std::vector<ObjectId> mutexes = interaction->mutexes;
      std::sort(mutexes.begin(), mutexes.end());
      unite(objects, mutexes);
    } else {
      objects = views_.summaries().call_touches(at).list();
    }
    return objects;
  }

  // Changed statements whose code touches, or with nothing but private work and their own branches between them, are
  // edited together: a wait, and the condition that leads to it.
  void merge() {
    std::vector<Piece> merged;
    for (Piece& piece : pieces_) {
      Piece* last = merged.empty() ? nullptr : &merged.back();
      if (!last || last->fragment.function != piece.fragment.function || !touch(last->fragment, piece.fragment)) {
        merged.push_back(std::move(piece));
        continue;
      }
      std::vector<uint32_t> code;
      std::set_union(last->fragment.code.begin(), last->fragment.code.end(), piece.fragment.code.begin(),
                     piece.fragment.code.end(), std::back_inserter(code));
      last->fragment.code = std::move(code);
      last->fragment.statements.insert(last->fragment.statements.end(), piece.fragment.statements.begin(),
                                       piece.fragment.statements.end());
      std::vector<CodeAddress> inside;
      std::set_union(last->fragment.inside.begin(), last->fragment.inside.end(), piece.fragment.inside.begin(),
                     piece.fragment.inside.end(), std::back_inserter(inside));
      last->fragment.inside = std::move(inside);
      if (last->fragment.kind != piece.fragment.kind) last->fragment.kind = ChangeKind::Changed;
      unite(last->fragment.objects, piece.fragment.objects);
      last->parts.insert(last->parts.end(), piece.parts.begin(), piece.parts.end());
    }
    pieces_ = std::move(merged);
  }

  bool touch(const Fragment& x, const Fragment& y) {
    std::vector<uint32_t> common;
    std::set_intersection(x.code.begin(), x.code.end(), y.code.begin(), y.code.end(), std::back_inserter(common));
    if (!common.empty()) return true;
    const FunctionView& view = views_.of(x.function);
    const uint32_t from = x.statements.back(), to = y.statements.front();
    if (to - from > kReach) return false;
    const auto own = [&](uint32_t i) { return std::binary_search(x.code.begin(), x.code.end(), i); };
    for (uint32_t i = from + 1; i < to; ++i)
      if (view.interaction(i) || (CodeGraph::is_conditional(view.code().code[i].op) && !own(i))) return false;
    return true;
  }

  // What is left around the place where a deleted statement stood.
  void remains(const Deletion& deletion) {
    if (!deletion.function.valid() || facts_.roles_of[deletion.function.value].empty()) return;
    const FunctionView& view = views_.of(deletion.function);
    const Function& function = view.code();
    const program::Unit& unit = facts_.program->unit(facts_.program->unit_of(deletion.function));
    auto place = [&](uint32_t i) { return unit.place(function.places[i]); };
    Piece piece;
    piece.fragment.kind = ChangeKind::Deleted;
    piece.fragment.function = deletion.function;
    piece.fragment.objects = deletion.objects;
    piece.parts = {describe(changes_.versions().before(), deletion.old_at)};
    piece.fragment.about_threads = concerns_threads(deletion.old_at);
    piece.roles = facts_.roles_of[deletion.function.value];
    if (deletion.previous != FunctionDiff::kNone && deletion.next != FunctionDiff::kNone)
      for (size_t s = function.statements.size(); s-- > 1;) {  // inner before outer
        const program::Range& range = function.statements[s].range;
        if (!inside(range, place(deletion.previous)) || !inside(range, place(deletion.next))) continue;
        collect(view, range, unit, piece.fragment);
        if (!piece.fragment.statements.empty()) break;
        piece.fragment.code.clear();
      }
    if (piece.fragment.statements.empty()) {
      for (uint32_t i = 0; i < function.code.size(); ++i) {
        if (!view.reachable(i)) continue;
        piece.fragment.code.push_back(i);
        if (visible(view, i)) piece.fragment.statements.push_back(i);
      }
      if (!function.statements.empty()) piece.fragment.range = function.statements[0].range;
    }
    for (Piece& other : pieces_)  // several statements deleted at one place
      if (other.fragment.kind == ChangeKind::Deleted && other.fragment.function == piece.fragment.function &&
          other.fragment.code == piece.fragment.code) {
        unite(other.fragment.objects, piece.fragment.objects);
        other.fragment.about_threads |= piece.fragment.about_threads;
        other.parts.push_back(piece.parts[0]);
        return;
      }
    pieces_.push_back(std::move(piece));
  }

  // The statement of the old version, or what it calls, starts, joins or ends threads.
  bool concerns_threads(CodeAddress at) {
    const Facts& before = changes_.versions().before();
    const Summaries& summaries = changes_.old_summaries();
    if (const Interaction* interaction = before.interaction(at)) return is_of_threads(interaction->kind);
    const auto callees = summaries.callees(at);
    std::set<FunctionId> seen(callees.begin(), callees.end());
    std::vector<FunctionId> work(callees.begin(), callees.end());
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (const Interaction& interaction : before.interactions_of(f))
        if (is_of_threads(interaction.kind)) return true;
      for (uint32_t i = 0; i < before.program->function(f).code.size(); ++i)
        for (FunctionId callee : summaries.callees({f, i}))
          if (seen.insert(callee).second) work.push_back(callee);
    }
    return false;
  }

  bool visible(const FunctionView& view, uint32_t i) {
    return view.interaction(i) || (view.effect(i) && views_.summaries().call_interacts({view.id(), i}));
  }

  void collect(const FunctionView& view, const program::Range& range, const program::Unit& unit, Fragment& fragment) {
    for (uint32_t i = 0; i < view.code().code.size(); ++i) {
      if (!view.reachable(i) || !inside(range, unit.place(view.code().places[i]))) continue;
      fragment.code.push_back(i);
      if (visible(view, i)) fragment.statements.push_back(i);
    }
    fragment.range = range;
  }

  void role(const RoleChange& change) {
    for (FunctionId f : facts_.roles[change.role.value].reachable) {
      const auto& entered = calls_.entries(f).roles;
      if (!in_project(f) && std::find(entered.begin(), entered.end(), change.role) == entered.end()) continue;
      const FunctionView& view = views_.of(f);
      Piece piece;
      piece.fragment.kind = ChangeKind::Inserted;
      piece.fragment.function = f;
      for (uint32_t i = 0; i < view.code().code.size(); ++i) {
        if (!view.reachable(i)) continue;
        piece.fragment.code.push_back(i);
        const bool library = in_project(f) && views_.summaries().leaves_project({f, i});
        if ((!view.interaction(i) && !library) || changes_.sites.contains({f, i})) continue;
        const std::vector<ObjectId> objects = objects_of({f, i});
        if (library && objects.empty()) continue;
        piece.fragment.statements.push_back(i);
        unite(piece.fragment.objects, objects);
      }
      if (piece.fragment.statements.empty()) continue;
      if (!view.code().statements.empty()) piece.fragment.range = view.code().statements[0].range;
      piece.parts = {"'" + view.code().display_name + "' in thread '" + facts_.roles[change.role.value].name + "'"};
      piece.roles = {change.role};
      pieces_.push_back(std::move(piece));
    }
  }

  void finish(Piece& piece) {
    Fragment& fragment = piece.fragment;
    const Function& function = facts_.program->function(fragment.function);
    const program::Unit& unit = facts_.program->unit(facts_.program->unit_of(fragment.function));
    if (!fragment.range.file.valid()) {
      program::Place first, last;
      for (uint32_t i : fragment.statements) {
        const program::Place& place = unit.place(function.places[i]);
        if (!place.line) continue;
        if (!first.line || place < first) first = place;
        if (!last.line || last < place) last = place;
      }
      for (const program::Statement& statement :
           function.statements)  // outer first: the last that holds both is the smallest
        if (inside(statement.range, first) && inside(statement.range, last)) fragment.range = statement.range;
      if (!fragment.range.file.valid())
        fragment.range = {first.file, first.line, first.column, last.line, last.column + 1};
    }
    const char* kind = fragment.kind == ChangeKind::Inserted   ? "inserted: "
                       : fragment.kind == ChangeKind::Deleted  ? "deleted: "
                       : changes_.is_edited(fragment.function) ? "changed: "
                                                               : "affected: ";  // by an edit elsewhere
    std::vector<std::string> parts;
    for (const std::string& part : piece.parts)
      if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
    fragment.description = kind;
    for (size_t k = 0; k < parts.size() && k < 4; ++k) fragment.description += (k ? ", " : "") + parts[k];
    if (parts.size() > 4) fragment.description += " and " + std::to_string(parts.size() - 4) + " more";
  }

  ChangeSet& changes_;
  Views& views_;
  const Facts& facts_;
  LibraryCalls calls_;
  std::vector<Piece> pieces_;
};

}  // namespace

bool is_of_threads(analysis::InteractionKind kind) {
  return kind == analysis::InteractionKind::Create || kind == analysis::InteractionKind::Join ||
         kind == analysis::InteractionKind::Exit;
}

Fragments make_fragments(ChangeSet& changes) { return Builder(changes).run(); }

Fragments whole_functions(const FactsPtr& facts, const Summaries& summaries) {
  Fragments result;
  const program::Program& program = *facts->program;
  for (uint32_t f = 0; f < program.function_count(); ++f) {
    const FunctionId id(f);
    const Function& function = program.function(id);
    // What library functions do belongs to the calls that a function of the project makes.
    if (!function.in_project) continue;
    Fragment fragment;
    fragment.function = id;
    for (uint32_t i = 0; i < function.code.size(); ++i) {
      fragment.code.push_back(i);
      const CodeAddress at{id, i};
      if (const Interaction* interaction = facts->interaction(at)) {
        fragment.statements.push_back(i);
        unite(fragment.objects, interaction->objects);
        std::vector<ObjectId> mutexes = interaction->mutexes;
        std::sort(mutexes.begin(), mutexes.end());
        unite(fragment.objects, mutexes);
      } else if (summaries.leaves_project(at)) {
        const std::vector<ObjectId> touched = summaries.call_touches(at).list();
        if (touched.empty()) continue;
        fragment.statements.push_back(i);
        unite(fragment.objects, touched);
      }
    }
    if (fragment.statements.empty()) continue;
    if (!function.statements.empty()) fragment.range = function.statements[0].range;
    fragment.description = "new: " + function.display_name;
    result.fragments.push_back(std::move(fragment));
    result.roles.push_back(facts->roles_of[f]);
  }
  return result;
}

}  // namespace heddle::edit
