// What lies on disk: units, schedules, rows of the ledger. Any bytes are read as what was written, or as nothing.
#include "heddle/v1/ledger.pb.h"
#include "server/detect/finding.h"
#include "server/program/program.h"
#include "server/program/serialise.h"
#include "tests/fuzz/fuzz.h"

namespace {

// A unit to damage, where the input itself is none: byte pairs of the input say where and how.
const std::string& written_unit() {
  static const std::string bytes = heddle::program::write_unit(*heddle::test::compile_text(
      "#include <pthread.h>\nstatic int x = 3; static const char *name = \"n\";\n"
      "static int f(int n, ...) { return n ? x / n : name[0]; }\nvoid *w(void *p) { x += f(1, 2); return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return x; }\n"));
  return bytes;
}

void unit(const std::string& bytes) {
  using namespace heddle;
  auto read = program::read_unit(bytes);
  if (!read) return;
  const std::string again = program::write_unit(*read);
  FUZZ_CHECK(program::read_unit(again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heddle;
  const std::string bytes = fuzz::text_of(data, size);
  unit(bytes);
  std::string damaged = written_unit();
  for (size_t n = 0; n + 3 <= size && n < 12; n += 3)
    damaged[(data[n] * size_t{256} + data[n + 1]) % damaged.size()] = static_cast<char>(data[n + 2]);
  if (size % 5 == 0) damaged.resize((size * 131) % damaged.size());
  unit(damaged);
  if (const auto schedule = detect::read_schedule(bytes))
    FUZZ_CHECK(detect::read_schedule(detect::print(*schedule)) == schedule);
  v1::Book book;
  if (book.ParseFromString(bytes)) FUZZ_CHECK(book.ByteSizeLong() <= 2 * bytes.size() + 16);
  v1::VerdictRecord verdict;
  verdict.ParseFromString(bytes);
  v1::Manifest manifest;
  manifest.ParseFromString(bytes);
  return 0;
}
