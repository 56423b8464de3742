// The page's side of LoaderProgram, as another framework would have it: it shows numbers, and calls
// the program back whenever it likes. Natively there is no page.

#ifndef LOADER_PAGE_H
#define LOADER_PAGE_H

#include <stdint.h>

/// Shows the count; the page may throw.
#ifdef __wasm__
__attribute__((import_module("loader"), import_name("show")))
#endif
void loader_show(int32_t count);

/// Shows another number of the same name in the page.
#ifdef __wasm__
__attribute__((import_module("loader"), import_name("show_run")))
#endif
void loader_show_run(int32_t run);

/// Has a function called with the kind of each click.
void loader_on_click(void (*clicked)(int32_t kind));

#endif
