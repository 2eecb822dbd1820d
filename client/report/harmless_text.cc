#include "client/report/harmless_text.h"

#include <cstdio>
#include <vector>

namespace heddle::client {
namespace {

using google::protobuf::FieldDescriptor;

bool is_control(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; }

// Of a C1 control the second byte: UTF-8 writes them as 0xC2 and 0x80 to 0x9F.
bool is_second_of_control(const std::string& text, size_t n) {
  const auto c = static_cast<unsigned char>(text[n]);
  return n > 0 && static_cast<unsigned char>(text[n - 1]) == 0xc2 && c >= 0x80 && c < 0xa0;
}

void append_escaped(std::string& out, unsigned char c) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "\\x%02x", static_cast<unsigned>(c));
  out += digits;
}

}  // namespace

std::string harmless(const std::string& text) {
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    const auto c = static_cast<unsigned char>(text[n]);
    if (is_second_of_control(text, n)) {
      out.pop_back();
      append_escaped(out, c);
    } else if (is_control(c)) {
      append_escaped(out, c);
    } else {
      out += text[n];
    }
  }
  return out;
}

void make_harmless(google::protobuf::Message& message) {
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int n = 0; n < count; ++n) {
      if (field->type() == FieldDescriptor::TYPE_STRING) {
        if (field->is_repeated())
          reflection.SetRepeatedString(&message, field, n, harmless(reflection.GetRepeatedString(message, field, n)));
        else
          reflection.SetString(&message, field, harmless(reflection.GetString(message, field)));
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        make_harmless(field->is_repeated() ? *reflection.MutableRepeatedMessage(&message, field, n)
                                           : *reflection.MutableMessage(&message, field));
      }
    }
  }
}

}  // namespace heddle::client
