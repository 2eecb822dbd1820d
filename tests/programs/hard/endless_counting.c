// VERDICT: inconclusive findings
// OPTIONS: --time-limit 5
// An endless loop that changes a variable all the time.
int main(void) {
  volatile unsigned counter = 0;
  for (;;) counter++;  // ERROR(livelock)?
}
