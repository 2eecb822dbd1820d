#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

struct channel {
  sem_t full;
  int value;
};

static void *sends(void *arg) {
  struct channel *channel = arg;
  channel->value = 7;  // RACE!
  sem_post(&channel->full);
  return NULL;
}

int main(void) {
  pthread_t t;
  int file = shm_open("/heddle_channel", O_CREAT | O_EXCL | O_RDWR, 0600);
  assert(file >= 0 && shm_open("/heddle_channel", O_CREAT | O_EXCL | O_RDWR, 0600) == -1 && errno == EEXIST);
  assert(ftruncate(file, sizeof(struct channel)) == 0);
  struct channel *channel = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  assert(channel != MAP_FAILED && sem_init(&channel->full, 1, 0) == 0);
  pthread_create(&t, NULL, sends, channel);
  while (sem_trywait(&channel->full) != 0 && channel->value == 0) {}  // RACE!
  assert(channel->value == 7);  // RACE?
  pthread_join(t, NULL);
  assert(msync(channel, sizeof *channel, MS_SYNC) == 0 && munmap(channel, sizeof *channel) == 0);
  assert(shm_unlink("/heddle_channel") == 0 && shm_unlink("/heddle_channel") == -1 && errno == ENOENT);
  return 0;
}
