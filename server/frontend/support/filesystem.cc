// std::filesystem: operations and directory iterators over the calls of POSIX. A directory's names are read when an
// iterator begins. From: C++20 [filesystems]; the messages are libstdc++'s.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace std::filesystem {
inline namespace __cxx11 {

// ---- filesystem_error

struct filesystem_error::_Impl {
  path first, second;
  string text;
};

static string error_text(const char* what, const path* first, const path* second) {
  string text = "filesystem error: ";
  text += what;
  for (const path* named : {first, second})
    if (named) text += " [" + named->native() + "]";
  return text;
}
filesystem_error::filesystem_error(const string& what, error_code code)
    : system_error(code, what),
      _M_impl(std::make_shared<_Impl>(_Impl{{}, {}, error_text(system_error::what(), nullptr, nullptr)})) {}
filesystem_error::filesystem_error(const string& what, const path& first, error_code code)
    : system_error(code, what),
      _M_impl(std::make_shared<_Impl>(_Impl{first, {}, error_text(system_error::what(), &first, nullptr)})) {}
filesystem_error::filesystem_error(const string& what, const path& first, const path& second, error_code code)
    : system_error(code, what),
      _M_impl(std::make_shared<_Impl>(_Impl{first, second, error_text(system_error::what(), &first, &second)})) {}
filesystem_error::~filesystem_error() {}
const path& filesystem_error::path1() const noexcept { return _M_impl->first; }
const path& filesystem_error::path2() const noexcept { return _M_impl->second; }
const char* filesystem_error::what() const noexcept { return _M_impl->text.c_str(); }

// ---- directory iterators

struct _Dir {
  vector<directory_entry> entries;
  size_t index = 0;

  // False and an error if the directory cannot be read.
  bool read(const path& of, directory_options options, error_code& code) {
    code.clear();
    DIR* const opened = ::opendir(of.c_str());
    if (!opened) {
      const bool skipped =
          errno == EACCES && (options & directory_options::skip_permission_denied) != directory_options{};
      if (!skipped) code.assign(errno, generic_category());
      return false;
    }
    while (const dirent* found = ::readdir(opened)) {
      const string name = found->d_name;
      if (name == "." || name == "..") continue;
      entries.push_back(
          directory_entry(of / name, found->d_type == DT_DIR ? file_type::directory : file_type::regular));
    }
    ::closedir(opened);
    return true;
  }
  const directory_entry& entry() const { return entries[index]; }
};

directory_iterator::directory_iterator(const path& of, directory_options options, error_code* code) {
  error_code result;
  const auto made = std::make_shared<_Dir>();
  const bool read = made->read(of, options, result);
  if (code)
    *code = result;
  else if (result)
    throw filesystem_error("directory iterator cannot open directory", of, result);
  if (read && !made->entries.empty()) _M_dir = made;
}
const directory_entry& directory_iterator::operator*() const noexcept { return _M_dir->entry(); }
directory_iterator& directory_iterator::operator++() {
  if (!_M_dir)
    throw filesystem_error("cannot advance non-dereferenceable directory iterator",
                           make_error_code(errc::invalid_argument));
  if (++_M_dir->index == _M_dir->entries.size()) _M_dir.reset();
  return *this;
}
directory_iterator& directory_iterator::increment(error_code& code) {
  code.clear();
  return ++*this;
}

struct recursive_directory_iterator::_Dir_stack {
  vector<_Dir> open;
  directory_options options = directory_options::none;
  bool pending = true;
};

recursive_directory_iterator::recursive_directory_iterator(const path& of, directory_options options,
                                                           error_code* code) {
  error_code result;
  const auto made = std::make_shared<_Dir_stack>();
  made->options = options;
  made->open.emplace_back();
  const bool read = made->open.back().read(of, options, result);
  if (code)
    *code = result;
  else if (result)
    throw filesystem_error("recursive directory iterator cannot open directory", of, result);
  if (read && !made->open.back().entries.empty()) _M_dirs = made;
}
recursive_directory_iterator::~recursive_directory_iterator() = default;
recursive_directory_iterator& recursive_directory_iterator::operator=(const recursive_directory_iterator&) noexcept =
    default;
recursive_directory_iterator& recursive_directory_iterator::operator=(recursive_directory_iterator&&) noexcept =
    default;
directory_options recursive_directory_iterator::options() const noexcept { return _M_dirs->options; }
int recursive_directory_iterator::depth() const noexcept { return static_cast<int>(_M_dirs->open.size()) - 1; }
bool recursive_directory_iterator::recursion_pending() const noexcept { return _M_dirs->pending; }
void recursive_directory_iterator::disable_recursion_pending() noexcept { _M_dirs->pending = false; }
const directory_entry& recursive_directory_iterator::operator*() const noexcept { return _M_dirs->open.back().entry(); }
recursive_directory_iterator& recursive_directory_iterator::increment(error_code& code) {
  code.clear();
  vector<_Dir>& open = _M_dirs->open;
  const bool enters = std::__exchange(_M_dirs->pending, true) && open.back().entry().is_directory(code);
  if (enters) {
    _Dir inner;
    if (inner.read(open.back().entry().path(), _M_dirs->options, code) && !inner.entries.empty()) {
      open.push_back(std::move(inner));
      return *this;
    }
    if (code) {
      _M_dirs.reset();
      return *this;
    }
  }
  pop(code);  // of the entry: on to the one after it
  return *this;
}
recursive_directory_iterator& recursive_directory_iterator::operator++() {
  error_code code;
  increment(code);
  if (code) throw filesystem_error("cannot increment recursive directory iterator", code);
  return *this;
}
void recursive_directory_iterator::pop(error_code& code) {
  code.clear();
  vector<_Dir>& open = _M_dirs->open;
  while (!open.empty() && ++open.back().index == open.back().entries.size()) open.pop_back();
  if (open.empty()) _M_dirs.reset();
}
void recursive_directory_iterator::pop() {
  if (!_M_dirs)
    throw filesystem_error("non-dereferenceable recursive directory iterator in pop",
                           make_error_code(errc::invalid_argument));
  _M_dirs->open.pop_back();
  error_code code;
  if (_M_dirs->open.empty())
    _M_dirs.reset();
  else
    pop(code);
}
}  // namespace __cxx11

