// POSIX message queues between the threads of one process: a mutex, a condition variable and messages by priority.
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/stat.h>

namespace {

constexpr int kFirstNumber = 512, kOpenMost = 64;
constexpr long kMessagesUsual = 10, kSizeUsual = 8192;
constexpr unsigned kPriorities = 32768;

struct Message {
  Message* next;
  unsigned priority;
  size_t size;
  char* bytes;
};

struct Queue {
  Queue* next;
  char* name;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  Message* first;  // the one that is received next
  long count, most, size_most;
  int holders;  // descriptors, and 1 for the name
};

struct Open {
  Queue* queue;
  int flags;
};

pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
Queue* named;
Open open_ones[kOpenMost];

class Locked {
 public:
  explicit Locked(pthread_mutex_t& lock) : lock_(lock) { pthread_mutex_lock(&lock_); }
  ~Locked() { pthread_mutex_unlock(&lock_); }

 private:
  pthread_mutex_t& lock_;
};

int failed(int error) {
  errno = error;
  return -1;
}

void* memory(size_t size) {
  void* const block = std::calloc(1, size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}

Queue* find(const char* name) {
  for (Queue* one = named; one != nullptr; one = one->next)
    if (std::strcmp(one->name, name) == 0) return one;
  return nullptr;
}

// With the table's lock.
void release(Queue* queue) {
  if (--queue->holders != 0) return;
  while (Message* const message = queue->first) {
    queue->first = message->next;
    std::free(message->bytes);
    std::free(message);
  }
  pthread_mutex_destroy(&queue->lock);
  pthread_cond_destroy(&queue->changed);
  std::free(queue->name);
  std::free(queue);
}

// Null, and errno: the number is no open queue.
Open* open_at(mqd_t number) {
  const int index = number - kFirstNumber;
  Open* const one = index >= 0 && index < kOpenMost ? &open_ones[index] : nullptr;
  if (one != nullptr && __atomic_load_n(&one->queue, __ATOMIC_ACQUIRE) != nullptr) return one;
  errno = EBADF;
  return nullptr;
}

Queue* make(const char* name, const mq_attr* attributes) {
  if (attributes != nullptr && (attributes->mq_maxmsg <= 0 || attributes->mq_msgsize <= 0)) {
    errno = EINVAL;
    return nullptr;
  }
  auto* const queue = static_cast<Queue*>(memory(sizeof(Queue)));
  pthread_mutex_init(&queue->lock, nullptr);
  pthread_cond_init(&queue->changed, nullptr);
  queue->name = static_cast<char*>(memory(std::strlen(name) + 1));
  std::strcpy(queue->name, name);
  queue->most = attributes != nullptr ? attributes->mq_maxmsg : kMessagesUsual;
  queue->size_most = attributes != nullptr ? attributes->mq_msgsize : kSizeUsual;
  queue->holders = 1;
  queue->next = named;
  named = queue;
  return queue;
}

// 0, or the error. The queue's lock is held.
int wait_for_change(Queue& queue, int flags, const timespec* until) {
  if (flags & O_NONBLOCK) return EAGAIN;
  if (until == nullptr) return pthread_cond_wait(&queue.changed, &queue.lock);
  if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000) return EINVAL;
  return pthread_cond_timedwait(&queue.changed, &queue.lock, until);
}

int send(mqd_t number, const char* bytes, size_t size, unsigned priority, const timespec* until) {
  Open* const one = open_at(number);
  if (one == nullptr) return -1;
  if ((one->flags & O_ACCMODE) == O_RDONLY) return failed(EBADF);
  Queue& queue = *one->queue;
  if (priority >= kPriorities) return failed(EINVAL);
  if (size > static_cast<size_t>(queue.size_most)) return failed(EMSGSIZE);
  const Locked locked(queue.lock);
  while (queue.count == queue.most)
    if (const int error = wait_for_change(queue, one->flags, until)) return failed(error);
  auto* const message = static_cast<Message*>(memory(sizeof(Message)));
  message->bytes = static_cast<char*>(memory(size));
  std::memcpy(message->bytes, bytes, size);
  message->size = size;
  message->priority = priority;
  Message** at = &queue.first;
  while (*at != nullptr && (*at)->priority >= priority) at = &(*at)->next;
  message->next = *at;
  *at = message;
  ++queue.count;
  pthread_cond_broadcast(&queue.changed);
  return 0;
}

ssize_t receive(mqd_t number, char* to, size_t most, unsigned* priority, const timespec* until) {
  Open* const one = open_at(number);
  if (one == nullptr) return -1;
  if ((one->flags & O_ACCMODE) == O_WRONLY) return failed(EBADF);
  Queue& queue = *one->queue;
  if (most < static_cast<size_t>(queue.size_most)) return failed(EMSGSIZE);
  const Locked locked(queue.lock);
  while (queue.count == 0)
    if (const int error = wait_for_change(queue, one->flags, until)) return failed(error);
  Message* const message = queue.first;
  queue.first = message->next;
  --queue.count;
  std::memcpy(to, message->bytes, message->size);
  if (priority != nullptr) *priority = message->priority;
  const auto size = static_cast<ssize_t>(message->size);
  std::free(message->bytes);
  std::free(message);
  pthread_cond_broadcast(&queue.changed);
  return size;
}

}  // namespace

