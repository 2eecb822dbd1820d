// Two accounts that one function makes, through a wrapper of malloc; two threads lock them in different orders.
#include <pthread.h>
#include <stdlib.h>

struct account {
  long balance;
  pthread_mutex_t lock;
};

static void *get_memory(size_t size) {
  void *memory = malloc(size);
  if (!memory) abort();
  return memory;
}

static struct account *new_account(long balance) {
  struct account *made = get_memory(sizeof *made);
  made->balance = balance;
  pthread_mutex_init(&made->lock, NULL);
  return made;
}

static void transfer(struct account *from, struct account *to, long amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static struct account *north, *south;

static void *south_wards(void *argument) {
  transfer(north, south, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  north = new_account(10);
  south = new_account(10);
  pthread_create(&thread, NULL, south_wards, NULL);
  transfer(south, north, 2);
  pthread_join(thread, NULL);
  free(north);
  free(south);
  return 0;
}