// ---- operations: each with an error code, and throwing

static bool set(error_code& code, bool failed) {
  if (failed)
    code.assign(errno, generic_category());
  else
    code.clear();
  return !failed;
}
static void check(const error_code& code, const char* what) {
  if (code) throw filesystem_error(what, code);
}
static void check(const error_code& code, const char* what, const path& first) {
  if (code) throw filesystem_error(what, first, code);
}
static void check(const error_code& code, const char* what, const path& first, const path& second) {
  if (code) throw filesystem_error(what, first, second, code);
}
static bool has(copy_options options, copy_options wanted) { return (options & wanted) != copy_options::none; }

file_status status(const path& of, error_code& code) noexcept {
  struct stat found;
  if (!set(code, ::stat(of.c_str(), &found) != 0)) {
    const bool absent = code.value() == ENOENT || code.value() == ENOTDIR;
    return file_status(absent ? file_type::not_found : file_type::none);
  }
  const file_type type = S_ISREG(found.st_mode)   ? file_type::regular
                         : S_ISDIR(found.st_mode) ? file_type::directory
                         : S_ISCHR(found.st_mode) ? file_type::character
                                                  : file_type::unknown;
  return file_status(type, static_cast<perms>(found.st_mode) & perms::mask);
}
file_status status(const path& of) {
  error_code code;
  const file_status result = status(of, code);
  if (result.type() == file_type::none) check(code, "status", of);
  return result;
}
file_status symlink_status(const path& of, error_code& code) noexcept { return status(of, code); }
file_status symlink_status(const path& of) { return status(of); }

