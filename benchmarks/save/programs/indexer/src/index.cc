#include "index.h"

#include <algorithm>
#include <iterator>

namespace indexer {

void Index::note_longest_locked(const std::string& word) {
  if (word.size() > totals_.longest_word.size()) totals_.longest_word = word;
}

void Index::add(const Counted& counted) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [word, count] : counted.words) {
    postings_[word].push_back({counted.document, count});
    note_longest_locked(word);
  }
  ++totals_.documents;
  totals_.words += counted.total;
}

std::vector<Posting> Index::postings_locked(const std::string& word) const {
  const auto found = postings_.find(stem_of(word));
  if (found == postings_.end()) return {};
  std::vector<Posting> postings = found->second;
  std::sort(postings.begin(), postings.end(),
            [](const Posting& a, const Posting& b) { return a.document < b.document; });
  return postings;
}

std::vector<Posting> Index::find(const std::string& word) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return postings_locked(word);
}

std::vector<int> Index::find_all(const std::vector<std::string>& words) const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<int> documents;
  bool first = true;
  for (const std::string& word : words) {
    std::vector<int> holding;
    for (const Posting& posting : postings_locked(word)) holding.push_back(posting.document);
    if (first) {
      documents = std::move(holding);
      first = false;
      continue;
    }
    std::vector<int> both;
    std::set_intersection(documents.begin(), documents.end(), holding.begin(), holding.end(), std::back_inserter(both));
    documents = std::move(both);
  }
  return documents;
}

Totals Index::totals() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return totals_;
}

}  // namespace indexer
