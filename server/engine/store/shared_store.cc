#include "server/engine/store/shared_store.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/content_hash.h"
#include "server/disk/read.h"
#include "server/disk/user_state.h"

namespace heddle::engine {
namespace {

constexpr const char* kFormat = "1";

std::string hex(uint64_t value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t n = 16; n-- > 0; value >>= 4) text[n] = kDigits[value & 15];
  return text;
}

std::string checksum(const std::string& key, const std::string& value) {
  const base::ContentHash hash = base::content_hash(key + '\0' + value);
  return hex(hash.high) + hex(hash.low);
}

// A name for SQLite, in which no character has a meaning of its own.
std::string uri_of(const std::string& path) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
    if (plain)
      uri += c;
    else
      uri += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return uri;
}

// The linker's note in this program: a hash of all that was linked. Empty: there is none.
std::string linker_build_id() {
  std::string id;
  const auto look = [](dl_phdr_info* info, size_t, void* data) {
    for (ElfW(Half) n = 0; n < info->dlpi_phnum; ++n) {
      const ElfW(Phdr)& part = info->dlpi_phdr[n];
      if (part.p_type != PT_NOTE) continue;
      const char* at = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
      for (const char* const end = at + part.p_memsz; at + sizeof(ElfW(Nhdr)) <= end;) {
        const auto* const note = reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* const name = at + sizeof *note;
        const char* const bytes = name + (note->n_namesz + 3) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && std::string_view(name, note->n_namesz) == std::string_view("GNU", 4))
          static_cast<std::string*>(data)->assign(bytes, note->n_descsz);
        at = bytes + (note->n_descsz + 3) / 4 * 4;
      }
    }
    return 1;  // the program itself comes first
  };
  dl_iterate_phdr(look, &id);
  const base::ContentHash hash = base::content_hash(id);
  return id.empty() ? "" : hex(hash.high) + hex(hash.low);
}

class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    if (database != nullptr) sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  void bind(int n, const std::string& value) {
    sqlite3_bind_blob64(statement_, n, value.data(), value.size(), SQLITE_TRANSIENT);
  }
  int step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }
  std::string column(int n) {
    const void* const data = sqlite3_column_blob(statement_, n);
    const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, n));
    return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

std::string chosen_store() { return disk::chosen_store(); }

std::string build_of_engine() {
  static const std::string build = [] {
    if (std::string id = linker_build_id(); !id.empty()) return id;
    constexpr uint64_t kProgramMost = uint64_t{4} << 30;
    const int fd = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const auto bytes = fd < 0 ? std::nullopt : disk::read_descriptor(fd, kProgramMost);
    if (fd >= 0) ::close(fd);
    const base::ContentHash hash = base::content_hash(bytes.value_or(""));
    return hex(hash.high) + hex(hash.low);
  }();
  return build;
}

SharedStore::SharedStore(const std::string& path, Use use) : file_(path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) file_ += std::string("/") + kFileName;
  open(use);
  if (problem_.empty()) check_build(use);
}

SharedStore::~SharedStore() { sqlite3_close(database_); }

void SharedStore::give_up(const std::string& why) {
  problem_ = "the shared store " + file_ + " is not used: " + why;
  sqlite3_close(database_);
  database_ = nullptr;
}

bool SharedStore::run(const std::string& sql) {
  return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

void SharedStore::open(Use use) {
  struct stat info{};
  const bool there = ::stat(file_.c_str(), &info) == 0;
  if (!there && use == Use::Read) return give_up("it is not there; `heddle cache use` names another one, or none");
  if (there && !S_ISREG(info.st_mode)) return give_up("it is no file");
  if (use == Use::Read && ::access(file_.c_str(), R_OK) != 0) return give_up("you may not read it");
  const int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX |
                    (use == Use::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // Nothing changes the file while it is read: export replaces rows, and readers look at it for a moment.
  const std::string uri = uri_of(file_) + (use == Use::Read ? "?mode=ro" : "");
  if (sqlite3_open_v2(uri.c_str(), &database_, flags, nullptr) != SQLITE_OK) return give_up("it cannot be opened");
  sqlite3_busy_timeout(database_, 1000);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  if (use == Use::Read) return;
  if (!run("CREATE TABLE IF NOT EXISTS meta(key BLOB PRIMARY KEY, value BLOB NOT NULL);"
           "CREATE TABLE IF NOT EXISTS verdict(key BLOB PRIMARY KEY, sum BLOB NOT NULL, value BLOB NOT NULL);"))
    give_up(std::string("it cannot be written (") + sqlite3_errmsg(database_) + ")");
}

void SharedStore::check_build(Use use) {
  const std::string build = std::string(kFormat) + " " + build_of_engine();
  std::string found;
  int code = SQLITE_OK;
  {
    Statement read(database_, "SELECT value FROM meta WHERE key=?");
    read.bind(1, "build");
    code = read.step();
    if (code == SQLITE_ROW) found = read.column(0);
  }
  if (code != SQLITE_ROW && code != SQLITE_DONE) return give_up("it is broken, or no store");
  if (found == build) return;
  if (use == Use::Read) return give_up("another build of Heddle wrote it; export it again with this one");
  Statement write(database_, "INSERT OR REPLACE INTO meta VALUES(?,?)");
  write.bind(1, "build");
  write.bind(2, build);
  if (!run("DELETE FROM verdict") || write.step() != SQLITE_DONE)
    give_up(std::string("it cannot be written (") + sqlite3_errmsg(database_) + ")");
}

std::optional<v1::VerdictRecord> SharedStore::get(const std::string& key) {
  if (database_ == nullptr) return std::nullopt;
  Statement read(database_, "SELECT sum,value FROM verdict WHERE key=?");
  read.bind(1, key);
  const int code = read.step();
  if (code == SQLITE_DONE) return std::nullopt;
  const std::string sum = code == SQLITE_ROW ? read.column(0) : "", value = code == SQLITE_ROW ? read.column(1) : "";
  v1::VerdictRecord record;
  if (code == SQLITE_ROW && sum == checksum(key, value) && record.ParseFromString(value)) return record;
  problem_ = "the shared store " + file_ + " is not used: it is broken";
  return std::nullopt;
}

bool SharedStore::put(const std::string& key, const v1::VerdictRecord& record) {
  if (database_ == nullptr) return false;
  const std::string value = record.SerializeAsString();
  Statement write(database_, "INSERT OR REPLACE INTO verdict VALUES(?,?,?)");
  write.bind(1, key);
  write.bind(2, checksum(key, value));
  write.bind(3, value);
  if (write.step() == SQLITE_DONE) return true;
  problem_ = "the shared store " + file_ + " cannot be written (" + sqlite3_errmsg(database_) + ")";
  return false;
}

}  // namespace heddle::engine
