// Parts of a search as files of a folder that several machines share (`heddle nightly --slurm`).
//
// In:      the folder; parts with their numbers; a worker's name, which no other worker has.
// Out:     `RUN-N.part`: a part that waits; `RUN-N.part.WORKER`: one that a worker took; `RUN-N.result`: its result,
//          written once, by rename. RUN is of the process that divides: what a worker gives back to one that died
//          belongs to no part of the next. `over`: the search has ended.
// Cost:    a listing of the folder per question.
// Owns:    the folder's contents, on the side that divides.
// Threads: one per object. Several processes may take parts at once: a rename decides who has one.
// Fails:   by value: files that cannot be written, or say something else, are as if they were not there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/explorer.pb.h"

namespace heddle::engine {

class PartFolder {
 public:
  explicit PartFolder(std::string path);

  // The side that divides.
  bool clear();  // false: it cannot be written
  bool offer(uint64_t number, const v1::SearchPart& part);
  bool withdraw(uint64_t number);  // false: a worker has it
  struct Contents {
    std::set<uint64_t> waiting;
    std::map<uint64_t, std::string> results;  // the files' paths
  };
  Contents look() const;
  std::optional<v1::JobResult> result(const std::string& path) const;  // the file goes away
  void end();

  // The side that explores.
  bool over() const;
  struct Taken {
    std::string name;  // RUN-N
    v1::SearchPart part;
  };
  std::vector<Taken> take(const std::string& worker);  // some of those that wait
  bool give(const std::string& name, const v1::JobResult& result, const std::string& worker);

 private:
  std::string file(const std::string& name, const char* kind) const { return path_ + "/" + name + kind; }
  std::string file(uint64_t number, const char* kind) const { return file(run_ + std::to_string(number), kind); }
  std::optional<uint64_t> number_of(const std::string& name, const std::string& kind) const;
  std::string path_, run_;
};

}  // namespace heddle::engine
