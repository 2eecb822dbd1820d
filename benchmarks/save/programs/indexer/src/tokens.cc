#include "tokens.h"

#include <cctype>

namespace indexer {

namespace {

bool ends_with(const std::string& word, std::string_view end) {
  return word.size() > end.size() + 2 && word.compare(word.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::string stem_of(std::string word) {
  for (const std::string_view end : {"ing", "ed", "s"}) {
    if (!ends_with(word, end)) continue;
    word.resize(word.size() - end.size());
    break;
  }
  return word;
}

std::vector<std::string> Tokenizer::split(std::string_view text) const {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : text) {
    if (std::isalpha(static_cast<unsigned char>(letter))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

Counted Tokenizer::count(const Document& document) const {
  Counted counted;
  counted.document = document.id;
  for (const std::string* part : {&document.title, &document.body}) {
    for (const std::string& word : split(*part)) {
      if (is_ignored(word)) continue;
      ++counted.words[stem_of(word)];
      ++counted.total;
    }
  }
  return counted;
}

}  // namespace indexer
