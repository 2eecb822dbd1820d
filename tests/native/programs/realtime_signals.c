// Real-time signals: order, values, handlers that interrupt each other, and what ignoring forgets.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char log_text[512];
static void note(int number, int code, int value) {
  char line[64];
  snprintf(line, sizeof line, "%d code %d value %d\n", number - SIGRTMIN, code, value);
  strcat(log_text, line);
}
static void handles(int number, siginfo_t *information, void *context) {
  (void)context;
  note(number, information->si_code, information->si_value.sival_int);
  if (information->si_value.sival_int == 7) sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = 8});
}

static void install(int number, int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handles;
  action.sa_flags = SA_SIGINFO | flags;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static void *waits(void *p) {
  siginfo_t got;
  const struct timespec none = {0, 0};
  while (sigtimedwait(p, &got, &none) > 0) printf("taken %d value %d\n", got.si_signo - SIGRTMIN, got.si_value.sival_int);
  return NULL;
}

int main(void) {
  sigset_t all, before;
  sigemptyset(&all);
  for (int n = 0; n < 5; n++) {
    sigaddset(&all, SIGRTMIN + n);
    install(SIGRTMIN + n, 0);
  }
  sigprocmask(SIG_BLOCK, &all, &before);
  for (int n = 4; n >= 0; n--)
    for (int value = 0; value < 2; value++) sigqueue(getpid(), SIGRTMIN + n, (union sigval){.sival_int = 10 * n + value});
  kill(getpid(), SIGRTMIN + 1);
  raise(SIGRTMIN + 1);
  sigprocmask(SIG_SETMASK, &before, NULL);
  fputs(log_text, stdout);
  log_text[0] = 0;
  sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 7});
  fputs(log_text, stdout);

  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int value = 0; value < 3; value++) sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = value});
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 5});
  signal(SIGRTMIN + 2, SIG_IGN);
  signal(SIGRTMIN + 2, SIG_DFL);
  sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 6});
  pthread_t t;
  pthread_create(&t, NULL, waits, &all);
  pthread_join(t, NULL);
  printf("%d %d\n", SIGRTMAX - SIGRTMIN, sigqueue(getpid(), 65, (union sigval){.sival_int = 0}));
  return 0;
}
