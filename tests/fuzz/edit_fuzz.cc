// Two versions of a text: comparing them never fails, a version compared with itself has not changed, and what is said to
// be a statement of the new version is one.
//
// In: a text; the second version begins behind a line "//====". Without one, it is the text without one of its lines.
#include <algorithm>

#include "server/edit/edit.h"
#include "tests/fuzz/fuzz.h"

namespace {

std::string without_a_line(std::string text) {
  size_t lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), begin = 0;
  if (lines == 0) return text;
  for (size_t n = std::hash<std::string>()(text) % lines; n > 0; --n) begin = text.find('\n', begin) + 1;
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const std::string text = fuzz::text_of(data, size), mark = "\n//====\n";
  const size_t at = text.find(mark);
  const program::ProgramPtr old_program = fuzz::program_of(text.substr(0, at));
  const program::ProgramPtr new_program =
      fuzz::program_of(at == std::string::npos ? without_a_line(text) : text.substr(at + mark.size()));
  if (!old_program || !new_program) return 0;
  const analysis::FactsPtr before = analysis::analyse(old_program), after = analysis::analyse(new_program);
  FUZZ_CHECK(edit::compare(after, after).nothing());
  const edit::Impact impact = edit::compare(before, after);
  for (const edit::Fragment& fragment : impact.fragments) {
    FUZZ_CHECK(fragment.function.value < new_program->function_count());
    for (const uint32_t statement : fragment.statements)
      FUZZ_CHECK(statement < new_program->function(fragment.function).code.size());
  }
  const edit::Relevant relevant = edit::relevant_objects(*after, impact);
  FUZZ_CHECK(relevant.objects.size() == after->objects.size());
  for (const analysis::ObjectId seed : impact.seeds) FUZZ_CHECK(seed.value < after->objects.size());
  edit::compare(nullptr, before);
  return 0;
}
