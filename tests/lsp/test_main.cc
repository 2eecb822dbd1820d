// The main of tests that parse: the parsing process is this program again.
#include <gtest/gtest.h>
#include <signal.h>

#include "server/frontend/typing/typing_process.h"

int main(int argc, char** argv) {
  heddle::frontend::serve_typing_if_asked(argc, argv);
  signal(SIGPIPE, SIG_IGN);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
