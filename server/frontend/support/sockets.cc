// Stream sockets between the threads of one process: who connects and who accepts are both in the program. With
// pipes.cc one text. A socket that listens has a channel like a pipe's, of connections instead of bytes, so that poll
// and epoll see it as they see a pipe. A program that never connects waits for others: that ends the path, unless the
// settings say how many connect.
#include <cstddef>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/un.h>

extern "C" {
// Nothing defines these: a call ends the path, and the verdict has the name.
int socket_of_other_kinds() __asm__("socket of datagrams, or of another family");
int accept_from_outside() __asm__(
    "accept of a connection from outside of the program: set `connections` in .heddle.yaml");
int message_with_control() __asm__("a socket message with control data");
int other_option_of_a_socket() __asm__("an option of a socket that getsockopt() asks for");
int time_limit_of_a_socket() __asm__("a time limit of a socket (SO_RCVTIMEO, SO_SNDTIMEO)");
// Defined where the program calls it (connect.cc).
int connect(int, const sockaddr*, socklen_t) __attribute__((weak));
}

namespace {

struct Address {
  sockaddr_storage bytes;
  socklen_t size;
};

// What a descriptor is beyond a pair of channels.
struct Socket {
  Channel* channel;  // whose it is; another one: the number has been used again
  int family;
  Address own, peer;
};
Socket sockets[kDescriptors];

// A connection that is not accepted yet: what its accepted end reads and writes.
struct Connection {
  Channel *input, *output;
  Address from;
};

// A name that a socket is bound to.
struct Name {
  Channel* channel;  // null: free
  Address address;
};
constexpr size_t kNamesMost = 64;

struct {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  unsigned ports = 0;  // that were given to sockets without one
  Name all[kNamesMost];
} names;

class NamesLock {
 public:
  NamesLock() { pthread_mutex_lock(&names.lock); }
  ~NamesLock() { pthread_mutex_unlock(&names.lock); }
};

Socket* socket_at(int number) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr) return failed(file_fcntl(number, F_GETFD) < 0 ? EBADF : ENOTSOCK), nullptr;
  Socket* const found = &sockets[number];
  if (found->channel == d->channel) return found;
  if (d->channel == d->output) return failed(ENOTSOCK), nullptr;
  *found = {d->channel, AF_UNIX, {}, {}};  // one of a pair, or a duplicate
  found->own.size = found->peer.size = sizeof(sa_family_t);
  return found;
}

in_port_t* port_of(Address& a) {
  if (a.bytes.ss_family == AF_INET) return &reinterpret_cast<sockaddr_in*>(&a.bytes)->sin_port;
  return &reinterpret_cast<sockaddr_in6*>(&a.bytes)->sin6_port;
}

Address unnamed(int family) {
  Address a = {};
  a.bytes.ss_family = static_cast<sa_family_t>(family);
  a.size = family == AF_INET    ? sizeof(sockaddr_in)
           : family == AF_INET6 ? sizeof(sockaddr_in6)
                                : static_cast<socklen_t>(sizeof(sa_family_t));
  if (family == AF_INET) reinterpret_cast<sockaddr_in*>(&a.bytes)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (family == AF_INET6) reinterpret_cast<sockaddr_in6*>(&a.bytes)->sin6_addr.s6_addr[15] = 1;  // ::1
  return a;
}

// Holds the lock of names.
void give_port(Address& a) {
  if (a.bytes.ss_family == AF_UNIX || *port_of(a) != 0) return;
  constexpr unsigned kFirstPort = 32768;
  *port_of(a) = htons(static_cast<in_port_t>(kFirstPort + names.ports++));
}

// Of internet addresses the port counts: all of them are this machine.
bool same_address(Address& a, Address& b) {
  if (a.bytes.ss_family != b.bytes.ss_family) return false;
  if (a.bytes.ss_family != AF_UNIX) return *port_of(a) == *port_of(b);
  return a.size == b.size && std::memcmp(&a.bytes, &b.bytes, a.size) == 0;
}

