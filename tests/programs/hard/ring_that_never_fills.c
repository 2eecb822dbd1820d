// The search goes round a table of 12 in steps of 5, writing where it was, and never meets the key.
// VERDICT: inconclusive
// SAYS: loops for ever: it comes back to the same state and waits for no other thread
static int table[12], visits[12];

int main(void) {
  unsigned at = 3;
  while (table[at] != 7) {
    visits[at] = (visits[at] + 1) % 4;
    at = (at + 5) % 12;
  }
  return visits[0];
}
