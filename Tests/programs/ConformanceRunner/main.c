// The program of the portable cases. Its `main` is C: if it were Swift, the compiler would optimize
// all cases in this module once more, which takes 80 of 250 seconds. A page and a WASI runtime call
// `main` by the name that clang gives to one with arguments.

void conformance_main(void);

int main(int argc, char **argv) {
  conformance_main();
  return 0;
}
