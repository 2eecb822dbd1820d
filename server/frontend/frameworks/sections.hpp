// The runs of a test case through its sections: one for each path. A section is known by its name and its place.
#pragma once
#pragma GCC system_header
#include "heddle/checks.hpp"

namespace heddle_test {

struct Sections {
  struct Node {
    unsigned long name;
    const void* place;
    unsigned around;  // its number; 0 is the case
    bool done;        // all its runs are over
    bool generated;   // not a section, but a generator's value for what follows it in the section around it
    bool last;        // of the values
  };
  static const unsigned kMost = 256, kDeepest = 16;
  Node nodes[kMost];
  unsigned count;
  unsigned entered[kDeepest];  // of this run, from the outermost
  unsigned depth, deepest;
  bool left, again;

  static Sections& of_this_program() {
    static Sections one;
    return one;
  }
  unsigned here() const { return depth > 0 ? entered[depth - 1] : 0; }
  unsigned number_of(unsigned long name, const void* place) {
    for (unsigned n = 1; n <= count; ++n)
      if (nodes[n].name == name && nodes[n].place == place && nodes[n].around == here()) return n;
    if (count + 1 >= kMost || depth >= kDeepest) heddle_too_many_sections();
    nodes[++count] = Node{name, place, here(), false, false, false};
    return count;
  }
  // `reenters`: a section in a loop runs in each round.
  bool enter(unsigned long name, const void* place, bool reenters) {
    const unsigned section = number_of(name, place);
    const bool ran = left && depth < deepest && entered[depth] == section;
    if (!(reenters && ran)) {
      if (nodes[section].done) return false;
      if (left) {  // another one of this level ran: this one has its own run
        again = true;
        return false;
      }
    }
    entered[depth++] = section;
    if (!left) deepest = depth;
    return true;
  }
  // The number of the value that a generator gives in this run.
  unsigned generate(const void* place, unsigned values) {
    for (unsigned n = 0; n < values; ++n) {
      const unsigned value = number_of(n, place);
      if (nodes[value].done) continue;
      if (left) {
        again = true;
      } else {
        nodes[value].generated = true;
        nodes[value].last = n + 1 == values;
        entered[depth++] = value;
      }
      return n;
    }
    return values - 1;
  }
  void leave_generated() {
    for (; depth > 0 && nodes[here()].generated; --depth) {
      if (again) continue;
      nodes[here()].done = true;
      again = !nodes[here()].last;
    }
  }
  // `thrown`: what follows it in the sections around it has not been seen.
  void leave(bool thrown) {
    leave_generated();
    const unsigned section = entered[--depth];
    left = true;
    if (!again) nodes[section].done = true;
    if (thrown) again = true;
  }
};

// `if (Section s = Section(name, place))`
class Section {
 public:
  Section(const char* name, const void* place, bool reenters)
      : inside_(Sections::of_this_program().enter(hash_of(name), place, reenters)), thrown_(exceptions()) {}
  Section(Section&& other) : inside_(other.inside_), thrown_(other.thrown_) { other.inside_ = false; }
  ~Section() {
    if (inside_) Sections::of_this_program().leave(exceptions() > thrown_);
  }
  explicit operator bool() const { return inside_; }

 private:
  static unsigned long hash_of(const char* name) {
    unsigned long hash = 1469598103934665603ul;
    while (*name) hash = (hash ^ static_cast<unsigned char>(*name++)) * 1099511628211ul;
    return hash;
  }
  static int exceptions() {
#if __cplusplus >= 201703L
    return std::uncaught_exceptions();
#else
    return std::uncaught_exception() ? 1 : 0;
#endif
  }
  bool inside_;
  int thrown_;
};

template <typename Body>
void run_through_sections(const Body& body) {
  Sections& sections = Sections::of_this_program();
  do {
    sections.depth = sections.deepest = 0;
    sections.left = sections.again = false;
    try {
      body();
    } catch (const Skipped&) {
    }
    sections.leave_generated();
  } while (sections.again);
}
struct RunsThroughSections {
  template <typename Body>
  void operator()(const Body& body) const {
    run_through_sections(body);
  }
};
template <typename Body>
void run_case(const Expectation& expects, const Body& body) {
  run_expecting(expects, RunsThroughSections(), body);
}

}  // namespace heddle_test
