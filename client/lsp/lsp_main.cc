// heddle-lsp: what `heddle lsp` becomes. A program of its own because it carries libclang, which the other commands,
// whose start a save waits for, are better without.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "client/lsp/server.h"
#include "server/frontend/typing/typing_process.h"

int main(int argc, char** argv) {
  heddle::frontend::serve_typing_if_asked(argc, argv);
  setenv("GRPC_VERBOSITY", "NONE", 0);
  signal(SIGPIPE, SIG_IGN);
  // What a library prints must not end up among the messages.
  const int out = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  int code = 1;
  {
    heddle::client::lsp::Server server(STDIN_FILENO, out);
    code = server.run();
  }
  _exit(code);
}
