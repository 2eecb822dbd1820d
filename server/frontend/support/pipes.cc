// Pipes and event counters between the threads of one process: pipe, pipe2, eventfd, and what is done with their
// descriptors. Other descriptors are files, which the machine models; a program without pipes has none of this.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

extern "C" {
ssize_t file_read(int, void*, size_t) __asm__("heddle.read");
ssize_t file_write(int, const void*, size_t) __asm__("heddle.write");
int file_close(int) __asm__("heddle.close");
int file_dup(int) __asm__("heddle.dup");
int file_dup2(int, int) __asm__("heddle.dup2");
int file_fcntl(int, int) __asm__("heddle.fcntl");
void* file_fdopen(int, const char*) __asm__("heddle.fdopen");
// Nothing defines it: a stream on a pipe is a limit, and named by this.
void* fdopen_of_a_pipe();
}

namespace {

constexpr size_t kPipeMost = 65536, kFirst = 64;
constexpr uint64_t kCountMost = UINT64_MAX - 1;
constexpr int kDescriptors = 1024;

struct Channel {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  unsigned char* bytes = nullptr;
  size_t capacity = 0, begin = 0, count = 0;
  bool counts = false, by_one = false;  // an eventfd; with EFD_SEMAPHORE
  uint64_t value = 0;
  int readers = 0, writers = 0, inside = 0;  // descriptors; calls that use it now
};

struct Descriptor {
  Channel* channel;  // null: a file, or closed
  bool reads, writes, waits;
};
Descriptor descriptors[kDescriptors];

Descriptor* pipe_at(int number) {
  if (number < 0 || number >= kDescriptors) return nullptr;
  Descriptor* const found = &descriptors[number];
  return __atomic_load_n(&found->channel, __ATOMIC_ACQUIRE) != nullptr ? found : nullptr;
}

void* memory(size_t size) {
  void* const block = std::calloc(1, size);
  if (block == nullptr) std::abort();
  return block;
}

void destroy(Channel* c) {
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->changed);
  std::free(c->bytes);
  std::free(c);
}

// One call on a channel: holds its lock, and lets go of it also when the thread is cancelled.
class Call {
 public:
  explicit Call(Channel* c) : c_(c) {
    pthread_mutex_lock(&c->lock);
    ++c->inside;
  }
  ~Call() {
    const bool last = --c_->inside == 0 && c_->readers == 0 && c_->writers == 0;
    pthread_mutex_unlock(&c_->lock);
    if (last) destroy(c_);
  }
  void wait() { pthread_cond_wait(&c_->changed, &c_->lock); }
  void changed() { pthread_cond_broadcast(&c_->changed); }

 private:
  Channel* c_;
};

bool has_input(const Channel& c) { return c.counts ? c.value != 0 : c.count != 0; }
bool has_room(const Channel& c) { return c.counts ? c.value < kCountMost : c.count < kPipeMost; }

void grow(Channel& c, size_t least) {
  size_t capacity = c.capacity == 0 ? kFirst : c.capacity;
  while (capacity < least) capacity *= 2;
  if (capacity == c.capacity) return;
  auto* const larger = static_cast<unsigned char*>(memory(capacity));
  for (size_t n = 0; n < c.count; ++n) larger[n] = c.bytes[(c.begin + n) % c.capacity];
  std::free(c.bytes);
  c.bytes = larger;
  c.capacity = capacity;
  c.begin = 0;
}

void put(Channel& c, const unsigned char* from, size_t size) {
  grow(c, c.count + size);
  for (size_t n = 0; n < size; ++n) c.bytes[(c.begin + c.count++) % c.capacity] = from[n];
}

size_t take(Channel& c, unsigned char* to, size_t most) {
  const size_t size = most < c.count ? most : c.count;
  for (size_t n = 0; n < size; ++n) to[n] = c.bytes[(c.begin + n) % c.capacity];
  c.begin = (c.begin + size) % c.capacity;
  c.count -= size;
  return size;
}

