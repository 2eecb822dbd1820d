// It goes through five million rounds, and no two of them are alike: that is no endless loop.
static unsigned char low;
static unsigned high;

int main(void) {
  do {
    if (++low == 0) high++;
  } while (high < 20000);
  return 0;
}