extern "C" {

mqd_t mq_open(const char* name, int flags, ...) {
  const mq_attr* attributes = nullptr;
  if (flags & O_CREAT) {
    va_list values;
    va_start(values, flags);
    (void)va_arg(values, mode_t);
    attributes = va_arg(values, const mq_attr*);
    va_end(values);
  }
  if (name[0] != '/' || name[1] == 0) return failed(EINVAL);
  const Locked locked(table_lock);
  Queue* queue = find(name);
  if (queue == nullptr && !(flags & O_CREAT)) return failed(ENOENT);
  if (queue != nullptr && (flags & O_CREAT) && (flags & O_EXCL)) return failed(EEXIST);
  int index = 0;
  while (index < kOpenMost && open_ones[index].queue != nullptr) ++index;
  if (index == kOpenMost) return failed(EMFILE);
  if (queue == nullptr) queue = make(name, attributes);
  if (queue == nullptr) return -1;
  ++queue->holders;
  open_ones[index].flags = flags;
  __atomic_store_n(&open_ones[index].queue, queue, __ATOMIC_RELEASE);
  return kFirstNumber + index;
}

int mq_close(mqd_t number) {
  const Locked locked(table_lock);
  Open* const one = open_at(number);
  if (one == nullptr) return -1;
  Queue* const queue = one->queue;
  __atomic_store_n(&one->queue, static_cast<Queue*>(nullptr), __ATOMIC_RELEASE);
  release(queue);
  return 0;
}

int mq_unlink(const char* name) {
  const Locked locked(table_lock);
  Queue* const queue = find(name);
  if (queue == nullptr) return failed(ENOENT);
  Queue** at = &named;
  while (*at != queue) at = &(*at)->next;
  *at = queue->next;
  release(queue);
  return 0;
}

int mq_send(mqd_t number, const char* bytes, size_t size, unsigned priority) {
  pthread_testcancel();
  return send(number, bytes, size, priority, nullptr);
}
int mq_timedsend(mqd_t number, const char* bytes, size_t size, unsigned priority, const timespec* until) {
  pthread_testcancel();
  return send(number, bytes, size, priority, until);
}
ssize_t mq_receive(mqd_t number, char* to, size_t most, unsigned* priority) {
  pthread_testcancel();
  return receive(number, to, most, priority, nullptr);
}
ssize_t mq_timedreceive(mqd_t number, char* to, size_t most, unsigned* priority, const timespec* until) {
  pthread_testcancel();
  return receive(number, to, most, priority, until);
}

int mq_setattr(mqd_t number, const mq_attr* now, mq_attr* before) {
  Open* const one = open_at(number);
  if (one == nullptr) return -1;
  const Locked locked(one->queue->lock);
  if (before != nullptr) {
    *before = {};
    before->mq_flags = one->flags & O_NONBLOCK;
    before->mq_maxmsg = one->queue->most;
    before->mq_msgsize = one->queue->size_most;
    before->mq_curmsgs = one->queue->count;
  }
  if (now != nullptr) one->flags = (one->flags & ~O_NONBLOCK) | (now->mq_flags & O_NONBLOCK);
  return 0;
}
int mq_getattr(mqd_t number, mq_attr* to) { return mq_setattr(number, nullptr, to); }
}
