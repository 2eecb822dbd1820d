#include "pipeline.h"

#include <utility>

namespace indexer {

Pipeline::Pipeline(const Tokenizer& tokenizer, Index& index, Journal& journal, unsigned readers)
    : tokenizer_(tokenizer), index_(index), journal_(journal) {
  readers_.reserve(readers);
  for (unsigned i = 0; i < readers; ++i) readers_.emplace_back([this] { read(); });
  merger_ = std::thread([this] { merge(); });
}

Pipeline::~Pipeline() { finish(); }

bool Pipeline::submit(Document document) { return documents_.push(std::move(document)); }

void Pipeline::finish() {
  documents_.close();
  for (std::thread& reader : readers_) {
    if (reader.joinable()) reader.join();
  }
  counts_.close();
  if (merger_.joinable()) merger_.join();
}

void Pipeline::read() {
  while (std::optional<Document> document = documents_.pop()) {
    auto counted = std::make_unique<Counted>(tokenizer_.count(*document));
    journal_.counted();
    counts_.push(std::move(counted));
  }
}

void Pipeline::merge() {
  while (std::optional<std::unique_ptr<Counted>> counted = counts_.pop()) {
    index_.add(**counted);
    journal_.note("document " + std::to_string((*counted)->document) + ": " + std::to_string((*counted)->total));
  }
}

}  // namespace indexer
