#include "client/lsp/documents.h"

#include "server/disk/read.h"
#include "server/disk/utf8_name.h"
#include "server/text/lines.h"

namespace heddle::client::lsp {

using text::lines_with_ends;

namespace {

constexpr size_t kLookAhead = 400;

// Clients without incremental changes send everything. Lines that are equal did not change; of a line that has no equal
// near by, its ends that are equal did not.
std::vector<Edit> differing_lines(std::string_view before, std::string_view after) {
  const auto old_lines = lines_with_ends(before), new_lines = lines_with_ends(after);
  std::vector<Edit> edits;
  size_t at = 0, i = 0, j = 0;  // at: in the text as it is after the edits so far
  const auto near = [&](const auto& lines, size_t from, std::string_view wanted) {
    for (size_t k = 1; k <= kLookAhead && from + k < lines.size(); ++k) {
      if (lines[from + k] == wanted) return k;
    }
    return size_t{0};
  };
  while (i < old_lines.size() || j < new_lines.size()) {
    if (i < old_lines.size() && j < new_lines.size() && old_lines[i] == new_lines[j]) {
      at += new_lines[j].size();
      ++i, ++j;
      continue;
    }
    const size_t inserted = i < old_lines.size() ? near(new_lines, j, old_lines[i]) : 1;
    const size_t removed = j < new_lines.size() ? near(old_lines, i, new_lines[j]) : 1;
    if (j < new_lines.size() && inserted > 0 && (removed == 0 || inserted <= removed)) {
      edits.push_back({at, 0, new_lines[j].size()});
      at += new_lines[j++].size();
    } else if (i < old_lines.size() && removed > 0) {
      edits.push_back({at, old_lines[i++].size(), 0});
    } else {
      const std::string_view a = old_lines[i++], b = new_lines[j++];
      size_t front = 0, back = 0;
      const size_t most = std::min(a.size(), b.size());
      while (front < most && a[front] == b[front]) ++front;
      while (back < most - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
      edits.push_back({at + front, a.size() - front - back, b.size() - front - back});
      at += b.size();
    }
  }
  return edits;
}

}  // namespace

std::optional<std::string> read_file(const std::string& path) {
  return disk::read_regular(disk::file_of_name(path), disk::kTextMost);
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

std::vector<Edit> Documents::change(Document& document, const std::optional<Range>& range, const std::string& text,
                                    Encoding encoding) {
  std::vector<Edit> edits;
  std::string content = document.text->content();
  if (range) {
    const size_t begin = document.text->offset_of(range->start, encoding);
    const size_t end = document.text->offset_of(range->end, encoding);
    edits = {{std::min(begin, end), begin < end ? end - begin : 0, text.size()}};
    content.replace(edits[0].begin, edits[0].removed, text);
  } else {
    edits = differing_lines(content, text);
    content = text;
  }
  document.text = std::make_shared<const Text>(std::move(content));
  document.dirty = true;
  for (const Edit& edit : edits) document.edits.emplace_back(++revisions_, edit);
  document.revision = ++revisions_;
  return edits;
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
