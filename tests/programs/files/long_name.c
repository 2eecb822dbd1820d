// VERDICT: inconclusive
// SAYS: a file name of more than 111 characters
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

int main(void) {
  char name[301] = {0};
  memset(name, 'n', 300);
  assert(open(name, O_CREAT | O_RDWR, 0600) == -1 && errno == ENAMETOOLONG);
  name[120] = 0;
  assert(open(name, O_CREAT | O_RDWR, 0600) >= 0);
  return 0;
}
