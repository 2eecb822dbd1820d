// Two threads use files: what one of them reads is still any text.
// SETTINGS: files: [{path: words.bin, unknown: {length: 3}}]
// SAYS: file words.bin = 
// SAYS: kz
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *write_log(void *unused) {
  FILE *log = fopen("log.txt", "w");
  fputs("x", log);
  fclose(log);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_log, 0);
  char bytes[4] = "", again[4] = "";
  const int file = open("words.bin", O_RDONLY);
  const ssize_t got = read(file, bytes, 3);
  close(file);
  FILE *stream = fopen("words.bin", "r");
  const size_t more = fread(again, 1, 3, stream);
  fclose(stream);
  pthread_join(thread, 0);
  assert(got != 2 || more != 2 || bytes[0] != 'k' || again[1] != 'z');  // ERROR(assertion)!
  return 0;
}
