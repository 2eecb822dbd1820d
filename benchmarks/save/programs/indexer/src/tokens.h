#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace indexer {

struct Document {
  int id = 0;
  std::string title;
  std::string body;
};

// What one document adds to the index.
struct Counted {
  int document = 0;
  std::map<std::string, int> words;
  int total = 0;
};

class Tokenizer {
 public:
  explicit Tokenizer(std::set<std::string> ignored) : ignored_(std::move(ignored)) {}
  Counted count(const Document& document) const;

 private:
  std::vector<std::string> split(std::string_view text) const;
  bool is_ignored(const std::string& word) const { return ignored_.count(word) > 0; }

  const std::set<std::string> ignored_;
};

// Plural and past forms count as the word itself.
std::string stem_of(std::string word);

}  // namespace indexer
