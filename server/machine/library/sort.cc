// qsort and bsearch: the comparison is a guest function, so the models are entered again after every comparison and
// keep their place in Guest::state. The same comparisons in the same order as glibc: a merge sort from the top down.
#include <algorithm>

#include "server/machine/library/model.h"
#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

struct Part {
  uint64_t first = 0, count = 0;
};

// The merge sort splits [0, n) in halves; its merges in the order in which they happen are numbered 0 .. n-2.
Part merge_number(uint64_t number, uint64_t n) {
  Part part{0, n};
  for (;;) {
    const uint64_t left = part.count / 2, right = part.count - left;
    const uint64_t left_merges = left > 0 ? left - 1 : 0;
    const uint64_t right_merges = right > 0 ? right - 1 : 0;
    if (number < left_merges) {
      part.count = left;
    } else if (number < left_merges + right_merges) {
      number -= left_merges;
      part = {part.first + left, right};
    } else {
      return part;
    }
  }
}

class Sort {
 public:
  Sort(Guest& g, bool with_data) : g_(g), with_data_(with_data) {}

  Status run() {
    const uint64_t count = g_.argument(1);
    if (g_.stage() == 0) {
      if (count < 2 || size() == 0) return Status::Done;
      if (count > (uint64_t{1} << 32) / size()) {
        return g_.fault(FaultKind::OutOfBounds, "qsort of more bytes than any object has");
      }
      // Both ends must be there before anything is compared; what is in them need not be written yet.
      const auto is_there = [&](Pointer at) { return g_.copy(at, at, 1, true); };
      if (!is_there(base()) || !is_there(after(base(), count * size() - 1))) return Status::Faulted;
      const Pointer buffer = g_.allocate(count * size(), 16, false);
      if (buffer.bits == 0) return g_.fault(FaultKind::MemoryLimit, "no memory for qsort");
      g_.state(3) = buffer.bits;
      g_.state(0) = g_.state(1) = g_.state(2) = 0;
    } else if (!take(static_cast<int32_t>(g_.call_result()) <= 0)) {
      return Status::Faulted;
    }
    for (;;) {
      if (g_.state(0) == count - 1) return done_if(g_.release(Pointer{g_.state(3)}));
      const Part part = merge_number(g_.state(0), count);
      const uint64_t middle = part.first + part.count / 2, end = part.first + part.count;
      const uint64_t left = part.first + g_.state(1), right = middle + g_.state(2);
      if (left < middle && right < end) return compare(left, right);
      // One side is used up: the rest of the left one follows; the rest of the right one is in its place already.
      const uint64_t taken = g_.state(1) + g_.state(2);
      if (left < middle && !move(after(buffer(), taken * size()), element(left), middle - left)) return Status::Faulted;
      const uint64_t merged = part.count - (end - right);
      if (!move(element(part.first), buffer(), merged)) return Status::Faulted;
      g_.state(0)++;
      g_.state(1) = g_.state(2) = 0;
    }
  }

 private:
  Pointer base() const { return g_.pointer(0); }
  Pointer buffer() const { return {g_.state(3)}; }
  uint64_t size() const { return g_.argument(2); }
  Pointer element(uint64_t n) const { return after(base(), n * size()); }
  bool move(Pointer to, Pointer from, uint64_t count) { return g_.copy(to, from, count * size(), false); }

  Status compare(uint64_t left, uint64_t right) {
    const uint64_t arguments[3] = {element(left).bits, element(right).bits, g_.argument(4)};
    return g_.call(g_.pointer(3), std::span(arguments, with_data_ ? 3 : 2));
  }

  bool take(bool from_left) {
    const Part part = merge_number(g_.state(0), g_.argument(1));
    const uint64_t taken = g_.state(1) + g_.state(2);
    const uint64_t from = from_left ? part.first + g_.state(1) : part.first + part.count / 2 + g_.state(2);
    g_.state(from_left ? 1 : 2)++;
    return move(after(buffer(), taken * size()), element(from), 1);
  }

  Guest& g_;
  bool with_data_;
};

Status qsort_(Guest& g) { return Sort(g, false).run(); }
Status qsort_r_(Guest& g) { return Sort(g, true).run(); }

Status bsearch_(Guest& g) {  // bsearch(key, base, count, size, compare); state: lower, upper, middle
  const uint64_t size = g.argument(3);
  if (g.stage() == 0) {
    g.state(0) = 0;
    g.state(1) = g.argument(2);
  } else {
    const int32_t order = static_cast<int32_t>(g.call_result());
    if (order == 0) return done(g, after(g.pointer(1), g.state(2) * size));
    if (order < 0) {
      g.state(1) = g.state(2);
    } else {
      g.state(0) = g.state(2) + 1;
    }
  }
  if (g.state(0) >= g.state(1)) return done(g, uint64_t{0});
  g.state(2) = (g.state(0) + g.state(1)) / 2;
  const uint64_t arguments[2] = {g.argument(0), after(g.pointer(1), g.state(2) * size).bits};
  return g.call(g.pointer(4), arguments);
}

// lfind and lsearch(key, base, count*, size, compare); state: index, count
Status linear_search(Guest& g, bool insert) {
  const uint64_t size = g.argument(3);
  if (g.stage() == 0) {
    g.state(0) = 0;
    if (!load(g, g.pointer(2), g.state(1))) return Status::Faulted;
  } else if (static_cast<int32_t>(g.call_result()) == 0) {
    return done(g, after(g.pointer(1), g.state(0) * size));
  } else {
    g.state(0)++;
  }
  const Pointer element = after(g.pointer(1), g.state(0) * size);
  if (g.state(0) < g.state(1)) {
    const uint64_t arguments[2] = {g.argument(0), element.bits};
    return g.call(g.pointer(4), arguments);
  }
  if (!insert) return done(g, uint64_t{0});
  if (!g.copy(element, g.pointer(0), size, false) || !store(g, g.pointer(2), g.state(1) + 1)) return Status::Faulted;
  return done(g, element);
}
Status lfind_(Guest& g) { return linear_search(g, false); }
Status lsearch_(Guest& g) { return linear_search(g, true); }

constexpr BuiltinRow kRows[] = {
    {"qsort", qsort_}, {"qsort_r", qsort_r_}, {"bsearch", bsearch_}, {"lfind", lfind_}, {"lsearch", lsearch_},
};

}  // namespace

std::span<const BuiltinRow> sort_rows() { return kRows; }

bool compares(uint64_t model) {
  return std::any_of(std::begin(kRows), std::end(kRows),
                     [&](const BuiltinRow& row) { return reinterpret_cast<uint64_t>(row.run) == model; });
}

}  // namespace heddle::machine::models
