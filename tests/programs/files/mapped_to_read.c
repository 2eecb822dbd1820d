// VERDICT: clear
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *text;
static int seen[2];

static void *looks(void *arg) {
  int *to = arg;
  for (int n = 0; n < 5; ++n) *to += text[n] == 'l';
  return NULL;
}

static void refusals(int file) {
  int reads = open("f", O_RDONLY), writes = open("f", O_WRONLY);
  assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED && errno == EINVAL);
  assert(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, file, 5) == MAP_FAILED && errno == EINVAL);
  assert(mmap(NULL, 10, PROT_READ, 0, file, 0) == MAP_FAILED && errno == EINVAL);
  assert(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED && errno == EBADF);
  assert(mmap(NULL, 10, PROT_READ, MAP_PRIVATE, writes, 0) == MAP_FAILED && errno == EACCES);
  assert(mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, reads, 0) == MAP_FAILED && errno == EACCES);
  char *own = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE, reads, 0);
  own[0] = 'j';  // not in the file
  assert(strcmp(own, "jello") == 0 && munmap(own, 10) == 0);
  close(reads);
  close(writes);
}

int main(void) {
  pthread_t t;
  char again[6] = {0};
  int file = open("f", O_CREAT | O_TRUNC | O_RDWR, 0600);
  assert(write(file, "hello", 5) == 5);
  refusals(file);
  text = mmap(NULL, 5, PROT_READ, MAP_SHARED, file, 0);
  assert(text != MAP_FAILED && text[5] == 0);
  pthread_create(&t, NULL, looks, &seen[0]);
  looks(&seen[1]);
  assert(pread(file, again, 5, 0) == 5 && strcmp(again, "hello") == 0);
  pthread_join(t, NULL);
  assert(seen[0] == 2 && seen[1] == 2);
  close(file);
  munmap((void *)text, 5);
  unlink("f");
  return 0;
}
