// What comes over the wire: frames between daemon, engine and explorers, and the language server's messages. Any bytes end
// in whole frames, in "broken" or in waiting for more; what is a message is written again as it was.
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "client/lsp/connection.h"
#include "client/lsp/text.h"
#include "client/lsp/uri.h"
#include "heddle/v1/engine.pb.h"
#include "heddle/v1/explorer.pb.h"
#include "server/base/frames.h"
#include "tests/fuzz/fuzz.h"

namespace {

void frames(const std::string& bytes) {
  using namespace heddle;
  int ends[2];
  FUZZ_CHECK(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const size_t size = std::min<size_t>(bytes.size(), 50'000);
  FUZZ_CHECK(::send(ends[0], bytes.data(), size, MSG_NOSIGNAL) == static_cast<ssize_t>(size));
  ::close(ends[0]);
  base::FrameReader reader(ends[1]);
  size_t taken = 0;
  do {
    while (const auto frame = reader.next()) {
      taken += frame->size() + 4;
      v1::Frame message;
      if (message.ParseFromArray(frame->data(), static_cast<int>(frame->size()))) message.ByteSizeLong();
      v1::JobResult result;
      if (result.ParseFromArray(frame->data(), static_cast<int>(frame->size()))) result.ByteSizeLong();
    }
  } while (reader.fill() == base::FrameReader::State::Open);
  FUZZ_CHECK(taken <= size);
  ::close(ends[1]);
}

void messages(const std::string& bytes) {
  using namespace heddle::client::lsp;
  FrameSplitter splitter;
  std::string body;
  size_t outcomes = 0;
  for (size_t at = 0; at < bytes.size(); at += 7) {  // in pieces, as a pipe gives them
    splitter.add(bytes.data() + at, std::min<size_t>(7, bytes.size() - at));
    while (splitter.next(body) != FrameSplitter::Outcome::More) FUZZ_CHECK(++outcomes <= bytes.size());
    const Json message = Json::parse(body, nullptr, false);
    if (!message.is_discarded()) message.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

// Positions of any kind lie in the text, and lead back to where they came from.
void positions(const std::string& bytes) {
  using namespace heddle::client::lsp;
  const Text text(bytes);
  for (const Encoding encoding : {Encoding::Utf8, Encoding::Utf16})
    for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 50) {
      const size_t there = text.offset_of(text.position_of(at, encoding), encoding);
      FUZZ_CHECK(there <= bytes.size() && text.offset_of(text.position_of(there, encoding), encoding) == there);
      const Span span = statement_at(text, at);
      FUZZ_CHECK(span.begin <= span.end && span.end <= bytes.size());
    }
  const std::string path = path_of(bytes);
  if (!path.empty()) FUZZ_CHECK(path_of(uri_of(path)) == path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes = heddle::fuzz::text_of(data, size);
  frames(bytes);
  messages(bytes);
  positions(bytes);
  return 0;
}