int failed(int code) {
  errno = code;
  return -1;
}

ssize_t read_pipe(Descriptor& d, void* to, size_t size) {
  Channel& c = *d.channel;
  if (!d.reads) return failed(EBADF);
  if (c.counts && size < 8) return failed(EINVAL);
  if (size == 0) return 0;
  Call call(&c);
  while (!has_input(c)) {
    if (!c.counts && c.writers == 0) return 0;
    if (!d.waits) return failed(EAGAIN);
    call.wait();
  }
  call.changed();
  if (!c.counts) return static_cast<ssize_t>(take(c, static_cast<unsigned char*>(to), size));
  const uint64_t value = c.by_one ? 1 : c.value;
  c.value -= value;
  std::memcpy(to, &value, 8);
  return 8;
}

ssize_t write_counter(Descriptor& d, const void* from, size_t size) {
  Channel& c = *d.channel;
  uint64_t value = 0;
  if (size < 8) return failed(EINVAL);
  std::memcpy(&value, from, 8);
  if (value > kCountMost) return failed(EINVAL);
  Call call(&c);
  while (value > kCountMost - c.value) {
    if (!d.waits) return failed(EAGAIN);
    call.wait();
  }
  c.value += value;
  call.changed();
  return 8;
}

// Up to PIPE_BUF bytes arrive in one piece; of more, as much as there is room for.
ssize_t write_pipe(Descriptor& d, const void* from, size_t size) {
  if (!d.writes) return failed(EBADF);
  Channel& c = *d.channel;
  if (c.counts) return write_counter(d, from, size);
  constexpr size_t kAtOnce = 4096;
  const auto* at = static_cast<const unsigned char*>(from);
  size_t left = size;
  bool broken = false;
  {
    Call call(&c);
    while (left > 0 && !broken) {
      const size_t room = kPipeMost - c.count;
      const size_t part = left <= room ? left : size > kAtOnce ? room : 0;
      broken = c.readers == 0;
      if (broken) break;
      if (part == 0 && !d.waits) break;
      if (part == 0) {
        call.wait();
        continue;
      }
      put(c, at, part);
      at += part;
      left -= part;
      call.changed();
    }
  }
  if (left < size || size == 0) return static_cast<ssize_t>(size - left);
  if (!broken) return failed(EAGAIN);
  raise(SIGPIPE);
  return failed(EPIPE);
}

void open_end(int number, Channel* c, bool reads, bool writes, bool waits) {
  Descriptor& d = descriptors[number];
  d.reads = reads;
  d.writes = writes;
  d.waits = waits;
  c->readers += reads;
  c->writers += writes;
  __atomic_store_n(&d.channel, c, __ATOMIC_RELEASE);
}

void close_end(Descriptor& d) {
  Channel* const c = d.channel;
  __atomic_store_n(&d.channel, static_cast<Channel*>(nullptr), __ATOMIC_RELEASE);
  Call call(c);
  c->readers -= d.reads;
  c->writers -= d.writes;
  call.changed();
}

// The lowest free number, kept by a duplicate of the standard input.
int free_number() {
  const int number = file_dup(0);
  if (number >= kDescriptors) {
    file_close(number);
    return failed(EMFILE);
  }
  return number;
}

Channel* new_channel() {
  auto* const made = static_cast<Channel*>(memory(sizeof(Channel)));
  pthread_mutex_init(&made->lock, nullptr);
  pthread_cond_init(&made->changed, nullptr);
  return made;
}

// What of `wanted` a descriptor is ready for, as poll tells it.
short ready(int number, short wanted) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr) return file_fcntl(number, F_GETFD) < 0 ? POLLNVAL : wanted & (POLLIN | POLLOUT);
  Channel& c = *d->channel;
  Call call(&c);
  short found = 0;
  if (d->reads && has_input(c)) found |= POLLIN;
  if (d->writes && has_room(c)) found |= POLLOUT;
  if (d->reads && !c.counts && c.writers == 0) found |= POLLHUP;
  if (d->writes && !c.counts && c.readers == 0) found |= POLLERR;
  return found & (wanted | POLLHUP | POLLERR);
}