uintmax_t file_size(const path& of, error_code& code) noexcept {
  struct stat found;
  if (!set(code, ::stat(of.c_str(), &found) != 0)) return static_cast<uintmax_t>(-1);
  if (S_ISREG(found.st_mode)) return static_cast<uintmax_t>(found.st_size);
  code = make_error_code(S_ISDIR(found.st_mode) ? errc::is_a_directory : errc::not_supported);
  return static_cast<uintmax_t>(-1);
}
uintmax_t hard_link_count(const path& of, error_code& code) noexcept {
  struct stat found;
  return set(code, ::stat(of.c_str(), &found) != 0) ? found.st_nlink : static_cast<uintmax_t>(-1);
}
file_time_type last_write_time(const path& of, error_code& code) noexcept {
  struct stat found;
  if (!set(code, ::stat(of.c_str(), &found) != 0)) return file_time_type::min();
  return file_time_type(chrono::seconds(found.st_mtim.tv_sec) - chrono::seconds(6437664000));
}
void last_write_time(const path& of, file_time_type, error_code& code) noexcept {
  set(code, ::utimensat(AT_FDCWD, of.c_str(), nullptr, 0) != 0);
}
bool equivalent(const path& a, const path& b, error_code& code) noexcept {
  struct stat first, second;
  const bool one = ::stat(a.c_str(), &first) == 0, other = ::stat(b.c_str(), &second) == 0;
  code.clear();
  if (one && other) return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  if (!one && !other) code = make_error_code(errc::no_such_file_or_directory);
  return false;
}
bool is_empty(const path& of, error_code& code) {
  if (status(of, code).type() != file_type::directory) return !code && file_size(of, code) == 0;
  const directory_iterator first(of, code);
  return first == directory_iterator();
}
path current_path(error_code& code) {
  char* const here = ::getcwd(nullptr, 0);
  path result;
  if (set(code, !here)) result = here;
  ::free(here);
  return result;
}
void current_path(const path& wanted, error_code& code) noexcept { set(code, ::chdir(wanted.c_str()) != 0); }
path absolute(const path& of, error_code& code) {
  code.clear();
  if (of.empty()) {
    code = make_error_code(errc::invalid_argument);
    return {};
  }
  return of.is_absolute() ? of : current_path(code) / of;
}
path canonical(const path& of, error_code& code) {
  char* const real = ::realpath(of.c_str(), nullptr);
  path result;
  if (set(code, !real)) result = real;
  ::free(real);
  return result;
}
path weakly_canonical(const path& of, error_code& code) {
  path there;
  auto part = of.begin();
  for (; part != of.end(); ++part) {
    const path longer = there / *part;
    if (!exists(status(longer, code))) break;
    there = longer;
  }
  code.clear();
  if (!there.empty()) there = canonical(there, code);
  for (; !code && part != of.end(); ++part) there /= *part;
  return there.lexically_normal();
}
path relative(const path& of, const path& base, error_code& code) {
  const path from = weakly_canonical(of, code);
  const path to = code ? path() : weakly_canonical(base, code);
  return code ? path() : from.lexically_relative(to);
}
path proximate(const path& of, const path& base, error_code& code) {
  const path from = weakly_canonical(of, code);
  const path to = code ? path() : weakly_canonical(base, code);
  return code ? path() : from.lexically_proximate(to);
}
path temp_directory_path(error_code& code) {
  path wanted = "/tmp";
  for (const char* name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char* value = ::getenv(name)) {
      wanted = value;
      break;
    }
  if (!is_directory(status(wanted, code))) {
    if (!code) code = make_error_code(errc::not_a_directory);
    return {};
  }
  return wanted;
}
space_info space(const path& of, error_code& code) noexcept {
  struct statvfs found;
  if (!set(code, ::statvfs(of.c_str(), &found) != 0)) return {uintmax_t(-1), uintmax_t(-1), uintmax_t(-1)};
  return {found.f_blocks * found.f_frsize, found.f_bfree * found.f_frsize, found.f_bavail * found.f_frsize};
}

