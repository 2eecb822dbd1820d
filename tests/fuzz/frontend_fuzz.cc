// Text -> unit -> program -> facts: no text ends the front end, the same text gives the same program, and a unit that was
// written is the unit that is read.
#include "server/analysis/analysis.h"
#include "server/program/serialise.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const std::string text = fuzz::text_of(data, size);
  const program::ProgramPtr program = fuzz::program_of(text);
  if (!program) return 0;
  analysis::analyse(program);
  const std::string written = program::write_unit(*program->units()[0]);
  const auto read = program::read_unit(written);
  FUZZ_CHECK(read && program::write_unit(*read) == written);
  const program::ProgramPtr again = fuzz::program_of(text);
  FUZZ_CHECK(again && again->content() == program->content());
  return 0;
}
