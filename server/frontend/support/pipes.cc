// Pipes, pairs of stream sockets and event counters between the threads of one process, and what is done with their
// descriptors. Other descriptors are files, which the machine models; a program without pipes has none of this.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern "C" {
ssize_t file_read(int, void*, size_t) __asm__("heddle.read");
ssize_t file_write(int, const void*, size_t) __asm__("heddle.write");
int file_close(int) __asm__("heddle.close");
int file_dup(int) __asm__("heddle.dup");
int pipe_number(int) __asm__("heddle.pipe_number");
void look_at(const void*, size_t) __asm__("heddle.look_at");  // what decides must be written
int file_dup2(int, int) __asm__("heddle.dup2");
int file_fcntl(int, int, ...) __asm__("heddle.fcntl");
// Clients from outside of the program (server/machine/sync/outside.cc): how many connect, the number of the next one
// (0: no more), what they send.
int clients() __asm__("heddle.clients");
int client_bytes() __asm__("heddle.client_bytes");
int next_client(int connects) __asm__("heddle.next_client");
ssize_t receive(int client, void*, size_t) __asm__("heddle.receive");
// Nothing defines these: a call ends the path, and the verdict has the name.
int socketpair_of_other_sockets() __asm__("socketpair() of other sockets than streams");
int capacity_of_a_pipe() __asm__("another capacity of a pipe (F_SETPIPE_SZ)");
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
  bool times = false, repeats = false;  // a timer; with an interval. Its time is over as soon as it is set
  itimerspec setting = {};
  uint64_t value = 0;
  int readers = 0, writers = 0;          // descriptors that may still read or write
  int holders = 0, inside = 0;           // descriptors; calls that use it now
  unsigned arrived = 0, taken = 0;       // how often something came or went: what edge-triggered waits compare
  struct Interest* interests = nullptr;  // of an epoll instance
  bool watches = false;                  // it is one
  bool unconnected = false;              // a socket without a peer; what listens has connections instead of bytes
  bool listens = false, bound = false;
  int client = 0;           // from outside, whose bytes come when they are read; 0: none
  unsigned short came = 0;  // how many of them
};

struct Descriptor {
  Channel* channel;  // what is read; of a writing end what is written. Null: a file, or closed
  Channel* output;   // what is written: the same but for sockets
  bool reads, writes, waits;
};
Descriptor descriptors[kDescriptors];

Descriptor* pipe_at(int number) {
  if (number < 0 || number >= kDescriptors) return nullptr;
  Descriptor* const found = &descriptors[number];
  return __atomic_load_n(&found->channel, __ATOMIC_ACQUIRE) != nullptr ? found : nullptr;
}

// fcntl(F_SETFL) changes it at any time.
bool waits(const Descriptor& d) { return __atomic_load_n(&d.waits, __ATOMIC_RELAXED); }

void* memory(size_t size) {
  void* const block = std::calloc(1, size);
  if (block == nullptr) std::abort();
  return block;
}

void destroy(Channel* c) {
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->changed);
  std::free(c->bytes);
  std::free(c->interests);
  std::free(c);
}

// Threads that wait for several descriptors look again whenever something changes.
struct {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  unsigned count = 0;
  int waiters = 0;
} changes;

void wake_waiters() {
  if (__atomic_load_n(&changes.waiters, __ATOMIC_ACQUIRE) == 0) return;
  pthread_mutex_lock(&changes.lock);
  ++changes.count;
  pthread_cond_broadcast(&changes.changed);
  pthread_mutex_unlock(&changes.lock);
}

