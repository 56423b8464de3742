// The program of the portable cases. Its `main` is C: if it were Swift, the compiler would optimize
// all cases in this module once more, which takes 80 of 250 seconds.

void conformance_main(void);

int main(int argc, char **argv) {
  conformance_main();
  return 0;
}
