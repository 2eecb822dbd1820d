#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "bounded_queue.h"
#include "index.h"
#include "journal.h"
#include "tokens.h"

namespace indexer {

// Documents go through two stages: readers count their words, and one merger adds the counts to the index.
class Pipeline {
 public:
  Pipeline(const Tokenizer& tokenizer, Index& index, Journal& journal, unsigned readers);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  bool submit(Document document);
  void finish();  // waits until every document that was submitted is in the index

 private:
  void read();
  void merge();

  const Tokenizer& tokenizer_;
  Index& index_;
  Journal& journal_;
  BoundedQueue<Document> documents_{2};
  BoundedQueue<std::unique_ptr<Counted>> counts_{2};
  std::vector<std::thread> readers_;
  std::thread merger_;
};

}  // namespace indexer
