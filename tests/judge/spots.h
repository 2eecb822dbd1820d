// Where statements can be edited: all lists of a tree, with what surrounds them.
//
// In:      a tree, and a source of random numbers.
// Out:     lists and places in them, as `pick` and `insert` choose them.
// Owns:    nothing; the tree outlives it.
// Threads: one.
// Fails:   pick() is false if no statement fits.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/judge/generate.h"
#include "tests/judge/phrases.h"
#include "tests/judge/program_tree.h"
#include "tests/judge/random.h"

namespace heddle::judge {

// A place among statements: a list and what surrounds it.
struct Spot {
  std::vector<Statement>* list = nullptr;
  Statement* parent = nullptr;              // null: a function's body
  std::vector<Statement>* outer = nullptr;  // list that holds the parent
  size_t parent_index = 0;
  Place place;
};
class Spots {
 protected:
  Spots(Random& random, Tree& tree) : random_(random), tree_(tree) { collect(); }

  static bool is_call(const Statement& s) { return s.text.find("helper_") != std::string::npos; }

  void collect() {
    spots_.clear();
    for (uint32_t f = 0; f < tree_.functions.size(); ++f)
      walk(tree_.functions[f].body, {nullptr, nullptr, nullptr, 0, {f, tree_.functions[f].group, {}, false}});
    const uint32_t main = static_cast<uint32_t>(tree_.functions.size());
    const uint32_t group = tree_.globals.empty() ? 0 : random_.of(tree_.globals).group;
    // main's own parts are edited less often.
    if (random_.chance(40)) {
      walk(tree_.before, {nullptr, nullptr, nullptr, 0, {main, group, {}, true}});
      walk(tree_.beside, {nullptr, nullptr, nullptr, 0, {main, group, {}, false}});
      walk(tree_.after, {nullptr, nullptr, nullptr, 0, {main, group, {}, true}});
    }
  }

  void walk(std::vector<Statement>& list, Spot spot) {
    spot.list = &list;
    spots_.push_back(spot);
    for (size_t n = 0; n < list.size(); ++n) {
      Statement& s = list[n];
      if (s.kind == StatementKind::Plain) continue;
      Spot inside = spot;
      inside.parent = &s;
      inside.outer = &list;
      inside.parent_index = n;
      if (s.kind == StatementKind::Locked)
        for (const std::string& lock : locks_of(s)) inside.place.held.push_back(lock);
      walk(s.body, inside);
    }
  }

  Statement statement_for(const Spot& spot) {
    chosen_ = spot;
    return random_statement(random_, tree_, spot.place, spot.parent ? 2 : 1);
  }

  bool insert(Statement statement) {
    auto& list = *chosen_.list;
    list.insert(list.begin() + random_.below(list.size() + 1), std::move(statement));
    return true;
  }

  // A list and an index in it whose statement fits.
  template <typename Fits>
  bool pick(Fits fits) {
    std::vector<std::pair<Spot, size_t>> found;
    for (const Spot& spot : spots_)
      for (size_t n = 0; n < spot.list->size(); ++n)
        if (fits((*spot.list)[n])) found.push_back({spot, n});
    if (found.empty()) return false;
    std::tie(chosen_, index_) = random_.of(found);
    return true;
  }
  Statement& picked() { return (*chosen_.list)[index_]; }
  void erase() { chosen_.list->erase(chosen_.list->begin() + static_cast<std::ptrdiff_t>(index_)); }

  Random& random_;
  Tree& tree_;
  std::vector<Spot> spots_;
  Spot chosen_;
  size_t index_ = 0;
};

}  // namespace heddle::judge
