#include "server/engine/driver_names.h"

#include <algorithm>
#include <sstream>

namespace heddle::engine {
namespace {

constexpr std::string_view kComment = "// ", kSpace = "namespace ", kThread = "static void* thread_";

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; }

// "push(1), size()" of thread 2 in "Queue: thread 1: pop(); thread 2: push(1), size()."
std::string calls_of(const std::string& comment, const std::string& number) {
  const std::string head = "thread " + number + ": ";
  const size_t at = comment.find(head);
  if (at == comment.npos) return "";
  const size_t begin = at + head.size();
  size_t end = comment.find("; thread ", begin);
  if (end == comment.npos) end = comment.size() - (comment.ends_with('.') ? 1 : 0);
  return comment.substr(begin, end - begin);
}

}  // namespace

DriverNames::DriverNames(const std::string& text) {
  std::istringstream lines(text);
  std::string comment, space;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kComment) && line.find(": thread 1: ") != line.npos) comment = line;
    if (line.starts_with(kSpace)) space = line.substr(kSpace.size(), line.find(' ', kSpace.size()) - kSpace.size());
    if (line.starts_with("}  // namespace")) space.clear();
    if (!line.starts_with(kThread)) continue;
    const size_t number = kThread.size();
    const std::string calls = calls_of(comment, line.substr(number, line.find('_', number) - number));
    const size_t begin = line.find("thread_");
    const std::string name = line.substr(begin, line.find('(') - begin);
    if (!calls.empty()) calls_.emplace_back((space.empty() ? "" : space + "::") + name, calls);
  }
  // The shared objects are members of the driver's scene.
  calls_.emplace_back("object.subject", "object");
  calls_.emplace_back("object.other", "other");
  std::sort(calls_.begin(), calls_.end(), [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string DriverNames::replaced(std::string text) const {
  for (const auto& [name, calls] : calls_)
    for (size_t at = 0; (at = text.find(name, at)) != text.npos;) {
      const size_t end = at + name.size();
      const bool whole = (at == 0 || !is_of_name(text[at - 1])) && (end == text.size() || !is_of_name(text[end]));
      if (whole) text.replace(at, name.size(), calls);
      at = whole ? at + calls.size() : end;
    }
  return text;
}

void DriverNames::replace_in(google::protobuf::Message& message) const {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const google::protobuf::FieldDescriptor* field : fields) {
    const std::string& name = field->name();
    if (name == "visible" || name == "schedule" || name == "function" || name == "file") continue;
    const bool is_text = field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING;
    const bool is_message = field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE;
    if (!field->is_repeated()) {
      if (is_text) reflection.SetString(&message, field, replaced(reflection.GetString(message, field)));
      if (is_message) replace_in(*reflection.MutableMessage(&message, field));
      continue;
    }
    for (int n = 0; n < reflection.FieldSize(message, field); ++n) {
      if (is_text)
        reflection.SetRepeatedString(&message, field, n, replaced(reflection.GetRepeatedString(message, field, n)));
      if (is_message) replace_in(*reflection.MutableRepeatedMessage(&message, field, n));
    }
  }
}

void DriverNames::apply(v1::Finding& finding) const {
  if (!calls_.empty()) replace_in(finding);
}

}  // namespace heddle::engine
