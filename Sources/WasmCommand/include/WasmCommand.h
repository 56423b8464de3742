// Makes a reactor a command, too, in wasm only: defines the export `_start`. A program that is
// linked with crt1-reactor.o opts in by depending on this target, and imports nothing. A page then
// calls `_initialize`, and a WASI runtime runs the very same bytes. A program that is linked with
// crt1-command.o has a `_start` already, and a library must not depend on this target.