// One call on a channel: holds its lock, and lets go of it also when the thread is cancelled.
class Call {
 public:
  explicit Call(Channel* c) : c_(c) {
    pthread_mutex_lock(&c->lock);
    ++c->inside;
  }
  ~Call() {
    const bool last = --c_->inside == 0 && c_->holders == 0;
    pthread_mutex_unlock(&c_->lock);
    if (last) destroy(c_);
  }
  void wait() { pthread_cond_wait(&c_->changed, &c_->lock); }
  void changed() {
    pthread_cond_broadcast(&c_->changed);
    wake_waiters();
  }

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

size_t look(const Channel& c, unsigned char* to, size_t most) {
  const size_t size = most < c.count ? most : c.count;
  for (size_t n = 0; n < size; ++n) to[n] = c.bytes[(c.begin + n) % c.capacity];
  return size;
}

size_t take(Channel& c, unsigned char* to, size_t most) {
  const size_t size = look(c, to, most);
  c.begin = (c.begin + size) % c.capacity;
  c.count -= size;
  return size;
}

int failed(int code) {
  errno = code;
  return -1;
}

// What is read next, of at most this size; or the client has sent all.
void let_come(Channel& c, size_t most) {
  unsigned char bytes[256];
  const auto left = static_cast<size_t>(client_bytes()) - c.came;
  size_t room = 0;  // by steps: how much is asked for may be unknown
  while (room < left && room < most) ++room;
  const ssize_t size = room == 0 ? 0 : receive(c.client, bytes, room);
  if (size == 0) c.writers = 0;
  put(c, bytes, static_cast<size_t>(size));
  c.came += static_cast<unsigned short>(size);
  ++c.arrived;
}

ssize_t read_pipe(Descriptor& d, void* to, size_t size, int flags = 0) {
  Channel& c = *d.channel;
  if (c.watches) return failed(EINVAL);
  if (c.unconnected) return failed(ENOTCONN);
  if (!d.reads) return d.channel == d.output ? failed(EBADF) : 0;
  if (c.counts && size < 8) return failed(EINVAL);
  if (size == 0) return 0;
  Call call(&c);
  while (!has_input(c)) {
    if (!c.counts && c.writers == 0) return 0;
    if (c.client != 0) {
      let_come(c, size);
      continue;
    }
    if ((flags & MSG_DONTWAIT) || !waits(d)) return failed(EAGAIN);
    call.wait();
  }
  auto* const bytes = static_cast<unsigned char*>(to);
  if (flags & MSG_PEEK) return static_cast<ssize_t>(look(c, bytes, size));
  ++c.taken;
  call.changed();
  if (!c.counts) return static_cast<ssize_t>(take(c, bytes, size));
  const uint64_t value = c.by_one ? 1 : c.value;
  if (!c.repeats) c.value -= value;
  std::memcpy(to, &value, 8);
  return 8;
}

ssize_t write_counter(Descriptor& d, const void* from, size_t size) {
  Channel& c = *d.channel;
  uint64_t value = 0;
  if (size < 8 || c.times) return failed(EINVAL);
  std::memcpy(&value, from, 8);
  if (value > kCountMost) return failed(EINVAL);
  Call call(&c);
  while (value > kCountMost - c.value) {
    if (!waits(d)) return failed(EAGAIN);
    call.wait();
  }
  c.value += value;
  ++c.arrived;
  call.changed();
  return 8;
}

// Up to PIPE_BUF bytes arrive in one piece; of more, as much as there is room for.
ssize_t write_pipe(Descriptor& d, const void* from, size_t size, int flags = 0) {
  const bool socket = d.channel != d.output;
  if (d.channel->unconnected) return failed(ENOTCONN);
  if (!d.writes && !socket) return failed(d.channel->watches ? EINVAL : EBADF);
  Channel& c = *d.output;
  if (c.counts) return write_counter(d, from, size);
  constexpr size_t kAtOnce = 4096;
  const auto* at = static_cast<const unsigned char*>(from);
  size_t left = size;
  bool broken = false;
  {
    Call call(&c);
    while (left > 0 && !broken) {
      const size_t room = kPipeMost - c.count;
      const size_t part = left <= room ? left : size > kAtOnce || socket ? room : 0;
      broken = c.readers == 0 || !d.writes;
      if (broken) break;
      if (c.client != 0) {  // it takes everything
        left = 0;
        break;
      }
      if (part == 0 && ((flags & MSG_DONTWAIT) || !waits(d))) break;
      if (part == 0) {
        call.wait();
        continue;
      }
      put(c, at, part);
      at += part;
      left -= part;
      ++c.arrived;
      call.changed();
    }
  }
  if (left < size || size == 0) return static_cast<ssize_t>(size - left);
  if (!broken) return failed(EAGAIN);
  if (!(flags & MSG_NOSIGNAL)) raise(SIGPIPE);
  return failed(EPIPE);
}

// Of channels that count this end already.
void give_number(int number, const Descriptor& made) {
  Descriptor& d = descriptors[number];
  __atomic_load_n(&d.channel, __ATOMIC_ACQUIRE);  // the thread that closed this number before is done with it
  d.output = made.output;
  d.reads = made.reads;
  d.writes = made.writes;
  d.waits = made.waits;
  __atomic_store_n(&d.channel, made.channel, __ATOMIC_RELEASE);
}

// Of channels that no other thread uses now.
void open_end(int number, const Descriptor& made) {
  made.channel->readers += made.reads;
  made.output->writers += made.writes;
  ++made.channel->holders;
  if (made.output != made.channel) ++made.output->holders;
  give_number(number, made);
}

void leave(Channel* c, int readers, int writers, int holders) {
  Call call(c);
  c->holders -= holders;
  c->readers -= readers;
  c->writers -= writers;
  ++c->arrived;
  ++c->taken;
  call.changed();
}

void forget_name(Channel* c);

void close_end(Descriptor& d) {
  Channel* const c = d.channel;
  if (c->bound) forget_name(c);
  __atomic_store_n(&d.channel, static_cast<Channel*>(nullptr), __ATOMIC_RELEASE);
  if (c == d.output) return leave(c, d.reads, d.writes, 1);
  leave(c, d.reads, 0, 1);
  leave(d.output, 0, d.writes, 1);
}

int duplicate(Descriptor* d, int made) {
  if (d == nullptr || made < 0) return made;
  Call call(d->channel);
  if (d->output == d->channel) {
    open_end(made, *d);
  } else {
    Call other(d->output);
    open_end(made, *d);
  }
  return made;
}

// The lowest free number, which is from now on that of a pipe (and its streams a limit).
int free_number() {
  const int number = pipe_number(0);
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

}  // namespace

extern "C" {

int pipe2(int* ends, int flags) {
  if (flags & ~(O_NONBLOCK | O_CLOEXEC | O_DIRECT)) return static_cast<int>(failed(EINVAL));
  const int reads = free_number(), writes = free_number();
  if (reads < 0 || writes < 0) return -1;
  Channel* const c = new_channel();
  open_end(reads, {c, c, true, false, !(flags & O_NONBLOCK)});
  open_end(writes, {c, c, false, true, !(flags & O_NONBLOCK)});
  ends[0] = reads;
  ends[1] = writes;
  return 0;
}
int pipe(int* ends) { return pipe2(ends, 0); }

int eventfd(unsigned value, int flags) {
  if (flags & ~(EFD_NONBLOCK | EFD_CLOEXEC | EFD_SEMAPHORE)) return static_cast<int>(failed(EINVAL));
  const int number = free_number();
  if (number < 0) return -1;
  Channel* const c = new_channel();
  c->counts = true;
  c->by_one = flags & EFD_SEMAPHORE;
  c->value = value;
  open_end(number, {c, c, true, true, !(flags & EFD_NONBLOCK)});
  return number;
}
int eventfd_read(int number, eventfd_t* value) { return read(number, value, 8) == 8 ? 0 : -1; }
int eventfd_write(int number, eventfd_t value) { return write(number, &value, 8) == 8 ? 0 : -1; }

int timerfd_create(int clock, int flags) {
  const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock >= CLOCK_BOOTTIME;
  if (!known || clock > CLOCK_BOOTTIME_ALARM || (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)))
    return static_cast<int>(failed(EINVAL));
  const int number = free_number();
  if (number < 0) return -1;
  Channel* const c = new_channel();
  c->counts = c->times = true;
  open_end(number, {c, c, true, true, !(flags & TFD_NONBLOCK)});
  return number;
}

int timerfd_settime(int number, int, const itimerspec* to, itimerspec* before) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr || !d->channel->times) return static_cast<int>(failed(d == nullptr ? EBADF : EINVAL));
  const auto is_time = [](const timespec& t) { return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < 1'000'000'000; };
  if (!is_time(to->it_value) || !is_time(to->it_interval)) return static_cast<int>(failed(EINVAL));
  Channel& c = *d->channel;
  Call call(&c);
  if (before != nullptr) *before = c.setting;
  c.setting = *to;
  const bool runs = to->it_value.tv_sec != 0 || to->it_value.tv_nsec != 0;
  c.repeats = runs && (to->it_interval.tv_sec != 0 || to->it_interval.tv_nsec != 0);
  c.value = runs ? 1 : 0;
  ++c.arrived;
  call.changed();
  return 0;
}

