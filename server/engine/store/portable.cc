#include "server/engine/store/portable.h"

#include <google/protobuf/descriptor.h>

#include <cctype>

namespace heddle::engine {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Only where the name of the folder ends there.
std::string replaced(const std::string& text, const std::string& from, const std::string& to, bool whole_names) {
  std::string result;
  for (size_t at = 0;;) {
    const size_t next = text.find(from, at);
    if (next == std::string::npos) return result + text.substr(at);
    const size_t end = next + from.size();
    const unsigned char after = end < text.size() ? static_cast<unsigned char>(text[end]) : 0;
    const bool longer = whole_names && (std::isalnum(after) != 0 || after == '_' || after == '-' || after == '.');
    result += text.substr(at, next - at) + (longer ? from : to);
    at = end;
  }
}

template <typename Change>
void change_texts(Message& message, const Change& change) {
  const google::protobuf::Reflection& access = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  access.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool text = field->type() == FieldDescriptor::TYPE_STRING;
    if (!text && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      if (text)
        access.SetString(&message, field, change(access.GetString(message, field)));
      else
        change_texts(*access.MutableMessage(&message, field), change);
      continue;
    }
    for (int n = 0; n < access.FieldSize(message, field); ++n) {
      if (text)
        access.SetRepeatedString(&message, field, n, change(access.GetRepeatedString(message, field, n)));
      else
        change_texts(*access.MutableRepeatedMessage(&message, field, n), change);
    }
  }
}

}  // namespace

PortablePaths::PortablePaths(const std::string& root, const std::string& build_folder) {
  constexpr size_t kShort = 2;
  const bool inside = build_folder.empty() || build_folder == root || build_folder.starts_with(root + "/");
  if (!inside && build_folder.size() > kShort)
    names_.emplace_back(build_folder,
                        "\x01"
                        "build\x01");
  if (root.size() > kShort)
    names_.emplace_back(root,
                        "\x01"
                        "root\x01");
  if (names_.size() == 2 && names_[1].first.size() > names_[0].first.size()) std::swap(names_[0], names_[1]);
}

std::string PortablePaths::without_folders(std::string text) const {
  for (const auto& [folder, name] : names_) text = replaced(text, folder, name, true);
  return text;
}

void PortablePaths::without_folders(Message& message) const {
  change_texts(message, [this](const std::string& text) { return without_folders(text); });
}

void PortablePaths::with_folders(Message& message) const {
  change_texts(message, [this](std::string text) {
    for (const auto& [folder, name] : names_) text = replaced(text, name, folder, false);
    return text;
  });
}

}  // namespace heddle::engine