bool create_directory(const path& of, error_code& code) noexcept {
  if (set(code, ::mkdir(of.c_str(), 0777) != 0)) return true;
  error_code ignored;
  if (code.value() == EEXIST && is_directory(status(of, ignored))) code.clear();
  return false;
}
bool create_directory(const path& of, const path&, error_code& code) noexcept { return create_directory(of, code); }
bool create_directories(const path& of, error_code& code) {
  if (of.empty()) {
    code = make_error_code(errc::invalid_argument);
    return false;
  }
  const file_status found = status(of, code);
  if (is_directory(found)) return false;
  if (exists(found)) {
    code = make_error_code(errc::not_a_directory);
    return false;
  }
  code.clear();
  const path parent = of.has_filename() ? of.parent_path() : of.parent_path().parent_path();
  if (!parent.empty() && parent != of) create_directories(parent, code);
  return !code && create_directory(of, code);
}
bool remove(const path& of, error_code& code) noexcept {
  if (set(code, ::remove(of.c_str()) != 0)) return true;
  if (code.value() == ENOENT) code.clear();
  return false;
}
uintmax_t remove_all(const path& of, error_code& code) {
  uintmax_t count = 0;
  if (is_directory(status(of, code)))
    for (directory_iterator at(of, code), end; !code && at != end; ++at) {
      count += remove_all(at->path(), code);
      if (code) return static_cast<uintmax_t>(-1);
    }
  if (code && code.value() != ENOENT) return static_cast<uintmax_t>(-1);
  count += remove(of, code);
  return code ? static_cast<uintmax_t>(-1) : count;
}
void rename(const path& from, const path& to, error_code& code) noexcept {
  set(code, ::rename(from.c_str(), to.c_str()) != 0);
}
void resize_file(const path& of, uintmax_t size, error_code& code) noexcept {
  set(code, ::truncate(of.c_str(), static_cast<off_t>(size)) != 0);
}
void permissions(const path& of, perms wanted, perm_options, error_code& code) noexcept {
  set(code, ::chmod(of.c_str(), static_cast<mode_t>(wanted)) != 0);
}
void create_symlink(const path& to, const path& link, error_code& code) noexcept {
  set(code, ::symlink(to.c_str(), link.c_str()) != 0);
}
void create_directory_symlink(const path& to, const path& link, error_code& code) noexcept {
  create_symlink(to, link, code);
}
void create_hard_link(const path& to, const path& link, error_code& code) noexcept {
  set(code, ::link(to.c_str(), link.c_str()) != 0);
}
path read_symlink(const path& of, error_code& code) {
  char text[4096];
  const ssize_t size = ::readlink(of.c_str(), text, sizeof text);
  return set(code, size < 0) ? path(string(text, static_cast<size_t>(size))) : path();
}
void copy_symlink(const path& from, const path& to, error_code& code) noexcept {
  create_symlink(read_symlink(from, code), to, code);
}

static bool copy_bytes(const path& from, const path& to, error_code& code) {
  const int in = ::open(from.c_str(), O_RDONLY);
  if (!set(code, in < 0)) return false;
  const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char bytes[4096];
  ssize_t size = -1;
  if (set(code, out < 0))
    while ((size = ::read(in, bytes, sizeof bytes)) > 0 && ::write(out, bytes, static_cast<size_t>(size)) == size) {}
  if (!code) set(code, size < 0);
  if (out >= 0) ::close(out);
  ::close(in);
  return !code;
}
bool copy_file(const path& from, const path& to, copy_options options, error_code& code) {
  const file_status source = status(from, code);
  if (code) return false;
  if (!is_regular_file(source)) {
    code = make_error_code(errc::not_supported);
    return false;
  }
  const file_status target = status(to, code);
  code.clear();
  if (!exists(target)) return copy_bytes(from, to, code);
  if (!is_regular_file(target)) {
    code = make_error_code(errc::not_supported);
    return false;
  }
  if (has(options, copy_options::skip_existing)) return false;
  if (has(options, copy_options::update_existing)) return false;  // all files are as old
  if (has(options, copy_options::overwrite_existing) && !equivalent(from, to, code)) return copy_bytes(from, to, code);
  code = make_error_code(errc::file_exists);
  return false;
}
void copy(const path& from, const path& to, copy_options options, error_code& code) {
  const file_status source = status(from, code);
  if (code) return;
  const file_status target = status(to, code);
  code.clear();
  if (is_regular_file(source)) {
    if (has(options, copy_options::directories_only)) return;
    if (has(options, copy_options::create_hard_links)) return create_hard_link(from, to, code);
    if (has(options, copy_options::create_symlinks)) return create_symlink(from, to, code);
    copy_file(from, is_directory(target) ? to / from.filename() : to, options, code);
    return;
  }
  if (is_regular_file(target)) {
    code = make_error_code(errc::is_a_directory);
    return;
  }
  if (has(options, copy_options::create_symlinks)) {
    code = make_error_code(errc::is_a_directory);
    return;
  }
  if (!has(options, copy_options::recursive) && options != copy_options::none) return;
  if (!exists(target)) create_directory(to, from, code);
  for (directory_iterator at(from, code), end; !code && at != end; ++at) {
    if (!has(options, copy_options::recursive) && at->is_directory()) continue;
    copy(at->path(), to / at->path().filename(), options, code);
  }
}

