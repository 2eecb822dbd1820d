/* C: a lock is missing in one function. */
#include <pthread.h>

struct wrong_pile {
  pthread_mutex_t mutex;
  int items[4];
  int count;
};
void wrong_pile_push(struct wrong_pile* pile, int item) {
  pthread_mutex_lock(&pile->mutex);
  if (pile->count < 4) pile->items[pile->count++] = item;
  pthread_mutex_unlock(&pile->mutex);
}
int wrong_pile_top(struct wrong_pile* pile) {
  int item;

  item = pile->count > 0 ? pile->items[pile->count - 1] : -1;

  return item;
}

struct right_pile {
  pthread_mutex_t mutex;
  int items[4];
  int count;
};
void right_pile_push(struct right_pile* pile, int item) {
  pthread_mutex_lock(&pile->mutex);
  if (pile->count < 4) pile->items[pile->count++] = item;
  pthread_mutex_unlock(&pile->mutex);
}
int right_pile_top(struct right_pile* pile) {
  int item;
  pthread_mutex_lock(&pile->mutex);
  item = pile->count > 0 ? pile->items[pile->count - 1] : -1;
  pthread_mutex_unlock(&pile->mutex);
  return item;
}
