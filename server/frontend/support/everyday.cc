// What many programs call in passing: names with 64 in them, files named from an open folder, limits, users, locales,
// names of hosts. With posix.cc one text. There is one user, one host and one locale.
#include <cstddef>
#include <cstdio>

#include <arpa/inet.h>
#include <dirent.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <grp.h>
#include <locale.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>

extern "C" {
// Never defined: a call ends the path, and the verdict says so.
int in_an_open_directory() __asm__("a file named from an open directory");
int other_prctl() __asm__("prctl of another kind");
int other_locale() __asm__("a locale of another name");
int other_user() __asm__("a user or group of another name");
int given_stack() __asm__("a stack that the program gives to a thread (pthread_attr_setstack)");
int place_of_stack() __asm__("where the stack of a thread lies (pthread_attr_getstack)");
}

static passwd the_user;
static group the_group;
static char root_name[] = "root", root_home[] = "/root";
static char user_name[] = "user", user_home[] = "/home/user", user_shell[] = "/bin/sh", no_text[] = "";
static char* no_members[] = {nullptr};
static __locale_struct classic_locale;
static thread_local locale_t used_locale = LC_GLOBAL_LOCALE;

namespace {

int is_here(int folder, const char* name) { return folder == AT_FDCWD || *name == '/' ? 0 : in_an_open_directory(); }

bool fill_user(passwd& user, uid_t id) {
  if (id != 0 && id != getuid()) return other_user() != 0;
  if (id == 0)
    user = {root_name, no_text, 0, 0, no_text, root_home, user_shell};
  else
    user = {user_name, no_text, id, getgid(), no_text, user_home, user_shell};
  return true;
}
bool fill_user(passwd& user, const char* name) {
  if (strcmp(name, root_name) == 0) return fill_user(user, uid_t{0});
  return strcmp(name, user_name) == 0 ? fill_user(user, getuid()) : other_user() != 0;
}
bool fill_group(group& made, gid_t id) {
  if (id != 0 && id != getgid()) return other_user() != 0;
  made = {id == 0 ? root_name : user_name, no_text, id, no_members};
  return true;
}

int copy_text(const char* from, char* to, size_t size) {
  if (strlen(from) >= size) return ERANGE;
  strcpy(to, from);
  return 0;
}

// The names of a folder that `wanted` takes, sorted; -1: it cannot be opened. Each is allocated, and so is the list.
template <typename Wanted, typename Compare>
int list_folder(const char* folder, dirent*** list, Wanted wanted, Compare compare) {
  DIR* const open = opendir(folder);
  if (open == nullptr) return -1;
  dirent** all = nullptr;
  int count = 0;
  while (dirent* const one = readdir(open)) {
    if (!wanted(one)) continue;
    all = static_cast<dirent**>(realloc(all, sizeof(dirent*) * static_cast<size_t>(count + 1)));
    all[count] = static_cast<dirent*>(malloc(sizeof(dirent)));
    memcpy(all[count], one, offsetof(dirent, d_name) + strlen(one->d_name) + 1);
    int at = count++;
    for (; at > 0 && compare(const_cast<const dirent**>(&all[at - 1]), const_cast<const dirent**>(&all[at])) > 0;
         --at) {
      dirent* const other = all[at];
      all[at] = all[at - 1];
      all[at - 1] = other;
    }
  }
  closedir(open);
  *list = all;
  return count;
}

void free_list(dirent** list, int count) {
  for (int n = 0; n < count; ++n) free(list[n]);
  free(list);
}

// --- glob ---

void add_path(glob_t& found, const char* path) {
  const size_t at = found.gl_offs + found.gl_pathc;
  found.gl_pathv = static_cast<char**>(realloc(found.gl_pathv, sizeof(char*) * (at + 2)));
  if (found.gl_pathc == 0)
    for (size_t n = 0; n < at; ++n) found.gl_pathv[n] = nullptr;
  found.gl_pathv[at] = strdup(path);
  found.gl_pathv[at + 1] = nullptr;
  ++found.gl_pathc;
}

bool has_wildcards(const char* text) { return strpbrk(text, "*?[") != nullptr; }

// `path` is what is settled, with the slash after it.
void match_paths(const char* path, const char* pattern, int flags, glob_t& found) {
  char part[NAME_MAX + 1], next[PATH_MAX];
  const char* const end = strchrnul(pattern, '/');
  const size_t size = static_cast<size_t>(end - pattern);
  if (size > NAME_MAX || strlen(path) + size + 2 > sizeof next) return;
  memcpy(part, pattern, size);
  part[size] = '\0';
  const char* const rest = *end == '/' ? end + 1 : nullptr;
  const auto enter = [&](const char* name) {
    struct stat about;
    sprintf(next, "%s%s", path, name);
    if (stat(next, &about) != 0 && *name != '\0') return;
    if (rest == nullptr) return add_path(found, next);
    if (*name != '\0' && !S_ISDIR(about.st_mode)) return;
    strcat(next, "/");
    char settled[PATH_MAX];
    strcpy(settled, next);
    match_paths(settled, rest, flags, found);
  };
  if (!has_wildcards(part)) return enter(part);
  dirent** list = nullptr;
  const auto wanted = [&](const dirent* one) { return fnmatch(part, one->d_name, FNM_PERIOD) == 0; };
  const int count = list_folder(*path == '\0' ? "." : path, &list, wanted, alphasort);
  for (int n = 0; n < count; ++n) enter(list[n]->d_name);
  if (count >= 0) free_list(list, count);
}

// --- trees of folders ---

struct Walk {
  int (*plain)(const char*, const struct stat*, int);
  int (*wide)(const char*, const struct stat*, int, FTW*);
  int flags;
};

int call_for(const Walk& walk, const char* path, const struct stat& about, int kind, int level) {
  if (walk.plain != nullptr) return walk.plain(path, &about, kind == FTW_DP ? FTW_D : kind);
  const char* const name = strrchr(path, '/');
  FTW place = {name == nullptr ? 0 : static_cast<int>(name + 1 - path), level};
  return walk.wide(path, &about, kind, &place);
}

int walk_tree(const Walk& walk, const char* path, int level) {
  struct stat about = {};
  if (stat(path, &about) != 0) return level == 0 ? -1 : call_for(walk, path, about, FTW_NS, level);
  if (!S_ISDIR(about.st_mode)) return call_for(walk, path, about, FTW_F, level);
  const bool later = walk.wide != nullptr && (walk.flags & FTW_DEPTH);
  if (!later)
    if (const int result = call_for(walk, path, about, FTW_D, level); result != 0) return result;
  dirent** list = nullptr;
  const auto wanted = [](const dirent* one) { return strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0; };
  const int count = list_folder(path, &list, wanted, alphasort);
  int result = 0;
  for (int n = 0; n < count && result == 0; ++n) {
    char inner[PATH_MAX];
    sprintf(inner, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", list[n]->d_name);
    result = walk_tree(walk, inner, level + 1);
  }
  if (count >= 0) free_list(list, count);
  return result == 0 && later ? call_for(walk, path, about, FTW_DP, level) : result;
}

// --- hosts ---

struct Answer {
  addrinfo info;
  sockaddr_storage address;
};

bool read_host(const char* host, int flags, int family, sockaddr_storage& to) {
  auto* const four = reinterpret_cast<sockaddr_in*>(&to);
  auto* const six = reinterpret_cast<sockaddr_in6*>(&to);
  to = {};
  to.ss_family = static_cast<sa_family_t>(family);
  const bool local = host != nullptr && strcmp(host, "localhost") == 0 && !(flags & AI_NUMERICHOST);
  if (host == nullptr || local) {
    const bool any = host == nullptr && (flags & AI_PASSIVE);
    if (family == AF_INET) four->sin_addr.s_addr = htonl(any ? INADDR_ANY : INADDR_LOOPBACK);
    if (family == AF_INET6) six->sin6_addr = any ? in6addr_any : in6addr_loopback;
    return true;
  }
  return inet_pton(family, host, family == AF_INET ? static_cast<void*>(&four->sin_addr) : &six->sin6_addr) == 1;
}

bool is_own(pid_t process) { return process == 0 || process == getpid(); }

}  // namespace

extern "C" {

int stat64(const char* name, struct stat64* to) { return stat(name, reinterpret_cast<struct stat*>(to)); }
int lstat64(const char* name, struct stat64* to) { return lstat(name, reinterpret_cast<struct stat*>(to)); }
int fstat64(int number, struct stat64* to) { return fstat(number, reinterpret_cast<struct stat*>(to)); }
int fstatat64(int folder, const char* name, struct stat64* to, int flags) {
  return fstatat(folder, name, reinterpret_cast<struct stat*>(to), flags);
}
int ftruncate64(int number, off64_t size) { return ftruncate(number, size); }
int mkstemp64(char* name) { return mkstemp(name); }
int mkostemp(char* name, int) { return mkstemp(name); }
int mkostemp64(char* name, int) { return mkstemp(name); }
int getrlimit64(__rlimit_resource_t what, struct rlimit64* to) {
  return getrlimit(what, reinterpret_cast<struct rlimit*>(to));
}
int setrlimit64(__rlimit_resource_t what, const struct rlimit64* from) {
  return setrlimit(what, reinterpret_cast<const struct rlimit*>(from));
}
int openat64(int folder, const char* name, int flags, ...) {
  va_list values;
  va_start(values, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(values, mode_t) : 0;
  va_end(values);
  return openat(folder, name, flags, mode);
}

int posix_fadvise(int, off_t, off_t, int) { return 0; }
int posix_fadvise64(int, off64_t, off64_t, int) { return 0; }
int posix_fallocate(int number, off_t begin, off_t size) {
  struct stat about;
  if (begin < 0 || size <= 0) return EINVAL;
  if (fstat(number, &about) != 0) return errno;
  return about.st_size >= begin + size || ftruncate(number, begin + size) == 0 ? 0 : errno;
}
int posix_fallocate64(int number, off64_t begin, off64_t size) { return posix_fallocate(number, begin, size); }
int fallocate(int number, int mode, off_t begin, off_t size) {
  if (mode == 0) {
    const int error = posix_fallocate(number, begin, size);
    if (error == 0) return 0;
    errno = error;
    return -1;
  }
  errno = EOPNOTSUPP;
  return -1;
}
int memfd_create(const char*, unsigned flags) {
  if ((flags & ~unsigned{MFD_CLOEXEC | MFD_ALLOW_SEALING}) != 0) return errno = EINVAL, -1;
  char name[] = "/tmp/memfd-XXXXXX";
  const int number = mkstemp(name);
  if (number >= 0) unlink(name);
  return number;
}

int mkdirat(int folder, const char* name, mode_t mode) { return is_here(folder, name) < 0 ? -1 : mkdir(name, mode); }
int faccessat(int folder, const char* name, int mode, int) {
  return is_here(folder, name) < 0 ? -1 : access(name, mode);
}
int renameat(int from, const char* old, int to, const char* name) {
  return is_here(from, old) < 0 || is_here(to, name) < 0 ? -1 : rename(old, name);
}
ssize_t readlinkat(int folder, const char* name, char* to, size_t size) {
  return is_here(folder, name) < 0 ? -1 : readlink(name, to, size);
}
// Locks of records are of the process.
int lockf(int number, int command, off_t size) {
  struct flock lock = {};
  lock.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = size;
  if (command == F_LOCK) return fcntl(number, F_SETLKW, &lock);
  if (command == F_TLOCK || command == F_ULOCK) return fcntl(number, F_SETLK, &lock);
  if (command == F_TEST) return fcntl(number, F_GETLK, &lock);
  errno = EINVAL;
  return -1;
}
int lockf64(int number, int command, off64_t size) { return lockf(number, command, size); }
// Owners change nothing.
int fchown(int number, uid_t, gid_t) { return fcntl(number, F_GETFD) < 0 ? -1 : 0; }

int scandir(const char* folder, dirent*** list, int (*wanted)(const dirent*),
            int (*compare)(const dirent**, const dirent**)) {
  const auto taken = [wanted](const dirent* one) { return wanted == nullptr || wanted(one) != 0; };
  const auto order = [compare](const dirent** a, const dirent** b) { return compare == nullptr ? 0 : compare(a, b); };
  return list_folder(folder, list, taken, order);
}
int scandir64(const char* folder, dirent64*** list, int (*wanted)(const dirent64*),
              int (*compare)(const dirent64**, const dirent64**)) {
  return scandir(folder, reinterpret_cast<dirent***>(list), reinterpret_cast<int (*)(const dirent*)>(wanted),
                 reinterpret_cast<int (*)(const dirent**, const dirent**)>(compare));
}
int alphasort(const dirent** a, const dirent** b) { return strcoll((*a)->d_name, (*b)->d_name); }
int alphasort64(const dirent64** a, const dirent64** b) { return strcoll((*a)->d_name, (*b)->d_name); }

int ftw(const char* path, int (*calls)(const char*, const struct stat*, int), int) {
  return walk_tree({calls, nullptr, 0}, path, 0);
}
int nftw(const char* path, int (*calls)(const char*, const struct stat*, int, FTW*), int, int flags) {
  return walk_tree({nullptr, calls, flags}, path, 0);
}

int glob(const char* pattern, int flags, int (*)(const char*, int), glob_t* found) {
  if (!(flags & GLOB_APPEND)) {
    found->gl_pathc = 0;
    found->gl_pathv = nullptr;
    if (!(flags & GLOB_DOOFFS)) found->gl_offs = 0;
  }
  const size_t before = found->gl_pathc;
  const bool rooted = *pattern == '/';
  match_paths(rooted ? "/" : "", rooted ? pattern + 1 : pattern, flags, *found);
  if (found->gl_pathc > before) return 0;
  if (!(flags & GLOB_NOCHECK) && !((flags & GLOB_NOMAGIC) && !has_wildcards(pattern))) return GLOB_NOMATCH;
  add_path(*found, pattern);
  return 0;
}
void globfree(glob_t* found) {
  for (size_t n = 0; n < found->gl_pathc; ++n) free(found->gl_pathv[found->gl_offs + n]);
  free(found->gl_pathv);
  found->gl_pathc = 0;
  found->gl_pathv = nullptr;
}

// What happens after the parent's end is not seen.
int prctl(int what, ...) {
  va_list values;
  va_start(values, what);
  const unsigned long value = va_arg(values, unsigned long);
  va_end(values);
  if (what == PR_GET_NAME) return pthread_getname_np(pthread_self(), reinterpret_cast<char*>(value), 16);
  if (what == PR_SET_NAME) {
    char name[16] = {};
    strncpy(name, reinterpret_cast<const char*>(value), sizeof name - 1);
    return pthread_setname_np(pthread_self(), name);
  }
  const bool known = what == PR_SET_PDEATHSIG || what == PR_SET_DUMPABLE || what == PR_SET_TIMERSLACK ||
                     what == PR_SET_NO_NEW_PRIVS || what == PR_SET_KEEPCAPS;
  return known ? 0 : other_prctl();
}
long __sysconf(int name) { return sysconf(name); }
const char* gnu_get_libc_version() { return "2.36"; }
const char* gnu_get_libc_release() { return "stable"; }
int getdtablesize() { return 1024; }
int mlockall(int) { return 0; }
int munlockall() { return 0; }
int sched_getscheduler(pid_t) { return SCHED_OTHER; }
int sysinfo(struct sysinfo* to) {
  *to = {};
  to->uptime = 1000;
  to->totalram = to->freeram = 1ul << 30;
  to->procs = 1;
  to->mem_unit = 1;
  return 0;
}
int fstatvfs(int number, struct statvfs* to) { return fcntl(number, F_GETFD) < 0 ? -1 : statvfs("/", to); }
int backtrace(void**, int) { return 0; }
char** backtrace_symbols(void* const*, int) { return static_cast<char**>(malloc(sizeof(char*))); }
void backtrace_symbols_fd(void* const*, int, int) {}

pid_t setsid() { return getpid(); }
pid_t getsid(pid_t process) { return is_own(process) ? getpid() : (errno = ESRCH, -1); }
int setpgid(pid_t process, pid_t group) {
  if (process < 0 || group < 0) return errno = EINVAL, -1;
  if (!is_own(process)) return errno = ESRCH, -1;
  return is_own(group) ? 0 : (errno = EPERM, -1);
}
pid_t getpgid(pid_t process) { return getsid(process); }
pid_t getpgrp() { return getpid(); }
int setuid(uid_t id) { return id == getuid() || getuid() == 0 ? 0 : (errno = EPERM, -1); }
int setgid(gid_t id) { return id == getgid() || getuid() == 0 ? 0 : (errno = EPERM, -1); }
int getgroups(int most, gid_t*) { return most < 0 ? (errno = EINVAL, -1) : 0; }

passwd* getpwnam(const char* name) { return fill_user(the_user, name) ? &the_user : nullptr; }
passwd* getpwuid(uid_t id) { return fill_user(the_user, id) ? &the_user : nullptr; }
int getpwnam_r(const char* name, passwd* user, char*, size_t, passwd** result) {
  *result = fill_user(*user, name) ? user : nullptr;
  return 0;
}
int getpwuid_r(uid_t id, passwd* user, char*, size_t, passwd** result) {
  *result = fill_user(*user, id) ? user : nullptr;
  return 0;
}
group* getgrgid(gid_t id) { return fill_group(the_group, id) ? &the_group : nullptr; }
group* getgrnam(const char* name) {
  return strcmp(name, root_name) == 0 ? getgrgid(0) : strcmp(name, user_name) == 0 ? getgrgid(getgid()) : getgrgid(~0u);
}
char* getlogin() { return user_name; }
int getlogin_r(char* to, size_t size) { return copy_text(user_name, to, size); }

locale_t newlocale(int, const char* name, locale_t) {
  const bool classic = *name == '\0' || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
  if (!classic) other_locale();
  return &classic_locale;
}
locale_t duplocale(locale_t from) { return from == LC_GLOBAL_LOCALE ? &classic_locale : from; }
void freelocale(locale_t) {}
locale_t uselocale(locale_t used) {
  const locale_t before = used_locale;
  if (used != nullptr) used_locale = used;
  return before;
}

in_addr_t inet_addr(const char* text) {
  in_addr address;
  return inet_pton(AF_INET, text, &address) == 1 ? address.s_addr : INADDR_NONE;
}

// Numbers, and "localhost": there is no other host.
int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) {
  const addrinfo none = {};
  const addrinfo& wanted = hints == nullptr ? none : *hints;
  unsigned long port = 0;
  if (host == nullptr && service == nullptr) return EAI_NONAME;
  if (service != nullptr) {
    char* end = nullptr;
    port = strtoul(service, &end, 10);
    if (end == service || *end != '\0' || port > 65535) return EAI_SERVICE;
  }
  constexpr int kFamilies[] = {AF_INET, AF_INET6};
  for (const int family : kFamilies) {
    sockaddr_storage address;
    if (wanted.ai_family != AF_UNSPEC && wanted.ai_family != family) continue;
    if (!read_host(host, wanted.ai_flags, family, address)) continue;
    auto* const made = static_cast<Answer*>(calloc(1, sizeof(Answer)));
    if (made == nullptr) return EAI_MEMORY;
    made->address = address;
    made->info.ai_family = family;
    made->info.ai_socktype = wanted.ai_socktype != 0 ? wanted.ai_socktype : SOCK_STREAM;
    made->info.ai_protocol = made->info.ai_socktype == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
    made->info.ai_addrlen = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    made->info.ai_addr = reinterpret_cast<sockaddr*>(&made->address);
    if (family == AF_INET)
      reinterpret_cast<sockaddr_in*>(&made->address)->sin_port = htons(static_cast<in_port_t>(port));
    else
      reinterpret_cast<sockaddr_in6*>(&made->address)->sin6_port = htons(static_cast<in_port_t>(port));
    *result = &made->info;
    return 0;
  }
  return EAI_NONAME;
}
void freeaddrinfo(addrinfo* first) { free(first); }

int pthread_attr_setstack(pthread_attr_t*, void*, size_t) { return given_stack(); }
int pthread_attr_getstack(const pthread_attr_t*, void**, size_t*) { return place_of_stack(); }

static thread_local int host_error;
int* __h_errno_location() noexcept { return &host_error; }

static struct {
  hostent entry;
  in_addr address;
  char *addresses[2], *others[1], name[NI_MAXHOST];
} host_found;
hostent* gethostbyname(const char* host) {
  sockaddr_storage address;
  if (strlen(host) >= sizeof host_found.name || !read_host(host, 0, AF_INET, address)) {
    host_error = HOST_NOT_FOUND;
    return nullptr;
  }
  strcpy(host_found.name, host);
  host_found.address = reinterpret_cast<sockaddr_in*>(&address)->sin_addr;
  host_found.addresses[0] = reinterpret_cast<char*>(&host_found.address);
  host_found.entry = {host_found.name, host_found.others, AF_INET, sizeof(in_addr), host_found.addresses};
  return &host_found.entry;
}

char* tempnam(const char* folder, const char* prefix) {
  char name[L_tmpnam];
  char* made = nullptr;
  if (tmpnam(name) == nullptr) return nullptr;
  const char* const own = strrchr(name, '/') + 1;
  return asprintf(&made, "%s/%s%s", folder ? folder : "/tmp", prefix ? prefix : "", own) < 0 ? nullptr : made;
}

const char* gai_strerror(int error) {
  return error == EAI_NONAME    ? "Name or service not known"
         : error == EAI_SERVICE ? "Servname not supported for ai_socktype"
         : error == EAI_MEMORY  ? "Memory allocation failure"
         : error == 0           ? "Success"
                                : "Unknown error";
}

}  // extern "C"
