#ifdef __wasm__

#include <wasi/api.h>

void _initialize(void);  // crt1-reactor.o's
void __wasm_call_dtors(void);
int __main_argc_argv(int argc, char **argv);

// Not `exit`, which links stdio to flush what is never used here. Nor libc's `__main_void`, which
// reads the arguments: Swift's `main` does not look at them, and `Arguments` asks WASI.
__attribute__((export_name("_start"))) void wasm_command_start(void) {
  _initialize();
  int status = __main_argc_argv(0, 0);
  __wasm_call_dtors();
  if (status != 0) __wasi_proc_exit((__wasi_exitcode_t)status);
}

#endif
