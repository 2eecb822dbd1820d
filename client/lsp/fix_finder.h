// Looks for proved fixes in the background. It starts after a verdict, takes one finding after the other, and stops at
// the next keystroke.
//
// In:      findings with the texts that their check saw.
// Out:     proved fixes per finding, on request: clients ask for code actions when they show them.
// Owns:    a thread, and a connection to the daemon while it tries something.
// Threads: the loop's thread calls; the finder's thread only asks the daemon and posts.
// Fails:   never; what the daemon cannot try has no fix.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "client/fix/search.h"
#include "client/link/cancellation.h"
#include "client/lsp/documents.h"
#include "client/lsp/main_loop.h"
#include "client/lsp/worker.h"

namespace heddle::client::lsp {

// Of one finding: fixes of the texts as the check saw them.
struct ReadyFixes {
  std::map<std::string, std::string> texts;  // by path: those that the fixes edit
  std::vector<fix::Tried> proved;
};

class FixFinder {
 public:
  struct Question {
    v1::CheckRequest request;
    v1::Finding finding;
    std::set<std::string> open;
    uint64_t run = 0;  // of the check that reported the finding
    Snapshot texts;
  };
  explicit FixFinder(MainLoop& loop) : loop_(loop) {}
  ~FixFinder();
  FixFinder(const FixFinder&) = delete;
  FixFinder& operator=(const FixFinder&) = delete;

  // Replaces what it is looking for. Findings that this run has already tried are skipped.
  void look_for(std::vector<Question> questions);
  void stop();
  // Null: none yet, or none at all.
  const ReadyFixes* ready(const std::string& id) const;

 private:
  struct Control {  // shared with the finder's thread
    Cancellation cancellation;
    std::mutex mutex;
    Backend* backend = nullptr;  // guarded by mutex
  };
  void keep(const Question& question, fix::Found found);

  MainLoop& loop_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::shared_ptr<Control> control_;
  std::map<std::string, uint64_t> looked_at_;  // run of each finding whose search has ended
  std::map<std::string, ReadyFixes> ready_;
  Worker worker_;  // last: joined before what it uses goes
};

}  // namespace heddle::client::lsp
