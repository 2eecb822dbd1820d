// VERDICT: clear
int main(void) { return 0; }
