// A list is followed one step too far.
#include <stddef.h>

struct node { int value; struct node *next; };

int main(void) {
  struct node last = {2, NULL}, first = {1, &last};
  return first.next->next->value;  // ERROR(null-dereference)!
}
