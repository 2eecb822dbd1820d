// An edit of a text by whole statements, formatted as the lines around it.
//
// In:      a Source; statements to put before and after others, to remove, to replace.
// Out:     replacements of the text, in its order.
// Owns:    what was asked for.
// Threads: values.
// Fails:   by value: none, if two edits touch the same place.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/fix/source.h"

namespace heddle::client::fix {

struct Replacement {
  size_t begin = 0, removed = 0;
  std::string text;
};
std::string applied(const std::string& text, const std::vector<Replacement>& edits);  // by place, none overlaps

class Draft {
 public:
  // `same_lines`: what is put around a statement stands on its lines, so that no line of the text moves.
  explicit Draft(const Source& source, bool same_lines = false) : source_(source), same_lines_(same_lines) {}
  const Source& source() const { return source_; }
  // Each `line` is a statement without indentation. Later ones of `before` stand nearer to the statement, and later
  // ones of `after` farther from it.
  void before(NodeId statement, const std::string& line) { around_[statement].before.push_back(line); }
  void after(NodeId statement, const std::string& line) { around_[statement].after.push_back(line); }
  void remove(NodeId statement) { removed_.insert(statement); }
  void replace(size_t begin, size_t end, const std::string& text) { replaced_.push_back({begin, end - begin, text}); }
  // The statements from first to last, which are of one block, become the body of a block of their own.
  void enclose(NodeId first, NodeId last, const std::string& head);
  void line_above(size_t offset, const std::string& line);  // a line of its own above that one
  bool empty() const { return around_.empty() && removed_.empty() && replaced_.empty(); }
  std::optional<std::vector<Replacement>> finish() const;

 private:
  struct Around {
    std::vector<std::string> before, after;
  };
  void put_around(NodeId statement, const Around& lines, std::vector<Replacement>& out) const;
  void put_on_its_lines(NodeId statement, const Around& lines, std::vector<Replacement>& out) const;
  void put_around_alone(NodeId statement, const Around& lines, std::vector<Replacement>& out) const;
  Replacement removal_of(NodeId statement) const;
  bool begins_line(size_t offset) const;
  bool ends_line(size_t offset) const;

  const Source& source_;
  const bool same_lines_;
  std::map<NodeId, Around> around_;
  std::set<NodeId> removed_;
  std::vector<Replacement> replaced_;
};

}  // namespace heddle::client::fix
