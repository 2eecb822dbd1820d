// A variable that nobody defines is used, not called.
// VERDICT: inconclusive
// SAYS: "variable":true
extern int version_of_the_firmware;

int main(void) { return version_of_the_firmware == 3; }
