#include <cassert>
#include <iostream>

#include "index.h"
#include "journal.h"
#include "pipeline.h"
#include "tokens.h"

namespace {

const indexer::Document kDocuments[] = {
    {1, "Weaving", "The heddle lifts threads."},
    {2, "Looms", "A loom holds the heddles and the threads."},
};

void print(const indexer::Index& index, const std::string& word) {
  std::cout << word << ":";
  for (const indexer::Posting& posting : index.find(word)) {
    std::cout << " " << posting.document << " (" << posting.count << ")";
  }
  std::cout << "\n";
}

}  // namespace

int main() {
  const indexer::Tokenizer tokenizer({"a", "and", "the"});
  indexer::Index index;
  indexer::Journal journal;
  {
    indexer::Pipeline pipeline(tokenizer, index, journal, 2);
    for (const indexer::Document& document : kDocuments) pipeline.submit(document);
    const indexer::Totals so_far = index.totals();
    assert(so_far.documents <= 2);
    pipeline.finish();
  }
  const indexer::Totals totals = index.totals();
  assert(totals.documents == 2 && journal.documents_counted() == 2);
  assert(index.find_all({"heddle", "thread"}).size() == 2);
  print(index, "thread");
  print(index, "loom");
  for (const std::string& line : journal.lines()) std::cout << line << "\n";
  return 0;
}