int ready_ones(pollfd* list, nfds_t count) {
  int found = 0;
  for (nfds_t n = 0; n < count; ++n) {
    list[n].revents = list[n].fd < 0 ? 0 : ready(list[n].fd, list[n].events);
    found += list[n].revents != 0;
  }
  return found;
}

}  // namespace

extern "C" {

int pipe2(int* ends, int flags) {
  const int reads = free_number(), writes = free_number();
  if (reads < 0 || writes < 0) return -1;
  Channel* const c = new_channel();
  open_end(reads, c, true, false, !(flags & O_NONBLOCK));
  open_end(writes, c, false, true, !(flags & O_NONBLOCK));
  ends[0] = reads;
  ends[1] = writes;
  return 0;
}
int pipe(int* ends) { return pipe2(ends, 0); }

int eventfd(unsigned value, int flags) {
  const int number = free_number();
  if (number < 0) return -1;
  Channel* const c = new_channel();
  c->counts = true;
  c->by_one = flags & EFD_SEMAPHORE;
  c->value = value;
  open_end(number, c, true, true, !(flags & EFD_NONBLOCK));
  return number;
}
int eventfd_read(int number, eventfd_t* value) { return read(number, value, 8) == 8 ? 0 : -1; }
int eventfd_write(int number, eventfd_t value) { return write(number, &value, 8) == 8 ? 0 : -1; }

ssize_t read(int number, void* to, size_t size) {
  Descriptor* const d = pipe_at(number);
  return d == nullptr ? file_read(number, to, size) : read_pipe(*d, to, size);
}
ssize_t write(int number, const void* from, size_t size) {
  Descriptor* const d = pipe_at(number);
  return d == nullptr ? file_write(number, from, size) : write_pipe(*d, from, size);
}
int close(int number) {
  if (Descriptor* const d = pipe_at(number)) close_end(*d);
  return file_close(number);
}

int dup2(int from, int to) {
  Descriptor* const d = pipe_at(from);
  if (from != to && pipe_at(to) != nullptr) close_end(*pipe_at(to));
  const int made = file_dup2(from, to);
  if (d == nullptr || made < 0 || from == to) return made;
  Call call(d->channel);
  open_end(made, d->channel, d->reads, d->writes, d->waits);
  return made;
}
int dup(int from) {
  const int made = file_dup(from);
  Descriptor* const d = pipe_at(from);
  if (d == nullptr || made < 0) return made;
  Call call(d->channel);
  open_end(made, d->channel, d->reads, d->writes, d->waits);
  return made;
}

int fcntl(int number, int command, ...) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr) return file_fcntl(number, command);
  const int access = d->reads && d->writes ? O_RDWR : d->writes ? O_WRONLY : O_RDONLY;
  if (command == F_GETFL) return access | (d->waits ? 0 : O_NONBLOCK);
  if (command == F_SETFL) {
    __builtin_va_list list;
    __builtin_va_start(list, command);
    d->waits = !(__builtin_va_arg(list, long) & O_NONBLOCK);
    __builtin_va_end(list);
  }
  return 0;
}

void* fdopen(int number, const char* mode) {
  return pipe_at(number) != nullptr ? fdopen_of_a_pipe() : file_fdopen(number, mode);
}

// A time limit may pass before anything happens: whoever makes a descriptor ready comes before or after.
int poll(pollfd* list, nfds_t count, int milliseconds) {
  for (;;) {
    const int found = ready_ones(list, count);
    if (found != 0 || milliseconds == 0) return found;
    if (milliseconds < 0) {
      sched_yield();
      continue;
    }
    const timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&limit, nullptr);
    milliseconds = 0;
  }
}

}  // extern "C"
