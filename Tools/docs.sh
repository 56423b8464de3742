#!/usr/bin/env bash
# Builds the documentation as a static site in .build/docs: a landing page and a search from
# docs/site (Tools/landing.py), and pages from the articles of docs/Documentation.docc,
# docs/DESIGN.md and the doc comments of the library. Fails on every warning, and if the code of an
# article does not compile (Tools/check_docs.py). `./build.sh serve --docs` builds and shows it.
#
# Variables: DOCS_BASE (the path of the site on its server, such as /wasm-sharing; / by default),
# DOCS_SOURCE (the address of the repository; without it, the site does not link to one),
# DOCC_HTML_DIR (docc's own variable: the page templates, for a toolchain without them).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly OUTPUT=.build/docs
readonly BUILD=.build/docs-build # the catalog and the symbol graphs
readonly MODULES=(SharingCore SharingJSON WasiStorage SharingCommits SharingPage SharingTesting SharingSimulation SharingNATS)

main() {
  [ $# -eq 0 ] || fail "docs.sh takes no argument, got: $*"
  local docc
  docc=$(find_docc)
  if [ -f .build/toolset-debug.json ]; then
    python3 Tools/check_docs.py --wasm
  else
    python3 Tools/check_docs.py
    echo "not compiled for WebAssembly: run ./build.sh first, which writes the compiler options"
  fi
  extract_graphs
  # The modules become one site only with a common root.
  python3 Tools/catalog.py "$BUILD/graphs" "$BUILD/Documentation.docc"
  python3 Tools/landing.py header "$BUILD/Documentation.docc"
  convert "$docc"
  echo "documented: $(find "$OUTPUT/documentation" -name index.html | wc -l) pages in $OUTPUT"
}

# Prints the path of the toolchain's docc. It needs the page templates of the toolchain, too.
find_docc() {
  command -v swiftc >/dev/null ||
    fail "Swift is missing. Install Swift 6.3 from https://swift.org/install"
  local toolchain
  toolchain=$(target_info runtimeResourcePath)
  toolchain=${toolchain%/lib/swift}
  [ -x "$toolchain/bin/docc" ] ||
    fail "There is no docc in $toolchain/bin. Use a toolchain from https://swift.org/install"
  [ -f "${DOCC_HTML_DIR:-$toolchain/share/docc/render}/index-template.html" ] ||
    fail "This toolchain's docc has no page templates (share/docc/render). Let DOCC_HTML_DIR name a" \
      "folder that has them, as in https://github.com/swiftlang/swift-docc-render-artifact"
  echo "$toolchain/bin/docc"
}

# target_info NAME: prints a field of the compiler's target information.
target_info() { swiftc -print-target-info | sed -nE "s/.*\"$1\": \"([^\"]*)\".*/\\1/p"; }

# Writes the declarations of the modules and their doc comments as symbol graphs.
extract_graphs() {
  local module folder bin=.build/debug triple
  triple=$(target_info unversionedTriple)
  folder=$BUILD/graphs
  rm -rf "$folder"
  mkdir -p "$folder"
  for module in "${MODULES[@]}"; do
    swift symbolgraph-extract -module-name "$module" -target "$triple" -output-dir "$folder" \
      -I "$bin/Modules" -I "$bin/CHost.build" -I "$bin/WasmCommand.build" \
      -minimum-access-level public -skip-synthesized-members -emit-extension-block-symbols ||
      fail "The symbols of $module could not be read; its messages are above."
  done
  python3 Tools/hide_places.py "$folder"
}

convert() {
  rm -rf "$OUTPUT.new"
  "$1" convert "$BUILD/Documentation.docc" --additional-symbol-graph-dir "$BUILD/graphs" \
    --output-path "$OUTPUT.new" --warnings-as-errors --transform-for-static-hosting \
    --hosting-base-path "${DOCS_BASE:-/}" --experimental-enable-custom-templates \
    --fallback-display-name wasm-sharing --fallback-bundle-identifier wasm-sharing ||
    fail "The documentation has warnings or errors; they are above."
  python3 Tools/landing.py pages "$OUTPUT.new"
  rm -rf "$OUTPUT"
  mv "$OUTPUT.new" "$OUTPUT"
}

fail() {
  echo "docs.sh: $*" >&2
  exit 1
}

main "$@"
