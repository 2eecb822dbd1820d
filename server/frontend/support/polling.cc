// Waiting until one of several descriptors is ready: poll, select, epoll. With pipes.cc one text. A thread that waits
// looks again after each change of any descriptor; a time limit may pass before anything happens: a thread that makes a
// descriptor ready comes before or after.
#include <ctime>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

namespace {

struct Interest {
  int number;
  Channel* channel;  // null: free
  epoll_event wanted;
  bool armed;               // EPOLLONESHOT: until it was reported
  unsigned arrived, taken;  // EPOLLET: what was reported; at first something that is not so
};
constexpr size_t kInterestsMost = 64;

unsigned ready(int number, unsigned wanted);
bool client_waits(const Channel& c);  // sockets.cc

unsigned counted(Channel* c, unsigned Channel::* what) {
  Call call(c);
  return c->*what;
}

// Holds the lock of the epoll instance. EPOLLIN and the like have the values of POLLIN and the like.
unsigned events_of(Interest& i, bool now) {
  Descriptor* const d = pipe_at(i.number);
  if (d == nullptr || d->channel != i.channel) {
    i.channel = nullptr;
    return 0;
  }
  if (!i.armed) return 0;
  const bool edge = i.wanted.events & EPOLLET;
  const unsigned arrived = edge ? counted(d->channel, &Channel::arrived) : 0;
  const unsigned taken = edge ? counted(d->output, &Channel::taken) : 0;
  const unsigned found = ready(i.number, i.wanted.events & 0xffffu);
  const bool news = arrived != i.arrived || ((i.wanted.events & EPOLLOUT) && taken != i.taken);
  if (found == 0 || (edge && !news)) return 0;
  if (now) {
    i.arrived = arrived;
    i.taken = taken;
    i.armed = !(i.wanted.events & EPOLLONESHOT);
  }
  return found;
}

bool any_event(Channel& c) {
  Call call(&c);
  for (size_t n = 0; n < kInterestsMost; ++n)
    if (c.interests[n].channel != nullptr && events_of(c.interests[n], false) != 0) return true;
  return false;
}

// What of `wanted` a descriptor is ready for, as poll reports it.
unsigned ready(int number, unsigned wanted) {
  Descriptor* const d = pipe_at(number);
  if (d == nullptr) return file_fcntl(number, F_GETFD) < 0 ? POLLNVAL : wanted & (POLLIN | POLLOUT);
  if (d->channel->watches) return any_event(*d->channel) ? wanted & POLLIN : 0;
  const bool socket = d->channel != d->output;
  unsigned found = 0;
  bool input_ended = false, output_ended = false;
  if (d->reads && client_waits(*d->channel)) found |= POLLIN;
  {
    Channel& c = *d->channel;
    Call call(&c);
    input_ended = (d->reads || socket) && !c.counts && c.writers == 0;
    if (d->reads && (has_input(c) || c.client != 0)) found |= POLLIN;
    if (!socket && d->writes && has_room(c)) found |= POLLOUT;
    output_ended = !socket && d->writes && !c.counts && c.readers == 0;
  }
  if (socket) {
    Call call(d->output);
    output_ended = d->output->readers == 0 || !d->writes;
    if (has_room(*d->output) || output_ended) found |= POLLOUT;
    if (input_ended || !d->reads) found |= POLLIN | POLLRDHUP;
    if ((input_ended || !d->reads) && output_ended) found |= POLLHUP;
  } else {
    if (input_ended) found |= POLLHUP;
    if (output_ended) found |= POLLERR;
  }
  return found & (wanted | POLLHUP | POLLERR);
}

void look_at_all(const pollfd* list, nfds_t count) {
  for (nfds_t n = 0; n < count; ++n)
    if (list[n].fd >= 0) look_at(&list[n].events, sizeof list[n].events);
}

int ready_ones(pollfd* list, nfds_t count) {
  int found = 0;
  for (nfds_t n = 0; n < count; ++n) {
    list[n].revents =
        list[n].fd < 0 ? short{0} : static_cast<short>(ready(list[n].fd, static_cast<unsigned short>(list[n].events)));
    found += list[n].revents != 0;
  }
  return found;
}

// A thread that waits: what changes from now on is reported to it, also when it is cancelled.
class Waiter {
 public:
  Waiter() {
    pthread_mutex_lock(&changes.lock);
    __atomic_add_fetch(&changes.waiters, 1, __ATOMIC_ACQ_REL);
    seen_ = changes.count;
    pthread_mutex_unlock(&changes.lock);
  }
  ~Waiter() { __atomic_sub_fetch(&changes.waiters, 1, __ATOMIC_ACQ_REL); }
  void wait() {
    Lock lock;
    while (seen_ == changes.count) pthread_cond_wait(&changes.changed, &changes.lock);
    seen_ = changes.count;
  }

