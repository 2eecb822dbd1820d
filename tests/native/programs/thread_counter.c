#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static long counter; static __thread int own; struct job { int times, result; };
static void *work(void *p) { struct job *j = p; for (int i = 0; i < j->times; i++) { pthread_mutex_lock(&lock); counter += i; pthread_mutex_unlock(&lock); own += 2; } j->result = own; return (void *)(long)(j->times * 3); }
int main(void) { pthread_t t[4]; struct job jobs[4]; long sum = 0; own = 1000; for (int i = 0; i < 4; i++) { jobs[i] = (struct job){i + 2, 0}; if (pthread_create(&t[i], NULL, work, &jobs[i])) return 1; } for (int i = 0; i < 4; i++) { void *r; pthread_join(t[i], &r); sum += (long)r; } printf("%ld %ld %d %d %d\n", counter, sum, jobs[0].result, jobs[3].result, own); return 0; }
