/* C: the order of two locks depends on the arguments. */
#include <pthread.h>

struct wrong_purse {
  pthread_mutex_t mutex;
  int coins;
};
void wrong_purse_move(struct wrong_purse* from, struct wrong_purse* to, int coins) {
  struct wrong_purse* first = from;
  struct wrong_purse* second = to;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->coins -= coins;
  to->coins += coins;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
}
int wrong_purse_coins(struct wrong_purse* purse) {
  int coins;
  pthread_mutex_lock(&purse->mutex);
  coins = purse->coins;
  pthread_mutex_unlock(&purse->mutex);
  return coins;
}

struct right_purse {
  pthread_mutex_t mutex;
  int coins;
};
void right_purse_move(struct right_purse* from, struct right_purse* to, int coins) {
  struct right_purse* first = from < to ? from : to;
  struct right_purse* second = from < to ? to : from;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->coins -= coins;
  to->coins += coins;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
}
int right_purse_coins(struct right_purse* purse) {
  int coins;
  pthread_mutex_lock(&purse->mutex);
  coins = purse->coins;
  pthread_mutex_unlock(&purse->mutex);
  return coins;
}