 private:
  struct Lock {
    Lock() { pthread_mutex_lock(&changes.lock); }
    ~Lock() { pthread_mutex_unlock(&changes.lock); }
  };
  unsigned seen_;
};

// Until `look` finds something or the limit (null: none) has passed.
template <typename Look>
int wait_until(const timespec* limit, Look look) {
  if (const int found = look(); found != 0) return found;
  if (limit != nullptr && limit->tv_sec == 0 && limit->tv_nsec == 0) return 0;
  if (limit != nullptr) {
    nanosleep(limit, nullptr);
    return look();
  }
  Waiter waiter;
  for (;;) {
    if (const int found = look(); found != 0) return found;
    waiter.wait();
  }
}

timespec of_milliseconds(int milliseconds) { return {milliseconds / 1000, milliseconds % 1000 * 1000000L}; }

int select_until(int count, fd_set* in, fd_set* out, fd_set* exceptions, const timespec* limit) {
  if (count < 0 || count > FD_SETSIZE) return failed(EINVAL);
  fd_set can_read, can_write;
  const auto look = [&] {
    int found = 0;
    FD_ZERO(&can_read);
    FD_ZERO(&can_write);
    for (int n = 0; n < count; ++n) {
      const bool reads = in && FD_ISSET(n, in), writes = out && FD_ISSET(n, out);
      if (!reads && !writes && !(exceptions && FD_ISSET(n, exceptions))) continue;
      const unsigned is = ready(n, POLLIN | POLLOUT);
      if (is & POLLNVAL) return failed(EBADF);
      if (reads && (is & (POLLIN | POLLHUP | POLLERR))) FD_SET(n, &can_read), ++found;
      if (writes && (is & (POLLOUT | POLLERR))) FD_SET(n, &can_write), ++found;
    }
    return found;
  };
  const int found = wait_until(limit, look);
  if (found < 0) return found;
  if (in) *in = can_read;
  if (out) *out = can_write;
  if (exceptions) FD_ZERO(exceptions);
  return found;
}

Interest* interest_of(Channel& c, int number, Channel* channel) {
  for (size_t n = 0; n < kInterestsMost; ++n)
    if (c.interests[n].channel == channel && (channel == nullptr || c.interests[n].number == number))
      return &c.interests[n];
  return nullptr;
}

int report_all(Channel& c, epoll_event* events, int most) {
  Call call(&c);
  int found = 0;
  for (size_t n = 0; n < kInterestsMost && found < most; ++n) {
    Interest& i = c.interests[n];
    if (i.channel == nullptr) continue;
    const unsigned is = events_of(i, true);
    if (is == 0) continue;
    events[found].events = is;
    events[found++].data = i.wanted.data;
  }
  return found;
}

}  // namespace

extern "C" {

int poll(pollfd* list, nfds_t count, int milliseconds) {
  pthread_testcancel();
  look_at_all(list, count);
  const timespec limit = of_milliseconds(milliseconds);
  return wait_until(milliseconds < 0 ? nullptr : &limit, [&] { return ready_ones(list, count); });
}
int ppoll(pollfd* list, nfds_t count, const timespec* limit, const sigset_t*) {
  pthread_testcancel();
  look_at_all(list, count);
  return wait_until(limit, [&] { return ready_ones(list, count); });
}

int select(int count, fd_set* in, fd_set* out, fd_set* exceptions, timeval* limit) {
  pthread_testcancel();
  if (limit == nullptr) return select_until(count, in, out, exceptions, nullptr);
  const timespec most = {limit->tv_sec, limit->tv_usec * 1000};
  return select_until(count, in, out, exceptions, &most);
}
int pselect(int count, fd_set* in, fd_set* out, fd_set* exceptions, const timespec* limit, const sigset_t*) {
  pthread_testcancel();
  return select_until(count, in, out, exceptions, limit);
}

int epoll_create1(int flags) {
  if (flags & ~EPOLL_CLOEXEC) return failed(EINVAL);
  const int number = free_number();
  if (number < 0) return -1;
  Channel* const c = new_channel();
  c->watches = true;
  c->interests = static_cast<Interest*>(memory(kInterestsMost * sizeof(Interest)));
  open_end(number, {c, c, true, false, true});
  return number;
}
int epoll_create(int size) { return size > 0 ? epoll_create1(0) : failed(EINVAL); }

int epoll_ctl(int instance, int operation, int number, epoll_event* event) {
  Descriptor* const watching = pipe_at(instance);
  Descriptor* const d = pipe_at(number);
  if (watching == nullptr) return failed(file_fcntl(instance, F_GETFD) < 0 ? EBADF : EINVAL);
  if (d == nullptr) return failed(file_fcntl(number, F_GETFD) < 0 ? EBADF : EPERM);
  if (!watching->channel->watches || instance == number) return failed(EINVAL);
  Channel& c = *watching->channel;
  Call call(&c);
  Interest* const known = interest_of(c, number, d->channel);
  if (operation == EPOLL_CTL_ADD && known) return failed(EEXIST);
  if (operation != EPOLL_CTL_ADD && !known) return failed(ENOENT);
  if (operation == EPOLL_CTL_DEL) {
    known->channel = nullptr;
    return 0;
  }
  if (operation != EPOLL_CTL_ADD && operation != EPOLL_CTL_MOD) return failed(EINVAL);
  Interest* const place = known ? known : interest_of(c, 0, nullptr);
  if (place == nullptr) return failed(ENOSPC);
  *place = {number, d->channel, *event, true, counted(d->channel, &Channel::arrived) - 1, 0};
  return 0;
}

int epoll_wait(int instance, epoll_event* events, int most, int milliseconds) {
  pthread_testcancel();
  Descriptor* const watching = pipe_at(instance);
  if (watching == nullptr) return failed(file_fcntl(instance, F_GETFD) < 0 ? EBADF : EINVAL);
  if (!watching->channel->watches || most <= 0) return failed(EINVAL);
  const timespec limit = of_milliseconds(milliseconds);
  return wait_until(milliseconds < 0 ? nullptr : &limit, [&] { return report_all(*watching->channel, events, most); });
}
int epoll_pwait(int instance, epoll_event* events, int most, int milliseconds, const sigset_t*) {
  return epoll_wait(instance, events, most, milliseconds);
}

}  // extern "C"
