// Stores a set of abstract objects as bits, for unions over whole programs.
//
// In:      object numbers.
// Out:     object numbers, ascending.
// Cost:    a union or a walk is linear in the highest number / 64.
// Owns:    its words.
// Threads: a value.
// Fails:   never; removing an object that is not in the set does nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::analysis {

class ObjectSet {
 public:
  bool contains(ObjectId o) const { return o.value / 64 < words_.size() && (words_[o.value / 64] >> o.value % 64 & 1); }
  void insert(ObjectId o) {
    if (o.value / 64 >= words_.size()) words_.resize(o.value / 64 + 1);
    words_[o.value / 64] |= uint64_t{1} << o.value % 64;
  }
  template <typename Objects>
  void insert_all(const Objects& objects) {
    for (ObjectId o : objects) insert(o);
  }
  template <typename Objects>
  void remove(const Objects& objects) {
    for (ObjectId o : objects)
      if (o.value / 64 < words_.size()) words_[o.value / 64] &= ~(uint64_t{1} << o.value % 64);
  }
  bool unite(const ObjectSet& other) {  // true: it grew
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    uint64_t grown = 0;
    for (size_t k = 0; k < other.words_.size(); ++k) {
      grown |= other.words_[k] & ~words_[k];
      words_[k] |= other.words_[k];
    }
    return grown != 0;
  }
  // Adds the objects of `other`, except those that are in `limited` and not in `allowed`.
  void unite_limited(const ObjectSet& other, const ObjectSet& limited, const ObjectSet& allowed) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    for (size_t k = 0; k < other.words_.size(); ++k)
      words_[k] |= other.words_[k] & (~limited.word(k) | allowed.word(k));
  }
  void unite_common(const ObjectSet& x, const ObjectSet& y) {  // what both hold
    if (x.words_.size() > words_.size()) words_.resize(x.words_.size());
    for (size_t k = 0; k < x.words_.size(); ++k) words_[k] |= x.words_[k] & y.word(k);
  }
  template <typename Objects>
  bool meets(const Objects& objects) const {
    for (ObjectId o : objects)
      if (contains(o)) return true;
    return false;
  }
  bool empty() const {
    for (uint64_t word : words_)
      if (word) return false;
    return true;
  }
  template <typename Visit>
  void for_each(Visit visit) const {  // ascending
    for_each_missing({}, visit);
  }
  template <typename Visit>
  void for_each_missing(const ObjectSet& in, Visit visit) const {  // ascending; not those that `in` holds
    for (size_t k = 0; k < words_.size(); ++k)
      for (uint64_t word = words_[k] & ~in.word(k); word; word &= word - 1)
        visit(ObjectId(static_cast<uint32_t>(k * 64 + static_cast<size_t>(std::countr_zero(word)))));
  }
  std::vector<ObjectId> list() const {  // sorted
    std::vector<ObjectId> result;
    for_each([&](ObjectId o) { result.push_back(o); });
    return result;
  }

 private:
  uint64_t word(size_t k) const { return k < words_.size() ? words_[k] : 0; }

  std::vector<uint64_t> words_;
};

}  // namespace heddle::analysis