bool read_address(const Socket& s, const sockaddr* from, socklen_t size, Address& into) {
  if (from == nullptr || size < sizeof(sa_family_t) || size > sizeof into.bytes) return failed(EINVAL), false;
  if (from->sa_family != s.family) return failed(EAFNOSUPPORT), false;
  if (size < unnamed(s.family).size) return failed(EINVAL), false;
  into = {};
  std::memcpy(&into.bytes, from, size);
  into.size = s.family == AF_UNIX ? size : unnamed(s.family).size;
  if (s.family == AF_UNIX) {  // up to the end of the text
    const auto* const un = reinterpret_cast<const sockaddr_un*>(&into.bytes);
    if (size > offsetof(sockaddr_un, sun_path) && un->sun_path[0] != '\0')
      into.size =
          static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + strnlen(un->sun_path, sizeof un->sun_path) + 1);
  }
  return true;
}

int write_address(const Address& from, sockaddr* to, socklen_t* size) {
  if (to == nullptr) return 0;
  if (size == nullptr) return failed(EFAULT);
  std::memcpy(to, &from.bytes, *size < from.size ? *size : from.size);
  *size = from.size;
  return 0;
}

// Holds the lock of names. The socket of this name, which listens or not; null: there is none.
Channel* bound_to(Address& a) {
  for (Name& name : names.all)
    if (name.channel != nullptr && same_address(name.address, a)) return name.channel;
  return nullptr;
}

// Holds the lock of names.
int bind_to(Socket& s, const Address& wanted) {
  for (Name& name : names.all) {
    if (name.channel != nullptr) continue;
    name = {s.channel, wanted};
    s.own = wanted;
    s.channel->bound = true;
    return 0;
  }
  return failed(ENOMEM);
}

// Both ends of a connection count from now on: no thread sees the other one as closed before it was accepted.
void hold(Channel* c, int readers, int writers) {
  Call call(c);
  c->readers += readers;
  c->writers += writers;
  ++c->holders;
}

void forget(Connection& one) {
  leave(one.input, 1, 0, 1);
  leave(one.output, 0, 1, 1);
}

void forget_name(Channel* c) {
  {
    NamesLock lock;
    for (Name& name : names.all)
      if (name.channel == c) name.channel = nullptr;
  }
  Call call(c);
  for (Connection one; c->count > 0; forget(one)) take(*c, reinterpret_cast<unsigned char*>(&one), sizeof one);
}

// From outside, where no thread of the program has connected. False: no more will come.
bool from_outside(Socket& s, Channel& listener, Connection& into) {
  {
    Call call(&listener);
    if (listener.count != 0 || listener.readers <= 0) return false;
  }
  int client = 0;
  {
    NamesLock lock;
    client = next_client(1);
  }
  if (client == 0) return false;
  into = {new_channel(), new_channel(), unnamed(s.family)};
  into.input->client = into.output->client = client;
  into.input->readers = into.input->writers = into.input->holders = 1;
  into.output->readers = into.output->writers = into.output->holders = 1;
  constexpr int kClientPort = 60000;
  if (s.family != AF_UNIX) *port_of(into.from) = htons(static_cast<in_port_t>(kClientPort + client));
  return true;
}

bool client_waits(const Channel& c) {
  if (!c.listens || clients() == 0) return false;
  NamesLock lock;
  return next_client(0) != 0;
}

// The first connection that waits; false: none, and EAGAIN.
bool next_connection(Socket& s, Descriptor& d, Connection& into) {
  Channel& c = *d.channel;
  if (clients() != 0 && from_outside(s, c, into)) return true;
  Call call(&c);
  while (c.count == 0) {
    if (c.readers <= 0) return failed(EINVAL), false;  // shutdown
    if (!waits(d)) return failed(EAGAIN), false;
    if (&connect == nullptr && clients() == 0) return accept_from_outside(), false;
    call.wait();
  }
  take(c, reinterpret_cast<unsigned char*>(&into), sizeof into);
  ++c.taken;
  call.changed();
  return true;
}

int message_size(const msghdr* message, size_t& size) {
  size = 0;
  if (message->msg_controllen != 0 && message->msg_control != nullptr) return message_with_control();
  for (size_t n = 0; n < message->msg_iovlen; ++n) size += message->msg_iov[n].iov_len;
  return 0;
}

}  // namespace