#define HEDDLE_THROWING(Result, name, parameters, arguments, ...) \
  Result name parameters {                                        \
    error_code code;                                              \
    Result result = name arguments;                               \
    check(code, __VA_ARGS__);                                     \
    return result;                                                \
  }
#define HEDDLE_THROWING_VOID(name, parameters, arguments, ...) \
  void name parameters {                                       \
    error_code code;                                           \
    name arguments;                                            \
    check(code, __VA_ARGS__);                                  \
  }
HEDDLE_THROWING(uintmax_t, file_size, (const path& p), (p, code), "cannot get file size", p)
HEDDLE_THROWING(uintmax_t, hard_link_count, (const path& p), (p, code), "cannot get link count", p)
HEDDLE_THROWING(file_time_type, last_write_time, (const path& p), (p, code), "cannot get file time", p)
HEDDLE_THROWING_VOID(last_write_time, (const path& p, file_time_type t), (p, t, code), "cannot set file time", p)
HEDDLE_THROWING(bool, equivalent, (const path& a, const path& b), (a, b, code), "cannot check file equivalence", a, b)
HEDDLE_THROWING(bool, is_empty, (const path& p), (p, code), "cannot check if file is empty", p)
HEDDLE_THROWING(path, current_path, (), (code), "cannot get current path")
HEDDLE_THROWING_VOID(current_path, (const path& p), (p, code), "cannot set current path")
HEDDLE_THROWING(path, absolute, (const path& p), (p, code), "cannot make absolute path", p)
HEDDLE_THROWING(path, canonical, (const path& p), (p, code), "cannot make canonical path", p)
HEDDLE_THROWING(path, weakly_canonical, (const path& p), (p, code), "cannot make canonical path", p)
HEDDLE_THROWING(path, relative, (const path& p, const path& base), (p, base, code), "cannot make canonical path", p)
HEDDLE_THROWING(path, proximate, (const path& p, const path& base), (p, base, code), "cannot make canonical path", p)
HEDDLE_THROWING(path, temp_directory_path, (), (code), "temp_directory_path")
HEDDLE_THROWING(space_info, space, (const path& p), (p, code), "cannot get free space", p)
HEDDLE_THROWING(bool, create_directory, (const path& p), (p, code), "cannot create directory", p)
HEDDLE_THROWING(bool, create_directory, (const path& p, const path& like), (p, like, code), "cannot create directory",
                p)
HEDDLE_THROWING(bool, create_directories, (const path& p), (p, code), "cannot create directories", p)
HEDDLE_THROWING(bool, remove, (const path& p), (p, code), "cannot remove", p)
HEDDLE_THROWING(uintmax_t, remove_all, (const path& p), (p, code), "cannot remove all", p)
HEDDLE_THROWING_VOID(rename, (const path& a, const path& b), (a, b, code), "cannot rename", a, b)
HEDDLE_THROWING_VOID(resize_file, (const path& p, uintmax_t size), (p, size, code), "cannot resize file", p)
HEDDLE_THROWING_VOID(permissions, (const path& p, perms wanted, perm_options o), (p, wanted, o, code),
                     "cannot set permissions", p)
HEDDLE_THROWING_VOID(create_symlink, (const path& a, const path& b), (a, b, code), "cannot create symlink", a, b)
HEDDLE_THROWING_VOID(create_directory_symlink, (const path& a, const path& b), (a, b, code),
                     "cannot create directory symlink", a, b)
HEDDLE_THROWING_VOID(create_hard_link, (const path& a, const path& b), (a, b, code), "cannot create hard link", a, b)
HEDDLE_THROWING(path, read_symlink, (const path& p), (p, code), "read_symlink", p)
HEDDLE_THROWING_VOID(copy_symlink, (const path& a, const path& b), (a, b, code), "cannot copy symlink", a, b)
HEDDLE_THROWING(bool, copy_file, (const path& a, const path& b, copy_options o), (a, b, o, code), "cannot copy file", a,
                b)
HEDDLE_THROWING_VOID(copy, (const path& a, const path& b, copy_options o), (a, b, o, code), "cannot copy", a, b)
#undef HEDDLE_THROWING
#undef HEDDLE_THROWING_VOID

}  // namespace std::filesystem

template class std::__shared_ptr<std::filesystem::_Dir>;
template class std::__shared_ptr<std::filesystem::recursive_directory_iterator::_Dir_stack>;
