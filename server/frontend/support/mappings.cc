// Mappings of files, and shared memory by name. A mapping is a block of memory with what the file held
// when it was mapped. The machine ends a path as a limit where that would show: at a later change of the file, and, once
// a shared mapping may write to it, at every later use of the file's content.
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
void* block_of_zeros(void*, size_t, int rights, int flags, int number, off_t) __asm__("heddle.mmap");
int control_of_file(int number, int command, ...) __asm__("heddle.fcntl");
ssize_t file_at(int number, void*, size_t, off_t) __asm__("heddle.pread");
int note_mapping(int number, int written) __asm__("heddle.note_mapping");
// Nothing defines it: a limit, and named by this.
int mapping_beyond_the_file() __asm__("mmap() of more than the pages of the file");
}

namespace {

constexpr size_t kPage = 4096;
constexpr char kFolder[] = "/dev/shm";

size_t pages_of(size_t size) { return (size + kPage - 1) / kPage; }

void* refused(int error) {
  errno = error;
  return MAP_FAILED;
}

void* map_file(size_t size, int rights, int flags, int number, off_t offset) {
  struct stat file;
  const int kind = flags & MAP_TYPE;
  if (size == 0 || offset < 0 || offset % kPage != 0 || (kind != MAP_SHARED && kind != MAP_PRIVATE))
    return refused(EINVAL);
  const int opened = control_of_file(number, F_GETFL);
  if (opened == -1) return refused(EBADF);
  const bool writes = (rights & PROT_WRITE) != 0 && kind == MAP_SHARED;
  if ((opened & O_ACCMODE) == O_WRONLY || (writes && (opened & O_ACCMODE) != O_RDWR)) return refused(EACCES);
  if (fstat(number, &file) != 0) return MAP_FAILED;
  if (!S_ISREG(file.st_mode)) return refused(ENODEV);
  const size_t there = file.st_size > offset ? static_cast<size_t>(file.st_size - offset) : 0;
  if (pages_of(size) > pages_of(there)) {  // natively, the pages after the last one end the process
    mapping_beyond_the_file();
    return refused(ENOMEM);
  }
  void* const block = block_of_zeros(nullptr, size, rights, flags | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return block;
  const size_t pages = pages_of(size) * kPage;
  if (file_at(number, block, there < pages ? there : pages, offset) < 0 || note_mapping(number, writes) != 0) {
    munmap(block, size);
    return MAP_FAILED;
  }
  return block;
}

// "/dev/shm/NAME"; false: it is no name of shared memory.
bool path_of_shared(const char* name, char (&path)[NAME_MAX + sizeof kFolder + 1]) {
  while (*name == '/') ++name;
  const size_t length = strlen(name);
  errno = length == 0 || strchr(name, '/') != nullptr ? EINVAL : length > NAME_MAX ? ENAMETOOLONG : 0;
  if (errno != 0) return false;
  memcpy(path, kFolder, sizeof kFolder - 1);
  path[sizeof kFolder - 1] = '/';
  memcpy(path + sizeof kFolder, name, length + 1);
  return true;
}

}  // namespace

extern "C" {

void* mmap(void* at, size_t size, int rights, int flags, int number, off_t offset) {
  if ((flags & MAP_ANONYMOUS) != 0 || (flags & MAP_FIXED) != 0)
    return block_of_zeros(at, size, rights, flags, number, offset);
  return map_file(size, rights, flags, number, offset);
}
void* mmap64(void* at, size_t size, int rights, int flags, int number, off64_t offset) {
  return mmap(at, size, rights, flags, number, offset);
}

int shm_open(const char* name, int flags, mode_t mode) {
  char path[NAME_MAX + sizeof kFolder + 1];
  if (!path_of_shared(name, path)) return -1;
  const int before = errno;
  if ((flags & O_CREAT) != 0) {
    mkdir("/dev", 0755);
    mkdir(kFolder, 0777);
    errno = before;
  }
  return open(path, flags | O_CLOEXEC, mode);
}
int shm_unlink(const char* name) {
  char path[NAME_MAX + sizeof kFolder + 1];
  return path_of_shared(name, path) ? unlink(path) : -1;
}

}  // extern "C"
