#include "server/engine/store/ledger.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/base/clock.h"

namespace heddle::engine {

namespace {

constexpr int kSchemaVersion = 3;
constexpr int kBusyMs = 1000;  // others write within milliseconds

struct TableInfo {
  Table table;
  const char* name;
  int rows_max;  // least recently written go first; 0: all stay
};
constexpr std::array<TableInfo, 6> kTables{{{Table::Book, "book", 0},
                                            {Table::Verdict, "verdict", 500},
                                            {Table::Job, "job", 5000},
                                            {Table::Manifest, "manifest", 5000},
                                            {Table::Meta, "meta", 0},
                                            {Table::Increment, "increment", 2000}}};

const char* name_of(Table table) { return kTables[static_cast<size_t>(table)].name; }

std::string column(sqlite3_stmt* statement, int n) {
  const void* data = sqlite3_column_blob(statement, n);
  return std::string(static_cast<const char*>(data),
                     data ? static_cast<size_t>(sqlite3_column_bytes(statement, n)) : 0);
}

bool is_damage(int code) {
  const int primary = code & 0xff;
  return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

bool is_locked(int code) { return (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED; }

// Of the file: it was written with the key.
constexpr const char* kOwnerKey = "owner";
constexpr const char* kOwner = "this user";

// What a row's value is sealed for.
std::string place_of(const char* table, const std::string& key) { return std::string(table) + '\0' + key; }

const char* remedy(int code) { return is_locked(code) ? "end the other program that uses " : "free some space in "; }

}  // namespace

Ledger::Ledger(const std::string& folder, Seal seal)
    : path_(folder.empty() ? ":memory:" : folder + "/ledger.sqlite"), seal_(seal) {
  if (open() || locked_) return;
  if (database_ && is_damage(sqlite3_extended_errcode(database_))) set_aside(sqlite3_errmsg(database_));
  if (database_ && readers_.size() == kTables.size()) return;
  close();
  if (open()) return;
  close();
  lasting_note_ = "the ledger " + path_ + " cannot be opened: nothing is remembered for the next check";
  path_ = ":memory:";
  open();
}

Ledger::~Ledger() { close(); }

void Ledger::close() {
  for (auto* statements : {&readers_, &writers_, &erasers_}) {
    for (auto& [table, statement] : *statements) sqlite3_finalize(statement);
    statements->clear();
  }
  sqlite3_close(database_);
  database_ = nullptr;
}

bool Ledger::run(const char* sql) { return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

// A database is no link; SQLite would write to what it names.
void Ledger::remove_links() {
  if (path_ == ":memory:") return;
  for (const char* part : {"", "-wal", "-shm", "-journal", ".damaged"}) {
    const std::string file = path_ + part;
    struct stat info{};
    if (::lstat(file.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && ::unlink(file.c_str()) == 0)
      notes_.push_back(file + " was a link and was removed");
  }
}

bool Ledger::open() {
  remove_links();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(path_.c_str(), &database_, flags, nullptr) != SQLITE_OK) {
    close();
    return false;
  }
  sqlite3_busy_timeout(database_, reported_unreadable_ ? 0 : kBusyMs);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  locked_ = false;
  if (prepare_schema()) return true;
  const int code = sqlite3_extended_errcode(database_);
  locked_ = database_ && is_locked(code);
  if (!is_damage(code)) close();
  return false;
}

bool Ledger::connected() { return database_ || (locked_ && open()); }

// Once a check: a second wait would only delay it more.
void Ledger::report_unreadable(int code) {
  if (std::exchange(reported_unreadable_, true)) return;
  notes_.push_back("the ledger " + path_ + " could not be read (" + sqlite3_errstr(code) +
                   "): what was verified before is not known to this check");
  if (database_) sqlite3_busy_timeout(database_, 0);
}

bool Ledger::has_tables() {
  return std::all_of(kTables.begin(), kTables.end(), [&](const TableInfo& table) {
    sqlite3_stmt* statement = nullptr;
    const std::string sql = std::string("SELECT 1 FROM ") + table.name;
    const bool has = sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
    sqlite3_finalize(statement);
    return has;
  });
}

bool Ledger::mark_as_ours() {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, "INSERT OR REPLACE INTO meta VALUES(?,?,0)", -1, &statement, nullptr) != SQLITE_OK)
    return false;
  const std::string value = seal_.close(place_of("meta", kOwnerKey), kOwner);
  sqlite3_bind_text(statement, 1, kOwnerKey, -1, SQLITE_STATIC);
  sqlite3_bind_blob64(statement, 2, value.data(), value.size(), SQLITE_STATIC);
  const bool good = sqlite3_step(statement) == SQLITE_DONE;
  sqlite3_finalize(statement);
  return good;
}

bool Ledger::is_ours() {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, "SELECT value FROM meta WHERE key=?", -1, &statement, nullptr) != SQLITE_OK)
    return false;
  sqlite3_bind_text(statement, 1, kOwnerKey, -1, SQLITE_STATIC);
  const bool ours =
      sqlite3_step(statement) == SQLITE_ROW && seal_.open(place_of("meta", kOwnerKey), column(statement, 0)) == kOwner;
  sqlite3_finalize(statement);
  return ours;
}

