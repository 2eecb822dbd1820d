#include "server/edit/pairs.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "server/analysis/object_name.h"

namespace heddle::edit {
namespace {

using analysis::InteractionKind;
using analysis::Multiplicity;

// What a role touches: what its own threads call, not all that the library's functions on their way may call for
// others.
ObjectSet touches(const Facts& facts, RoleId role) {
  ObjectSet result;
  for (FunctionId f : facts.roles[role.value].reachable)
    for (const analysis::Interaction& interaction : facts.interactions_of(f)) {
      result.insert_all(interaction.objects);
      result.insert_all(interaction.mutexes);
    }
  return result;
}

std::string thread_name(const Facts& facts, ThreadName name) {
  const analysis::Role& role = facts.roles[name.role.value];
  return (name.instance > 0 ? "another " : "") + role.name;
}

// "queue.head, queue.mutex": what both use. Objects of the library have no names that say something to people.
std::string shared_names(const Facts& facts, const Fragment& fragment, const ObjectSet& touched) {
  std::vector<ObjectId> shared;
  for (const ObjectId object : fragment.objects)
    if (touched.contains(object)) shared.push_back(object);
  std::string text;
  for (const std::string& name : analysis::project_names(facts, shared))
    if (text.size() < 60) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "memory of the library" : text;
}

}  // namespace

std::vector<Pair> make_pairs(const Facts& facts, const Fragments& fragments) {
  std::vector<ThreadName> threads;
  std::vector<ObjectSet> touched;
  std::vector<size_t> length(facts.roles.size(), 0);
  for (uint32_t r = 0; r < facts.roles.size(); ++r) {
    const bool of_threads = !facts.roles[r].handles_signals;
    if (of_threads) threads.push_back({RoleId(r), 0});
    if (of_threads && facts.roles[r].multiplicity == Multiplicity::Many) threads.push_back({RoleId(r), 1});
    touched.push_back(touches(facts, RoleId(r)));
    for (FunctionId f : facts.roles[r].reachable) length[r] += facts.program->function(f).code.size();
  }

  using Rank = std::tuple<bool, bool, bool, size_t, uint32_t, ThreadName, ThreadName>;
  std::vector<std::pair<Rank, Pair>> ranked;
  for (uint32_t n = 0; n < fragments.fragments.size(); ++n) {
    const Fragment& fragment = fragments.fragments[n];
    const bool data = std::any_of(fragment.statements.begin(), fragment.statements.end(), [&](uint32_t i) {
      const Interaction* interaction = facts.interaction({fragment.function, i});
      return interaction && interaction->kind <= InteractionKind::Update;
    });
    const std::vector<RoleId>& roles = fragments.roles[n];
    for (const ThreadName& modified : threads) {
      if (std::find(roles.begin(), roles.end(), modified.role) == roles.end()) continue;
      for (const ThreadName& other : threads) {
        if (modified == other) continue;
        Pair pair{n, modified, other, PairState::Chosen, {}};
        const bool related = touched[other.role.value].meets(fragment.objects);
        const bool twin = modified.role == other.role && other < modified;
        if (twin) {
          pair.state = PairState::Skipped;
          pair.reason = "explored together with " + thread_name(facts, other) + " and " + thread_name(facts, modified);
        } else if (related) {
          pair.reason =
              thread_name(facts, other) + " also uses " + shared_names(facts, fragment, touched[other.role.value]);
        } else {
          pair.reason = thread_name(facts, other) + " runs concurrently; no object of the change is its own";
        }
        ranked.push_back(
            {Rank{twin, !related, !data, length[modified.role.value] + length[other.role.value], n, modified, other},
             std::move(pair)});
      }
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<Pair> result;
  for (auto& [rank, pair] : ranked) result.push_back(std::move(pair));
  return result;
}

void skip_unrelated(const Facts& facts, const Relevant& relevant, Impact& impact) {
  std::vector<bool> related(facts.roles.size(), false);
  for (uint32_t r = 0; r < facts.roles.size(); ++r) {
    const auto& reachable = facts.roles[r].reachable;
    for (const Interaction& interaction : facts.interactions) {
      if (related[r] || !std::binary_search(reachable.begin(), reachable.end(), interaction.at.function)) continue;
      for (const auto* objects : {&interaction.objects, &interaction.mutexes})
        for (ObjectId o : *objects) related[r] = related[r] || relevant.objects[o.value];
    }
  }
  // A fragment that starts, joins or ends threads decides with whom others run.
  const auto concerns_threads = [&](const Fragment& fragment) {
    return std::any_of(fragment.statements.begin(), fragment.statements.end(), [&](uint32_t i) {
      const Interaction* interaction = facts.interaction({fragment.function, i});
      return interaction && is_of_threads(interaction->kind);
    });
  };
  std::vector<bool> keeps_all;
  for (const Fragment& fragment : impact.fragments)
    keeps_all.push_back(concerns_threads(fragment) || fragment.about_threads);
  // What touches nothing that others see can fail by itself only.
  const auto alone = [&](const Pair& pair) { return impact.fragments[pair.fragment].objects.empty(); };
  const auto needed = [&](const Pair& pair) {
    return (related[pair.other.role.value] && !alone(pair)) || keeps_all[pair.fragment];
  };
  std::set<std::pair<uint32_t, ThreadName>> has_pair;
  for (const Pair& pair : impact.pairs)
    if (pair.state == PairState::Chosen && needed(pair)) has_pair.insert({pair.fragment, pair.modified});
  for (Pair& pair : impact.pairs) {
    if (pair.state != PairState::Chosen || needed(pair)) continue;
    if (has_pair.insert({pair.fragment, pair.modified}).second) continue;
    pair.state = PairState::Skipped;
    pair.reason = alone(pair) ? "the change touches nothing that another thread sees; one pair shows it"
                              : thread_name(facts, pair.other) + " touches nothing that the change can affect";
  }
  std::stable_partition(impact.pairs.begin(), impact.pairs.end(),
                        [](const Pair& pair) { return pair.state == PairState::Chosen; });
  if (impact.pairs.size() <= kPairsMax) return;
  impact.widened.push_back(std::to_string(impact.pairs.size()) +
                           " pairs of threads: step 1 looks at the most promising " + std::to_string(kPairsMax) +
                           ", the others are left to step 2");
  impact.pairs.resize(kPairsMax);
}

}  // namespace heddle::edit
