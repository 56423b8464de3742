# The flags of wasm programs, each with its reason. build.sh sources this file once it has found the
# C library, and makes of it SwiftPM's toolset (JSON, which has no comments) and wasm-opt's options.
#
# Sizes are bytes of web/demo.wasm (gzip) that a flag saves, of some 86,400. To measure one anew,
# leave its line out: WITHOUT='for_swift -enforce-exclusivity=unchecked' ./build.sh

# The only standard library that the stock toolchain has for this triple.
for_swift -enable-experimental-feature Embedded
# Embedded Swift does not compile without it.
for_swift -wmo
# For size; not measured alone, since SwiftPM's -O in its place is another program.
for_release -Osize
# 1,800 bytes: a program in wasm has one thread, and `withLock` checks exclusive access itself.
for_swift -enforce-exclusivity=unchecked
# 5,200 bytes: one LLVM module for each Swift module, instead of one for each file.
for_release -Xfrontend -disable-incremental-llvm-codegen
# 2,350 bytes: copies of functions for each closure.
for_release -Xllvm -sil-disable-pass=closure-specialize
# Does not link without: __stack_chk_guard is undefined.
for_swift -Xfrontend -disable-stack-protector
# Does not link without: clang looks for a crt1.o and builtins of its own.
for_swift -Xclang-linker -nostdlib
# Not for size: clang runs a wasm-opt before ours if PATH has one, and another program comes out.
for_swift -Xclang-linker --no-wasm-opt

# wasi-libc's headers; without the macro they refuse to compile.
for_c -isystem "$wasi_headers"
for_c -D__wasi__=1
# For packages beside this one: JavaScriptKit's C asks by this macro whether Swift is Embedded.
for_c -D__EMBEDDED_SWIFT__

# wasi-libc. crt1-reactor.o defines `_initialize`.
for_linker "-L$wasi_libraries" -lc
for_linker "$wasi_libraries/crt1-reactor.o"
# Archives of which a program takes what it uses: the demo nothing. The portable suite does not link
# without them (__multi3, _swift_stdlib_getNormData).
for_linker "$wasi_builtins"
for_linker "$resources/embedded/$TRIPLE/libswiftUnicodeDataTables.a"
# For loaders of an app's own, which call the program's `main`.
for_linker --export-if-defined=__main_argc_argv
# Does not link without: a reactor has no `_start` to begin with.
for_linker --no-entry
# 1,357,000 bytes: names and debug information, with which some of wasm-opt's passes do nothing.
for_linker --strip-all
# Not for size: a stack of 512 kB (lld's is 64 kB) below the data, so that what overflows it traps
# instead of overwriting them. They cost 200 bytes.
for_linker -z stack-size=524288
for_linker --stack-first

# What the compiler makes use of: wasm-opt refuses the demo without the first two, and the portable
# suite, which converts floating-point numbers, without the third.
for_wasm_opt --enable-bulk-memory
for_wasm_opt --enable-sign-ext
for_wasm_opt --enable-nontrapping-float-to-int
# For packages beside this one: JavaScriptKit's program exports a global that changes.
for_wasm_opt --enable-mutable-globals
# 11,900 bytes.
for_wasm_opt -Oz
# 300 bytes, and 870 of a counter under `.indexedDB`: what is called from one place is inlined up to
# so many nodes only. A change that nobody observes takes 3.9 times a closure store's in Chromium
# and 1.8 times in Firefox, 5.1 and 2 without: engines inline what is small.
for_wasm_opt --one-caller-inline-max-function-size=45
# 75 bytes: what is smaller than that is inlined everywhere. Up to 3 % of a change in Chromium, and
# nothing in Firefox.
for_wasm_opt --always-inline-max-function-size=4
