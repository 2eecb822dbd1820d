#pragma once

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "tokens.h"

namespace indexer {

struct Posting {
  int document = 0;
  int count = 0;
};

struct Totals {
  int documents = 0;
  int words = 0;
  std::string longest_word;
};

// Words to the documents that hold them. Any thread may add and ask.
class Index {
 public:
  void add(const Counted& counted);
  std::vector<Posting> find(const std::string& word) const;
  std::vector<int> find_all(const std::vector<std::string>& words) const;
  Totals totals() const;

 private:
  std::vector<Posting> postings_locked(const std::string& word) const;
  void note_longest_locked(const std::string& word);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::vector<Posting>> postings_;
  Totals totals_;
};

}  // namespace indexer
