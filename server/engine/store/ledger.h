// Stores what is verified, owed and open per target and settings, and reusable verdicts, job results and manifests.
// docs/LEDGER.md has the rules.
//
// In:      protobuf values by key.
// Out:     protobuf values by key, those of earlier sessions included.
// Cost:    a read is one look-up. Writes are collected, and commit() stores them in one transaction.
// Owns:    one SQLite database in the cache folder, or in memory without a folder. Several engines may share the file.
// Threads: one.
// Fails:   `notes` names every problem, and the check continues. A damaged file, or one of another format or another
//          user, is quarantined (renamed): that costs time, not truth. If the file cannot be read or written, reads
//          find nothing and writes stay in memory; a locked file is tried again. Every row carries the user's seal for
//          its place (seal.h).
// From:    docs/LEDGER.md, docs/SECURITY.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "heddle/v1/ledger.pb.h"
#include "server/engine/store/seal.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::engine {

enum class Table : uint8_t { Book, Verdict, Job, Manifest, Meta, Increment };

class Ledger {
 public:
  // `folder` empty: in memory only.
  explicit Ledger(const std::string& folder, Seal seal = Seal::of_user());
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  template <typename Message>
  std::optional<Message> get(Table table, const std::string& key) {
    const std::optional<std::string> bytes = read(table, key);
    Message message;
    if (!bytes || !message.ParseFromString(*bytes)) return std::nullopt;
    return message;
  }
  template <typename Message>
  void put(Table table, const std::string& key, const Message& message) {
    write(table, key, message.SerializeAsString());
  }
  void erase(Table table, const std::string& key);
  // False: it could not be read whole.
  bool for_each(Table table, const std::function<void(const std::string& key, const std::string& value)>& visit);

  // Writes what was put since the last commit. False: it could not be stored (see notes); it stays readable here.
  bool commit();
  // Resets the once-per-check limits: one wait for a locked file, one note about an unreadable one.
  void begin_check();
  // What went wrong since the last call, for people.
  std::vector<std::string> take_notes();
  const std::string& path() const { return path_; }

 private:
  struct Key {
    Table table;
    std::string key;
    auto operator<=>(const Key&) const = default;
  };
  std::optional<std::string> read(Table table, const std::string& key);
  void write(Table table, const std::string& key, std::string value);
  bool open();
  bool prepare_schema();
  bool has_tables();
  bool is_ours();
  bool mark_as_ours();
  void remove_links();
  bool connected();
  void report_unreadable(int code);
  void close();
  void set_aside(const std::string& why);
  bool run(const char* sql);
  void trim();

  std::string path_;
  Seal seal_;
  sqlite3* database_ = nullptr;
  std::map<Table, sqlite3_stmt*> readers_, writers_, erasers_;
  std::map<Key, std::optional<std::string>> pending_;  // nullopt: erased
  std::vector<std::string> notes_;
  std::string lasting_note_;  // repeated in every check
  uint64_t commits_ = 0;
  bool was_set_aside_ = false;    // quarantined once: after a second damage the disk is at fault
  bool locked_ = false;           // when it was opened last
  bool reported_unreadable_ = false;  // in this check
};

}  // namespace heddle::engine