bool Ledger::prepare_schema() {
  if (!run("PRAGMA journal_mode=WAL") || !run("PRAGMA synchronous=NORMAL")) return false;
  sqlite3_stmt* version = nullptr;
  if (sqlite3_prepare_v2(database_, "PRAGMA user_version", -1, &version, nullptr) != SQLITE_OK) return false;
  const int found = sqlite3_step(version) == SQLITE_ROW ? sqlite3_column_int(version, 0) : -1;
  sqlite3_finalize(version);
  if (found < 0) return false;
  if (found != 0 && found != kSchemaVersion) {
    set_aside("it has the format " + std::to_string(found) + ", this build writes " + std::to_string(kSchemaVersion));
    return database_ != nullptr;
  }
  // A table that this build has and the file has not is added: older builds do not look at it.
  if (found == 0 || !has_tables()) {
    std::string sql = "BEGIN IMMEDIATE;";
    for (const TableInfo& table : kTables)
      sql += std::string("CREATE TABLE IF NOT EXISTS ") + table.name +
             "(key TEXT PRIMARY KEY, value BLOB NOT NULL, written INTEGER NOT NULL);";
    sql += "PRAGMA user_version=" + std::to_string(kSchemaVersion) + ";";
    if (!run(sql.c_str())) return false;
    if ((found == 0 && !mark_as_ours()) || !run("COMMIT")) {
      run("ROLLBACK");
      return false;
    }
  }
  if (!is_ours()) {
    set_aside("it came with the checkout, or another user wrote it: it does not have this user's key");
    return database_ != nullptr;
  }
  for (const TableInfo& table : kTables) {
    const std::string name = table.name;
    const std::string read = "SELECT value FROM " + name + " WHERE key=?";
    const std::string write = "INSERT OR REPLACE INTO " + name + " VALUES(?,?,?)";
    const std::string erase = "DELETE FROM " + name + " WHERE key=?";
    if (sqlite3_prepare_v2(database_, read.c_str(), -1, &readers_[table.table], nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(database_, write.c_str(), -1, &writers_[table.table], nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(database_, erase.c_str(), -1, &erasers_[table.table], nullptr) != SQLITE_OK)
      return false;
  }
  return true;
}

// The file is kept under another name for the user to look at; a new one takes its place.
void Ledger::set_aside(const std::string& why) {
  close();
  if (path_ == ":memory:" || std::exchange(was_set_aside_, true)) return;
  const std::string aside = path_ + ".damaged";
  notes_.push_back("the ledger could not be used (" + why + "); it was renamed to " + aside +
                   " and everything is owed again");
  ::rename(path_.c_str(), aside.c_str());
  ::remove((path_ + "-wal").c_str());
  ::remove((path_ + "-shm").c_str());
  open();
}

std::optional<std::string> Ledger::read(Table table, const std::string& key) {
  if (const auto pending = pending_.find({table, key}); pending != pending_.end()) return pending->second;
  if (!connected()) {
    if (locked_) report_unreadable(SQLITE_BUSY);
    return std::nullopt;
  }
  sqlite3_stmt* statement = readers_[table];
  sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
  std::optional<std::string> value;
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW) value = seal_.open(place_of(name_of(table), key), column(statement, 0));
  sqlite3_reset(statement);
  if (is_damage(code))
    set_aside(sqlite3_errstr(code));
  else if (code != SQLITE_ROW && code != SQLITE_DONE)
    report_unreadable(code);
  return value;
}

void Ledger::write(Table table, const std::string& key, std::string value) {
  pending_[{table, key}] = std::move(value);
}

void Ledger::erase(Table table, const std::string& key) { pending_[{table, key}] = std::nullopt; }

bool Ledger::for_each(Table table, const std::function<void(const std::string&, const std::string&)>& visit) {
  std::map<std::string, std::string> rows;
  sqlite3_stmt* statement = nullptr;
  const std::string sql = std::string("SELECT key, value FROM ") + name_of(table);
  bool good = connected() && sqlite3_prepare_v2(database_, sql.c_str(), -1, &statement, nullptr) == SQLITE_OK;
  while (good && sqlite3_step(statement) == SQLITE_ROW) {
    const std::string key = column(statement, 0);
    if (table == Table::Meta && key == kOwnerKey) continue;
    if (auto value = seal_.open(place_of(name_of(table), key), column(statement, 1))) rows[key] = *std::move(value);
  }
  good = sqlite3_finalize(statement) == SQLITE_OK && good;
  for (const auto& [at, value] : pending_) {
    if (at.table != table) continue;
    if (value)
      rows[at.key] = *value;
    else
      rows.erase(at.key);
  }
  for (const auto& [key, value] : rows) visit(key, value);
  return good;
}

bool Ledger::commit() {
  if (pending_.empty()) return true;
  bool good = connected() && run("BEGIN IMMEDIATE");
  const int64_t written = base::unix_ms();
  for (auto at = pending_.begin(); good && at != pending_.end(); ++at) {
    const auto& [key, value] = *at;
    sqlite3_stmt* statement = value ? writers_[key.table] : erasers_[key.table];
    sqlite3_bind_text(statement, 1, key.key.data(), static_cast<int>(key.key.size()), SQLITE_STATIC);
    const std::string sealed = value ? seal_.close(place_of(name_of(key.table), key.key), *value) : "";
    if (value) {
      sqlite3_bind_blob64(statement, 2, sealed.data(), sealed.size(), SQLITE_STATIC);
      sqlite3_bind_int64(statement, 3, written);
    }
    good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
  }
  good = good && run("COMMIT");
  if (!good) {
    const int code = database_ ? sqlite3_extended_errcode(database_) : locked_ ? SQLITE_BUSY : SQLITE_CANTOPEN;
    const std::string why = sqlite3_errstr(code);
    if (database_) run("ROLLBACK");
    if (is_damage(code)) {
      set_aside(why);
      return database_ && commit();
    }
    notes_.push_back("the ledger cannot be written (" + why + "): after a restart this check has to be done again; " +
                     remedy(code) + path_);
    return false;
  }
  pending_.clear();
  if (++commits_ % 100 == 0) trim();
  return true;
}

void Ledger::trim() {
  for (const TableInfo& table : kTables) {
    if (table.rows_max == 0) continue;
    const std::string name = table.name;
    run(("DELETE FROM " + name + " WHERE written < (SELECT written FROM " + name +
         " ORDER BY written DESC LIMIT 1 OFFSET " + std::to_string(table.rows_max) + ")")
            .c_str());
  }
}

void Ledger::begin_check() {
  reported_unreadable_ = false;
  if (database_) sqlite3_busy_timeout(database_, kBusyMs);
}

std::vector<std::string> Ledger::take_notes() {
  std::vector<std::string> notes = std::exchange(notes_, {});
  if (!lasting_note_.empty()) notes.push_back(lasting_note_);
  return notes;
}

}  // namespace heddle::engine
