# The flags of wasm programs, each with its reason. build.sh sources this file after it has located
# the C library, and turns it into SwiftPM's toolset (JSON has no comments) and wasm-opt's options.
#
# Sizes are the bytes of web/demo.wasm (gzip, about 86,400) that a flag saves. To measure one again,
# omit its line: WITHOUT='for_swift -enforce-exclusivity=unchecked' ./build.sh

# The only standard library that the stock toolchain has for this triple.
for_swift -enable-experimental-feature Embedded
# Embedded Swift does not compile without it.
for_swift -wmo
# For size. Not measured alone: replacing it by SwiftPM's -O gives an entirely different program.
for_release -Osize
# 1,800 bytes: a program in wasm has one thread, and `withLock` checks exclusive access itself.
for_swift -enforce-exclusivity=unchecked
# 5,200 bytes: one LLVM module for each Swift module instead of one for each file.
for_release -Xfrontend -disable-incremental-llvm-codegen
# 2,350 bytes: disables specialized copies of functions for each closure.
for_release -Xllvm -sil-disable-pass=closure-specialize
# Required for linking: without it, __stack_chk_guard is undefined.
for_swift -Xfrontend -disable-stack-protector
# Required for linking: without it, clang searches for a crt1.o and builtins of its own.
for_swift -Xclang-linker -nostdlib
# Not for size: if PATH has a wasm-opt, clang runs it before ours, and the output differs.
for_swift -Xclang-linker --no-wasm-opt

# wasi-libc's headers. They do not compile without the macro.
for_c -isystem "$wasi_headers"
for_c -D__wasi__=1
# For packages beside this one: JavaScriptKit's C asks by this macro whether Swift is Embedded.
for_c -D__EMBEDDED_SWIFT__

# wasi-libc; crt1-reactor.o defines `_initialize`.
for_linker "-L$wasi_libraries" -lc
for_linker "$wasi_libraries/crt1-reactor.o"
# Archives; the linker takes only the members that a program uses, none for the demo. The portable
# suite does not link without them (__multi3, _swift_stdlib_getNormData).
for_linker "$wasi_builtins"
for_linker "$resources/embedded/$TRIPLE/libswiftUnicodeDataTables.a"
# For loaders of an app's own, which call the program's `main`.
for_linker --export-if-defined=__main_argc_argv
# Does not link without: a reactor has no `_start` to begin with.
for_linker --no-entry
# 1,357,000 bytes: removes names and debug information. With these, some wasm-opt passes do nothing.
for_linker --strip-all
# Not for size: a stack of 512 kB (lld's default is 64 kB) below the data, so that an overflow traps
# instead of overwriting data. Costs 200 bytes.
for_linker -z stack-size=524288
for_linker --stack-first

# Features that the compiler uses. wasm-opt rejects the demo without the first two, and the portable
# suite, which converts floating-point numbers, without the third.
for_wasm_opt --enable-bulk-memory
for_wasm_opt --enable-sign-ext
for_wasm_opt --enable-nontrapping-float-to-int
# For packages beside this one: JavaScriptKit's program exports a global that changes.
for_wasm_opt --enable-mutable-globals
# 11,900 bytes.
for_wasm_opt -Oz
# 300 bytes, and 870 for a counter under `.indexedDB`: limits the size of functions with one caller
# that are inlined. With the limit, an unobserved change takes 3.9 times as long as in a closure
# store in Chromium and 1.8 times in Firefox. Without it: 5.1 and 2, since engines inline small
# functions.
for_wasm_opt --one-caller-inline-max-function-size=45
# 75 bytes: functions smaller than this are always inlined. Saves up to 3 % of a change's time in
# Chromium, and nothing in Firefox.
for_wasm_opt --always-inline-max-function-size=4
