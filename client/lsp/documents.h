// The documents that the client has open, with the edits since a check took its copy.
//
// In:      didOpen, didChange, didClose.
// Out:     texts, versions, the edits that moved places.
// Owns:    texts (shared with running checks).
// Threads: the loop's thread.
// Fails:   never; positions beyond a text are clamped. read_file() returns nothing for a file that cannot be read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/lsp/text.h"

namespace heddle::client::lsp {

struct Document {
  std::string uri, path;
  int64_t version = 0;
  uint64_t revision = 0;  // grows with every edit, over all documents
  TextPtr text;
  bool dirty = false;                            // differs from the disk
  std::vector<std::pair<uint64_t, Edit>> edits;  // with the revision that each led to
};

// What a check saw of the open documents.
struct DocumentState {
  int64_t version = 0;
  uint64_t revision = 0;
  TextPtr text;
  bool dirty = false;
};
using Snapshot = std::map<std::string, DocumentState>;  // by path

class Documents {
 public:
  Document& open(const std::string& uri, const std::string& path, int64_t version, std::string text);
  void close(const std::string& path);
  Document* find(const std::string& path);
  // Replaces a range, or everything; then by the lines that differ. One after the other.
  std::vector<Edit> change(Document& document, const std::optional<Range>& range, const std::string& text,
                           Encoding encoding);
  Snapshot snapshot() const;
  // Moves a place of a text that a check saw into the text as it is now.
  void catch_up(const Document& document, uint64_t revision, Span& span) const;
  void forget_edits();  // REQUIRES no snapshot is held
  const std::map<std::string, Document>& all() const { return documents_; }
  std::map<std::string, Document>& all() { return documents_; }

 private:
  std::map<std::string, Document> documents_;  // by path
  uint64_t revisions_ = 0;
};

std::optional<std::string> read_file(const std::string& path);

}  // namespace heddle::client::lsp
