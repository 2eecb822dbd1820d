// VERDICT: inconclusive findings
// A loop that nothing can end.
int main(void) {
  volatile int on = 1;
  while (on) {  // ERROR(livelock)?
  }
  return 0;
}
