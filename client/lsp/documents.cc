#include "client/lsp/documents.h"

#include <fstream>
#include <iterator>

namespace heddle::client::lsp {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

Document& Documents::open(const std::string& uri, const std::string& path, int64_t version, std::string text) {
  Document& document = documents_[path];
  document = {uri, path, version, ++revisions_, nullptr, false, {}};
  document.dirty = read_file(path) != text;
  document.text = std::make_shared<const Text>(std::move(text));
  return document;
}

void Documents::close(const std::string& path) { documents_.erase(path); }

Document* Documents::find(const std::string& path) {
  const auto found = documents_.find(path);
  return found == documents_.end() ? nullptr : &found->second;
}

Edit Documents::change(Document& document, const std::optional<Range>& range, const std::string& text,
                       Encoding encoding) {
  std::string content = document.text->content();
  Edit edit{0, content.size(), text.size()};
  if (range) {
    const size_t begin = document.text->offset_of(range->start, encoding);
    const size_t end = document.text->offset_of(range->end, encoding);
    edit = {std::min(begin, end), begin < end ? end - begin : 0, text.size()};
    content.replace(edit.begin, edit.removed, text);
  } else {
    // Clients without incremental changes send everything: what is equal at both ends did not change.
    size_t front = 0, back = 0;
    const size_t most = std::min(content.size(), text.size());
    while (front < most && content[front] == text[front]) ++front;
    while (back < most - front && content[content.size() - 1 - back] == text[text.size() - 1 - back]) ++back;
    edit = {front, content.size() - front - back, text.size() - front - back};
    content = text;
  }
  document.text = std::make_shared<const Text>(std::move(content));
  document.revision = ++revisions_;
  document.dirty = true;
  document.edits.emplace_back(document.revision, edit);
  return edit;
}

Snapshot Documents::snapshot() const {
  Snapshot out;
  for (const auto& [path, document] : documents_) {
    out[path] = {document.version, document.revision, document.text, document.dirty};
  }
  return out;
}

void Documents::catch_up(const Document& document, uint64_t revision, Span& span) const {
  for (const auto& [after, edit] : document.edits) {
    if (after > revision) span.move(edit);
  }
}

void Documents::forget_edits() {
  for (auto& [path, document] : documents_) document.edits.clear();
}

}  // namespace heddle::client::lsp
