#include "LoaderPage.h"

#include <stddef.h>

static void (*on_click)(int32_t kind) = NULL;

void loader_on_click(void (*clicked)(int32_t kind)) { on_click = clicked; }

#ifdef __wasm__

/// Calls the program, in no turn of the library's.
__attribute__((export_name("loader_clicked"))) void loader_clicked(int32_t kind) {
  if (on_click != NULL) on_click(kind);
}

#else

void loader_show(int32_t count) { (void)count; }

void loader_show_run(int32_t run) { (void)run; }

#endif