int timerfd_gettime(int number, itimerspec* now) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr || !d->channel->times) return static_cast<int>(failed(d == nullptr ? EBADF : EINVAL));
  Call call(d->channel);
  *now = d->channel->setting;
  if (d->channel->value == 0) now->it_value = {};
  return 0;
}

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
  return from == to ? made : duplicate(d, made);
}
int dup(int from) {
  const int made = file_dup(from);
  return duplicate(pipe_at(from), made);
}

int fcntl(int number, int command, ...) {
  Descriptor* const d = pipe_at(number);
  long given = 0;
  __builtin_va_list list;
  __builtin_va_start(list, command);
  if (command != F_GETFL && command != F_GETFD && command != F_GETPIPE_SZ) given = __builtin_va_arg(list, long);
  __builtin_va_end(list);
  if (d == nullptr) return file_fcntl(number, command, given);
  const int access = d->reads && d->writes ? O_RDWR : d->writes ? O_WRONLY : O_RDONLY;
  if (command == F_GETFL) return access | (waits(*d) ? 0 : O_NONBLOCK);
  if (command == F_SETFL) __atomic_store_n(&d->waits, !(given & O_NONBLOCK), __ATOMIC_RELAXED);
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return duplicate(d, file_fcntl(number, command, given));
  if (command == F_GETFD || command == F_SETFD) return file_fcntl(number, command, given);
  if (command == F_GETPIPE_SZ || command == F_SETPIPE_SZ) return given != 0 ? capacity_of_a_pipe() : kPipeMost;
  return command == F_SETFL ? 0 : failed(EINVAL);
}

