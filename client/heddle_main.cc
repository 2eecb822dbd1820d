// heddle: the command line.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "client/commands.h"

int main(int argc, char** argv) {
  heddle::client::Options options;
  int code = 0;
  setenv("GRPC_VERBOSITY", "NONE", 0);
  if (heddle::client::parse_options(argc, argv, options, code)) code = heddle::client::run_command(options);
  std::fflush(stdout);
  // The libraries' own tidying costs a millisecond and frees nothing that the end of the process does not.
  _exit(code);
}
