// Letters are made small before they are counted; what tolower and the tables of ctype.h say is used for every byte.
// SETTINGS: arguments: [{unknown: {length: 2}}]
// VERDICT: clear
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <string.h>

static int counts[26];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument) {
  for (const unsigned char *at = argument; *at != 0; ++at) {
    const int letter = tolower(*at);
    if (!isalpha(*at)) continue;
    assert(letter >= 'a' && letter <= 'z' && toupper(letter) != letter);
    pthread_mutex_lock(&guard);
    counts[letter - 'a']++;
    pthread_mutex_unlock(&guard);
  }
  return argument;
}

int main(int argc, char **argv) {
  if (argc < 2 || strlen(argv[1]) != 1) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, count, argv[1]);
  pthread_join(thread, 0);
  return 0;
}
