// Frames in a stream of bytes: found behind what is none, however the stream is cut.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/lsp/connection.h"

namespace heddle::client::lsp {
namespace {

struct Split {
  std::vector<std::string> bodies;
  size_t skipped = 0;
};

Split split(const std::vector<std::string>& parts) {
  FrameSplitter splitter;
  Split result;
  for (const std::string& part : parts) {
    splitter.add(part.data(), part.size());
    std::string body;
    for (FrameSplitter::Outcome outcome; (outcome = splitter.next(body)) != FrameSplitter::Outcome::More;)
      if (outcome == FrameSplitter::Outcome::Body)
        result.bodies.push_back(body);
      else
        ++result.skipped;
  }
  return result;
}

TEST(Frames, AreFoundBehindGarbageHoweverTheStreamIsCut) {
  const std::string frame = "Content-Length: 2\r\n\r\n{}";
  for (const std::string& before : {std::string(), std::string("\n\n\n"), std::string("Content-Type: text\r\n\r\n"),
                                    std::string("GET / HTTP/1.1\n\n"), std::string("Content-Length: ten\r\n\r\n"),
                                    std::string("Content-Type: text\r\n")}) {
    const std::string stream = before + frame + frame;
    for (size_t cut = 0; cut <= stream.size(); ++cut)
      EXPECT_EQ(split({stream.substr(0, cut), stream.substr(cut)}).bodies, (std::vector<std::string>{"{}", "{}"}))
          << before << cut;
  }
}

// The client gets an error for each.
TEST(Frames, LineFeedsAreSkippedInFewSteps) {
  const std::string many(100'000, '\n');
  EXPECT_LT(split({many}).skipped, 20u);
  EXPECT_LT(split(std::vector<std::string>(100, many.substr(0, 1'000))).skipped, 1'000u);
}

}  // namespace
}  // namespace heddle::client::lsp
