#include "server/frontend/typing/typing_server.h"

#include <poll.h>
#include <unistd.h>

#include <optional>
#include <vector>

#include "server/base/frames.h"
#include "server/base/reading_sandbox.h"
#include "server/base/wire.h"

namespace heddle::frontend {
namespace {

std::optional<std::string_view> next_question(base::FrameReader& reader) {
  for (;;) {
    if (const auto frame = reader.next()) return frame;
    if (reader.state() != base::FrameReader::State::Open) return std::nullopt;
    pollfd ready{reader.fd(), POLLIN, 0};
    if (::poll(&ready, 1, -1) > 0) reader.fill();
  }
}

std::string answer_of(const Meaning& meaning, bool continues) {
  base::WireWriter out;
  out.number(continues).text(meaning.hash).number(meaning.functions.size());
  for (const auto& [name, line, begin_line, end_line] : meaning.functions)
    out.text(name).number(line).number(begin_line).number(end_line);
  return out.take();
}

}  // namespace

void serve_typing(int channel, uint64_t memory_bytes, const std::string& database_directory) {
  // libclang gives nothing back to the kernel: a new process has all of the limit again.
  const uint64_t memory_most = base::address_space_bytes() + memory_bytes / 4 * 3;
  if (!base::enter_reading_sandbox(memory_bytes).empty()) ::_exit(1);
  Typing typing(database_directory);
  base::FrameReader reader(channel);
  for (bool continues = true; continues;) {
    const auto question = next_question(reader);
    if (!question) break;
    base::WireReader in(*question);
    const std::string path(in.text());
    std::vector<Overlay> overlays(in.count(2 * sizeof(uint64_t)));
    for (Overlay& overlay : overlays) {
      overlay.path = in.text();
      overlay.text = in.text();
    }
    if (!in.ended()) break;
    const Meaning meaning = typing.meaning(path, overlays);
    continues = base::address_space_bytes() < memory_most;
    if (!base::write_frame(channel, answer_of(meaning, continues))) break;
  }
  ::_exit(0);
}

bool read_answer(std::string_view bytes, Meaning& meaning, bool& continues) {
  base::WireReader in(bytes);
  continues = in.number() != 0;
  meaning.hash = in.text();
  meaning.functions.resize(in.count(4 * sizeof(uint64_t)));
  for (auto& [name, line, begin_line, end_line] : meaning.functions) {
    name = in.text();
    line = static_cast<uint32_t>(in.number());
    begin_line = static_cast<uint32_t>(in.number());
    end_line = static_cast<uint32_t>(in.number());
  }
  return in.ended();
}

}  // namespace heddle::frontend
