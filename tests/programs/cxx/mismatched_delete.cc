// An array is given back as if it were one object.
int main() {
  int* volatile p = new int[4];
  delete p;  // ERROR(invalid-free)!
}
