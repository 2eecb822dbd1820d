// Verdicts that a team shares: one file, written by `heddle cache export`, read by the engines of all users.
//
// In:      the path of the file, or of a folder that holds it under kFileName. The user chose it; a checkout cannot.
// Out:     a verdict by the key of its subject (portable.h). Every path of the project has a form that holds in any
//          folder.
// Cost:    opening it, and one look-up.
// Owns:    one SQLite database, open for reading unless it is written.
// Threads: one.
// Fails:   problem() says why the store is not used: it is not there, cannot be read, is broken, or was written by
//          another build of Heddle. get() then finds nothing. A row whose checksum is wrong counts as absent and is a
//          problem, too.
#pragma once

#include <optional>
#include <string>

#include "heddle/v1/ledger.pb.h"

struct sqlite3;

namespace heddle::engine {

class SharedStore {
 public:
  static constexpr const char* kFileName = "heddle-store.sqlite";
  enum class Use : uint8_t { Read, Write };

  SharedStore(const std::string& path, Use use);
  ~SharedStore();
  SharedStore(const SharedStore&) = delete;
  SharedStore& operator=(const SharedStore&) = delete;

  std::optional<v1::VerdictRecord> get(const std::string& key);
  bool put(const std::string& key, const v1::VerdictRecord& record);
  const std::string& file() const { return file_; }
  const std::string& problem() const { return problem_; }

 private:
  void open(Use use);
  void check_build(Use use);
  bool run(const std::string& sql);
  void give_up(const std::string& why);

  std::string file_, problem_;
  sqlite3* database_ = nullptr;
};

// The store that the user chose; empty: none.
std::string chosen_store();

// The bytes of this program: verdicts of another build are not believed.
std::string build_of_engine();

}  // namespace heddle::engine
