// Of the commands of fcntl() only those that wait for a record are cancellation points, and lockf() with F_LOCK.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER, first = PTHREAD_MUTEX_INITIALIZER,
                       second = PTHREAD_MUTEX_INITIALIZER;
static struct flock record = {.l_type = F_WRLCK};
static int file;

static void *asks(void *unused) {
  pthread_mutex_lock(&never);
  fcntl(file, F_GETFL);
  fcntl(file, F_SETLK, &record);
  (void)!lockf(file, F_TLOCK, 0);
  pthread_mutex_unlock(&never);
  return unused;
}

static void *by_fcntl(void *unused) {
  pthread_mutex_lock(&first);
  fcntl(file, F_SETLKW, &record);
  pthread_mutex_unlock(&first);
  return unused;
}

static void *by_lockf(void *unused) {
  pthread_mutex_lock(&second);
  (void)!lockf(file, F_LOCK, 0);
  pthread_mutex_unlock(&second);
  return unused;
}

static void cancelled(void *(*start)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, start, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
}

int main(void) {
  file = open("records", O_RDWR | O_CREAT, 0600);
  cancelled(asks);
  pthread_mutex_lock(&never);
  cancelled(by_fcntl);
  pthread_mutex_lock(&first);  // ERROR(deadlock)!
  cancelled(by_lockf);
  pthread_mutex_lock(&second);  // ERROR(deadlock)!
  return 0;
}
