// Runs the edit filter's parser in a sandboxed process. The process cannot write files, start programs or open
// connections, and its time and memory are limited. The sandbox is needed because a stranger may have written the
// checkout, and with it the text and the compile flags that the parser reads.
//
// In:      as for Typing (typing.h); limits.
// Out:     the same meanings.
// Cost:    a process at the first question: this program again, by /proc/self/exe; after that, the texts once over a
//          socket.
// Owns:    the process, which keeps libclang's units. It ends with the thread that asked first.
// Threads: one asks; interrupt() may be called from any.
// Fails:   what takes too long, ends the process or is too large has no meaning, and is not asked again until a text
//          changes. The next question begins another process. Without a sandbox nothing has a meaning.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/frames.h"
#include "server/base/reading_process.h"
#include "server/frontend/typing/typing.h"
#include "server/program/hash.h"

namespace heddle::frontend {

class TypingProcess {
 public:
  // The limits set by the environment (reading_process.h), with a shorter time limit: a keystroke waits for the answer.
  static base::ReadingLimits default_limits();

  explicit TypingProcess(std::string database_directory, base::ReadingLimits limits = default_limits());
  ~TypingProcess();
  TypingProcess(const TypingProcess&) = delete;
  TypingProcess& operator=(const TypingProcess&) = delete;

  Meaning meaning(const std::string& path, const std::vector<Overlay>& overlays);
  void interrupt();                       // nothing has a meaning from now on: what is being asked returns at once
  pid_t process() const { return pid_; }  // 0: none

 private:
  bool start();
  void end();
  std::optional<std::string_view> ask(std::string_view question);  // the answer, valid until the next question

  const std::string database_directory_;
  const base::ReadingLimits limits_;
  int interrupt_fd_ = -1;  // readable once interrupt() was called
  bool interrupted_ = false;
  pid_t pid_ = 0;
  int channel_ = -1;
  std::unique_ptr<base::FrameReader> reader_;
  std::map<std::string, program::Hash> ended_by_;  // by path: the question that ended a process
};

// To be called at the start of main: in a process that a TypingProcess started it serves and does not return.
void serve_typing_if_asked(int argc, char** argv);

}  // namespace heddle::frontend