extern "C" {

int socket(int family, int type, int protocol) {
  const int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  const bool streams = kind == SOCK_STREAM && (family == AF_INET || family == AF_INET6 || family == AF_UNIX);
  if (!streams || (protocol != 0 && protocol != IPPROTO_TCP)) return socket_of_other_kinds();
  const int number = free_number();
  if (number < 0) return -1;
  Channel* const c = new_channel();
  c->unconnected = true;
  open_end(number, {c, c, false, false, !(type & SOCK_NONBLOCK)});
  sockets[number] = {c, family, unnamed(family), unnamed(family)};
  return number;
}

int bind(int number, const sockaddr* name, socklen_t size) {
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  Address wanted;
  if (s->channel->bound) return failed(EINVAL);
  if (!read_address(*s, name, size, wanted)) return -1;
  NamesLock lock;
  give_port(wanted);
  return bound_to(wanted) != nullptr ? failed(EADDRINUSE) : bind_to(*s, wanted);
}

int listen(int number, int) {
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  Descriptor& d = *pipe_at(number);
  if (!d.channel->unconnected) return failed(EINVAL);
  NamesLock lock;
  if (d.channel->listens) return 0;
  give_port(s->own);
  if (!d.channel->bound && bind_to(*s, s->own) < 0) return -1;
  Call call(d.channel);
  d.channel->listens = true;
  d.channel->readers = d.channel->writers = 1;
  d.reads = true;
  return 0;
}

// What `connect` does.
int connect_socket(int number, const sockaddr* name, socklen_t size) __asm__("heddle.connect_socket");
int connect_socket(int number, const sockaddr* name, socklen_t size) {
  pthread_testcancel();
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  Descriptor& d = *pipe_at(number);
  Address wanted;
  if (!d.channel->unconnected || d.channel->listens) return failed(d.channel->listens ? EINVAL : EISCONN);
  if (!read_address(*s, name, size, wanted)) return -1;
  NamesLock lock;
  Channel* const listener = bound_to(wanted);
  if (listener == nullptr && s->family == AF_UNIX) return failed(ENOENT);
  if (listener == nullptr || !listener->listens) return failed(ECONNREFUSED);
  give_port(s->own);
  Channel *const there = new_channel(), *const back = new_channel(), *const unused = d.channel;
  const Descriptor end = {back, there, true, true, d.waits};
  hold(there, 1, 0);
  hold(back, 0, 1);
  open_end(number, end);
  for (Name& one : names.all)
    if (one.channel == unused) one.channel = back, back->bound = true;
  s->channel = back;
  s->peer = wanted;
  leave(unused, 0, 0, 1);
  const Connection made = {there, back, s->own};
  Call call(listener);
  put(*listener, reinterpret_cast<const unsigned char*>(&made), sizeof made);
  ++listener->arrived;
  call.changed();
  return 0;
}

int accept4(int number, sockaddr* name, socklen_t* size, int flags) {
  pthread_testcancel();
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  if (!s->channel->listens) return failed(EINVAL);
  Connection one;
  if (!next_connection(*s, *pipe_at(number), one)) return -1;
  const int made = free_number();
  if (made < 0) return forget(one), -1;
  give_number(made, {one.input, one.output, true, true, !(flags & SOCK_NONBLOCK)});
  sockets[made] = {one.input, s->family, s->own, one.from};
  return write_address(one.from, name, size) < 0 ? -1 : made;
}
int accept(int number, sockaddr* name, socklen_t* size) { return accept4(number, name, size, 0); }

int getsockname(int number, sockaddr* name, socklen_t* size) {
  Socket* const s = socket_at(number);
  return s == nullptr ? -1 : write_address(s->own, name, size);
}
int getpeername(int number, sockaddr* name, socklen_t* size) {
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  return pipe_at(number)->channel->unconnected ? failed(ENOTCONN) : write_address(s->peer, name, size);
}

int setsockopt(int number, int level, int option, const void* value, socklen_t size) {
  if (socket_at(number) == nullptr) return -1;
  if (level != SOL_SOCKET || (option != SO_RCVTIMEO && option != SO_SNDTIMEO)) return 0;
  timeval most = {};
  std::memcpy(&most, value, size < sizeof most ? size : sizeof most);
  return most.tv_sec == 0 && most.tv_usec == 0 ? 0 : time_limit_of_a_socket();
}
int getsockopt(int number, int level, int option, void* value, socklen_t* size) {
  Socket* const s = socket_at(number);
  if (s == nullptr) return -1;
  if (level != SOL_SOCKET) return other_option_of_a_socket();
  int found = 0;
  switch (option) {
    case SO_ERROR:
    case SO_RCVTIMEO:
    case SO_SNDTIMEO: break;  // a limit of time is not set (setsockopt)
    case SO_TYPE: found = SOCK_STREAM; break;
    case SO_DOMAIN: found = s->family; break;
    case SO_ACCEPTCONN: found = s->channel->listens; break;
    case SO_SNDBUF:
    case SO_RCVBUF: found = static_cast<int>(kPipeMost); break;
    default: return other_option_of_a_socket();
  }
  if (*size > sizeof found) {
    std::memset(value, 0, *size);
    std::memcpy(value, &found, sizeof found);
    return 0;
  }
  std::memcpy(value, &found, *size);
  return 0;
}

// Of a stream, whose address is that of its peer.
ssize_t sendto(int number, const void* from, size_t size, int flags, const sockaddr*, socklen_t) {
  return send(number, from, size, flags);
}
ssize_t recvfrom(int number, void* to, size_t size, int flags, sockaddr*, socklen_t* name_size) {
  const ssize_t got = recv(number, to, size, flags);
  if (got >= 0 && name_size != nullptr) *name_size = 0;
  return got;
}

namespace {
// Freed also when the thread is cancelled.
struct Bytes {
  explicit Bytes(size_t size) : all(static_cast<char*>(memory(size + 1))) {}
  ~Bytes() { std::free(all); }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  char* const all;
};
}  // namespace

ssize_t sendmsg(int number, const msghdr* message, int flags) {
  size_t size = 0;
  if (message_size(message, size) < 0) return -1;
  const Bytes bytes(size);
  size_t at = 0;
  for (size_t n = 0; n < message->msg_iovlen; at += message->msg_iov[n++].iov_len)
    std::memcpy(bytes.all + at, message->msg_iov[n].iov_base, message->msg_iov[n].iov_len);
  return send(number, bytes.all, size, flags);
}
ssize_t recvmsg(int number, msghdr* message, int flags) {
  size_t size = 0;
  if (message_size(message, size) < 0) return -1;
  const Bytes bytes(size);
  const ssize_t got = recv(number, bytes.all, size, flags);
  size_t left = got < 0 ? 0 : static_cast<size_t>(got), at = 0;
  for (size_t n = 0; left > 0; ++n) {
    const size_t part = left < message->msg_iov[n].iov_len ? left : message->msg_iov[n].iov_len;
    std::memcpy(message->msg_iov[n].iov_base, bytes.all + at, part);
    at += part;
    left -= part;
  }
  if (got >= 0) message->msg_namelen = 0, message->msg_flags = 0;
  return got;
}

int ioctl(int number, unsigned long request, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, request);
  int* const value = __builtin_va_arg(list, int*);
  __builtin_va_end(list);
  Descriptor* const d = pipe_at(number);
  if (d == nullptr) return failed(file_fcntl(number, F_GETFD) < 0 ? EBADF : ENOTTY);
  if (request == FIONBIO) {
    __atomic_store_n(&d->waits, *value == 0, __ATOMIC_RELAXED);
    return 0;
  }
  if (request != FIONREAD) return failed(ENOTTY);
  Call call(d->channel);
  *value = static_cast<int>(d->channel->count);
  return 0;
}

// Of a file, as one read and one write after the other.
ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  char part[256];
  size_t all = 0;
  while (all < size) {
    const size_t most = size - all < sizeof part ? size - all : sizeof part;
    const ssize_t got = at != nullptr ? pread(from, part, most, *at) : read(from, part, most);
    if (got <= 0) return got < 0 && all == 0 ? got : static_cast<ssize_t>(all);
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = write(to, part + done, static_cast<size_t>(got - done));
      if (written < 0) return all == 0 ? written : static_cast<ssize_t>(all);
      done += written;
      all += static_cast<size_t>(written);
      if (at != nullptr) *at += written;
    }
  }
  return static_cast<ssize_t>(all);
}
ssize_t sendfile64(int to, int from, off64_t* at, size_t size) { return sendfile(to, from, at, size); }

}  // extern "C"
