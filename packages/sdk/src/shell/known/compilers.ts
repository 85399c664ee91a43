import type { ProgramEntry } from "../program.ts";

/** Programs that build from sources, and such as work on data of one kind. */
export const COMPILERS: Readonly<Record<string, ProgramEntry>> = {
  "gcc cc g++ c++ clang clang++ tcc c99 c89": {
    dash: "single",
    flags: "cESgvwOfmWpsPMd",
    valued: "DUAulxz",
    long: "shared static pthread pipe pedantic ansi rdynamic nostdlib nostdinc MD MMD MP MM MG fsyntax-only",
    longValued: "MT MQ Xlinker Xpreprocessor Xassembler Xclang arch target std param framework",
    paths:
      "-o:write -MF:write -I:list -L:list -B:list -isystem:list -iquote:list -idirafter:list -include:read -imacros:read -isysroot:list -T:read -dumpdir:write -aux-info:write -specs:read",
    runs: "-wrapper+",
    operands: "read",
  },
  "ld gold lld": {
    dash: "single",
    valued: "lzmueyh",
    paths: "-o:write -L:list -T:read -Map:write -R:read -c:read",
    operands: "read",
  },
  "as nasm yasm": { valued: "Ddf", paths: "-o:write -I:list -l:write -i:read", operands: "read" },
  "objcopy strip": { paths: "-o:write", valued: "IOFjRNK", operands: "write" },
  "objdump readelf nm size addr2line": { flags: "adfghxStTrRsSlnuweCDAp", valued: "jMbm", operands: "read" },
  cmake: {
    flags: "N",
    valued: "GATD",
    long: "fresh trace debug-output version help",
    longValued: "target config parallel preset component",
    paths:
      "-S:walk -B:write -C:read -P:read --build:write --install:walk --prefix:write --toolchain:read --install-prefix:write --graphviz:write --trace-redirect:write --profiling-output:write --open:list",
    operands: "walk",
    recursive: "*",
  },
  "make gmake": {
    flags: "BdeiknqrRsStvw",
    valued: "jloW",
    long: "always-make debug environment-overrides ignore-errors keep-going just-print dry-run question silent quiet touch print-directory no-print-directory",
    longValued: "jobs load-average old-file what-if",
    paths: "-f:read --file:read --makefile:read -C:list --directory:list -I:list --include-dir:list",
    operands: "text",
  },
  ninja: { flags: "nvd", valued: "jklt", paths: "-C:list -f:read", operands: "text" },
  yq: {
    flags: "riPjenCMNsvV",
    valued: "opIL",
    long: "inplace in-place prettyPrint null-input exit-status colors no-colors no-doc raw-output yaml-output",
    longValued: "indent output-format input-format",
    two: "--arg:text --argjson:text --slurpfile:read --rawfile:read",
    paths: "-f:read --from-file:read --expression-file:read --split-exp-file:read",
    writesWith: "-i --inplace --in-place",
    operands: "read",
    first: "text",
    firstUnless: "-f --from-file --expression-file",
  },
  xmllint: {
    long: "format noout valid xpath recover noent huge",
    longValued: "encode",
    paths: "-o:write --output:write --schema:read --dtdvalid:read --relaxng:read --path:list",
    valued: "",
    operands: "read",
  },
  xsltproc: { paths: "-o:write --output:write", operands: "read" },
};
