#include "client/fix/draft.h"

#include <algorithm>

#include "server/text/lines.h"

namespace heddle::client::fix {

std::string applied(const std::string& text, const std::vector<Replacement>& edits) {
  std::string out;
  size_t at = 0;
  for (const Replacement& edit : edits) {
    out.append(text, at, edit.begin - at);
    out += edit.text;
    at = edit.begin + edit.removed;
  }
  return out.append(text, at);
}

bool Draft::begins_line(size_t offset) const {
  const size_t begin = source_.line_begin(offset);
  return text::trimmed(std::string_view(source_.text()).substr(begin, offset - begin)).empty();
}

// Nothing of the program follows on the line; a comment there belongs to what is before it.
bool Draft::ends_line(size_t offset) const {
  const std::string_view rest =
      text::trimmed(std::string_view(source_.text()).substr(offset, source_.line_end(offset) - offset));
  return rest.empty() || rest.starts_with("//") || (rest.starts_with("/*") && rest.ends_with("*/"));
}

void Draft::enclose(NodeId first, NodeId last, const std::string& head) {
  const std::string unit = source_.indent_unit();
  const size_t begin = source_.line_begin(source_.node(first).begin);
  const size_t end = source_.line_end(source_.node(last).end);
  const std::string indent = source_.indentation_at(begin);
  std::string out = indent + "{\n" + indent + unit + head + "\n";
  for (const std::string_view line : text::lines_with_ends(std::string_view(source_.text()).substr(begin, end - begin)))
    out += (text::trimmed(line).empty() ? "" : unit) + std::string(line);
  replace(begin, end, out + "\n" + indent + "}");
}

void Draft::line_above(size_t offset, const std::string& line) {
  const size_t begin = source_.line_begin(offset);
  replace(begin, begin, source_.indentation_at(offset) + line + "\n");
}

void Draft::put_around(NodeId statement, const Around& lines, std::vector<Replacement>& out) const {
  const Node& node = source_.node(statement);
  const std::string indent = source_.indentation_at(node.begin);
  std::string text;
  if (begins_line(node.begin)) {
    for (const std::string& line : lines.before) text += indent + line + "\n";
    out.push_back({source_.line_begin(node.begin), 0, text});
  } else {
    for (const std::string& line : lines.before) text += line + " ";
    out.push_back({node.begin, 0, text});
  }
  text.clear();
  if (ends_line(node.end)) {
    for (const std::string& line : lines.after) text += "\n" + indent + line;
    out.push_back({source_.line_end(node.end), 0, text});
  } else {
    for (const std::string& line : lines.after) text += " " + line;
    out.push_back({node.end, 0, text});
  }
}

void Draft::put_on_its_lines(NodeId statement, const Around& lines, std::vector<Replacement>& out) const {
  const Node& node = source_.node(statement);
  std::string text = node.alone ? "{ " : "";
  for (const std::string& line : lines.before) text += line + " ";
  out.push_back({node.begin, 0, text});
  text.clear();
  for (const std::string& line : lines.after) text += " " + line;
  out.push_back({node.end, 0, text + (node.alone ? " }" : "")});
}

// The statement is the whole body of a condition or loop: it gets braces.
void Draft::put_around_alone(NodeId statement, const Around& lines, std::vector<Replacement>& out) const {
  const Node& node = source_.node(statement);
  const bool own_line = begins_line(node.begin);
  const std::string indent = source_.indentation_at(own_line ? source_.node(node.parent).begin : node.begin);
  const std::string deeper = own_line ? source_.indentation_at(node.begin) : indent + source_.indent_unit();
  size_t open = node.begin;
  while (open > 0 && std::isspace(static_cast<unsigned char>(source_.code()[open - 1]))) --open;
  std::string text = " {\n";
  for (const std::string& line : lines.before) text += deeper + line + "\n";
  out.push_back({open, node.begin - open, text + deeper});
  text.clear();
  for (const std::string& line : lines.after) text += "\n" + deeper + line;
  const bool line_ends = ends_line(node.end);
  const size_t end = line_ends ? source_.line_end(node.end) : node.end;
  out.push_back({end, 0, text + "\n" + indent + "}"});
}

Replacement Draft::removal_of(NodeId statement) const {
  const Node& node = source_.node(statement);
  if (node.alone) return {node.begin, node.end - node.begin, "{}"};
  if (begins_line(node.begin) && ends_line(node.end)) {
    const size_t begin = source_.line_begin(node.begin), end = source_.line_end(node.end);
    return {begin, std::min(end + 1, source_.text().size()) - begin, ""};
  }
  size_t end = node.end;
  while (end < source_.text().size() && source_.text()[end] == ' ') ++end;
  return {node.begin, end - node.begin, ""};
}

std::optional<std::vector<Replacement>> Draft::finish() const {
  std::vector<Replacement> out = replaced_;
  for (const auto& [statement, lines] : around_) {
    if (same_lines_)
      put_on_its_lines(statement, lines, out);
    else if (source_.node(statement).alone)
      put_around_alone(statement, lines, out);
    else
      put_around(statement, lines, out);
  }
  for (const NodeId statement : removed_) out.push_back(removal_of(statement));
  std::erase_if(out, [](const Replacement& edit) { return edit.removed == 0 && edit.text.empty(); });
  // What is put before a statement comes before what stands in its place.
  std::stable_sort(out.begin(), out.end(), [](const Replacement& a, const Replacement& b) {
    return std::pair(a.begin, a.removed != 0) < std::pair(b.begin, b.removed != 0);
  });
  for (size_t i = 1; i < out.size(); ++i)
    if (out[i].begin < out[i - 1].begin + out[i - 1].removed) return std::nullopt;
  return out;
}

}  // namespace heddle::client::fix
