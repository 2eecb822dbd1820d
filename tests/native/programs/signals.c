// Signals: handlers, masks, what is pending, a thread that waits for them; duplicated descriptors.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t hits;
static pthread_t self;
static char nm[16];
static void h(int s) { hits = hits * 100 + s; }
static void act(int s, siginfo_t* i, void* c) {
  (void)c;
  hits = hits * 100 + (i->si_signo == s ? s : 99);
}
static void* svc(void* u) {
  sigset_t* s = u;
  int n, stop = 0, count = 0;
  while (!stop) {
    sigwait(s, &n);
    count++;
    stop = n == SIGTERM;
  }
  pthread_setname_np(pthread_self(), "svc");
  pthread_getname_np(pthread_self(), nm, sizeof nm);
  return (void*)(long)count;
}
int main(void) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = h;
  sigemptyset(&a.sa_mask);
  sigaction(SIGUSR1, &a, NULL);
  a.sa_sigaction = act;
  a.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &a, NULL);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR2);
  self = pthread_self();
  pthread_kill(self, SIGUSR1);
  printf("%d\n", hits);
  sigset_t s, o, pend;
  sigemptyset(&s);
  sigaddset(&s, SIGUSR1);
  sigaddset(&s, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &s, &o);
  hits = 0;
  raise(SIGUSR1);
  sigpending(&pend);
  printf("%d %d %d\n", hits, sigismember(&pend, SIGUSR1), sigismember(&pend, SIGTERM));
  pthread_sigmask(SIG_UNBLOCK, &s, NULL);
  printf("%d\n", hits);
  pthread_sigmask(SIG_BLOCK, &s, NULL);
  pthread_t t;
  void* r;
  pthread_create(&t, 0, svc, &s);
  pthread_kill(t, SIGTERM);
  pthread_join(t, &r);
  printf("%ld %s\n", (long)r, nm);
  int fd = open("signals.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600), d2 = dup(fd);
  write(fd, "hello", 5);
  lseek(d2, 1, SEEK_SET);
  char b[8] = {0};
  read(fd, b, 4);
  puts(b);
  close(fd);
  printf("%zd %d\n", write(d2, "!", 1), close(d2));
  unlink("signals.tmp");
  signal(SIGINT, SIG_IGN);
  printf("%d %d\n", raise(SIGINT), signal(SIGINT, SIG_DFL) == SIG_IGN);
  printf("%d %s\n", pthread_kill(self, 0), strsignal(SIGSEGV));
}