int socketpair(int domain, int type, int protocol, int* ends) {
  if (domain != AF_UNIX) return failed(domain == AF_INET || domain == AF_INET6 ? EOPNOTSUPP : EAFNOSUPPORT);
  if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM || protocol != 0) return socketpair_of_other_sockets();
  const int one = free_number(), other = free_number();
  if (one < 0 || other < 0) return -1;
  Channel *const there = new_channel(), *const back = new_channel();
  open_end(one, {back, there, true, true, !(type & SOCK_NONBLOCK)});
  open_end(other, {there, back, true, true, !(type & SOCK_NONBLOCK)});
  ends[0] = one;
  ends[1] = other;
  return 0;
}

static bool is_connected(const Descriptor* d) { return d != nullptr && d->channel != d->output; }
static int not_connected(const Descriptor* d, int number) {
  if (d != nullptr && d->channel->unconnected) return failed(ENOTCONN);
  return failed(d || file_fcntl(number, F_GETFD) >= 0 ? ENOTSOCK : EBADF);
}

ssize_t recv(int number, void* to, size_t size, int flags) {
  pthread_testcancel();
  Descriptor* const d = pipe_at(number);
  if (!is_connected(d)) return not_connected(d, number);
  auto* const bytes = static_cast<char*>(to);
  ssize_t all = 0;
  do {
    const ssize_t part = read_pipe(*d, bytes + all, size - static_cast<size_t>(all), flags);
    if (part <= 0) return all > 0 ? all : part;
    all += part;
  } while ((flags & MSG_WAITALL) && !(flags & MSG_PEEK) && static_cast<size_t>(all) < size);
  return all;
}
ssize_t send(int number, const void* from, size_t size, int flags) {
  pthread_testcancel();
  Descriptor* const d = pipe_at(number);
  return is_connected(d) ? write_pipe(*d, from, size, flags) : not_connected(d, number);
}

int shutdown(int number, int how) {
  Descriptor* const d = pipe_at(number);
  if (d != nullptr && d->channel->listens) {
    leave(d->channel, 1, 0, 0);
    return 0;
  }
  if (!is_connected(d)) return not_connected(d, number);
  if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) return failed(EINVAL);
  const bool reads = d->reads && how != SHUT_WR, writes = d->writes && how != SHUT_RD;
  if (reads) d->reads = false;
  if (writes) d->writes = false;
  if (reads) leave(d->channel, 1, 0, 0);
  if (writes) leave(d->output, 0, 1, 0);
  return 0;
}

}  // extern "C"
