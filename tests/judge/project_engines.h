// Two engines and their projects: one is given the versions of a program one after the other, as a developer's is; the
// other is asked for everything of one version, in a folder and a cache that have nothing else.
//
// In:      versions of a project; how each is checked. Out: verdicts.
// Owns:    processes. Threads: one.
// Fails:   an engine that dies or says nothing: Kind::None, with why.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/engine/harness.h"
#include "tests/judge/project_layout.h"

namespace heddle::judge {

struct Answer {
  enum class Kind { None, Clear, Findings, Inconclusive, Error };
  struct Error {  // a finding
    std::string id, rule, object, place, message;
    bool consequence = false;  // of a race: looked for as long as there is time
  };
  Kind kind = Kind::None;
  std::vector<Error> findings;
  std::string message;  // of the verdict, with its limits
};
std::string text(const Answer& answer);

enum class Writing { InPlace, Renamed, SameTime };  // how a file is written; SameTime: its time stays, as tar leaves it

// A limit of one check only, or another way to ask.
struct Asked {
  double seconds = 0;         // time limit; 0: none
  uint64_t instructions = 0;  // of a thread, by the engine's environment; 0: as always
  bool full = false;
  bool restart = false, kill = false;  // the engine, before it is asked
  Writing writing = Writing::InPlace;
};

class ProjectFolderState {  // writes only what differs from what it wrote before
 public:
  explicit ProjectFolderState(std::string path) : path_(std::move(path)) {}
  void become(const Project& project, const std::vector<std::string>& removed, bool touch,
              Writing writing = Writing::InPlace);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Project now_;
};

class Engines {
 public:
  explicit Engines(std::string home);  // a folder for what they need
  ~Engines();
  void begin();  // a new program
  Answer check(const Project& project, const std::vector<std::string>& removed, const Asked& asked, bool touch);
  // `apart`: by a process that has seen nothing before.
  Answer everything(const Project& project, const std::vector<std::string>& removed, bool apart);

 private:
  using EngineProcess = engine::test::EngineProcess;
  std::unique_ptr<EngineProcess> start(const std::string& cache, uint64_t instructions) const;
  Answer ask(EngineProcess& engine, const std::string& root, const Asked& asked) const;
  std::string fresh(const char* name);

  std::string home_;
  std::unique_ptr<EngineProcess> developers_, judges_;
  uint64_t developers_instructions_ = 0;
  std::unique_ptr<ProjectFolderState> folder_;
  std::string cache_;
  uint64_t folders_ = 0, judged_ = 0;
};

}  // namespace heddle::judge
