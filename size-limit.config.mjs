import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SDK = "packages/sdk/dist";

/** A file with all that it imports at once: what `import` of it reads. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, to = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];/gm,
  )) {
    withImports(join(dirname(file), to), found);
  }
  return found;
}

export default [
  {
    name: "@castellan/sdk, what the public entry loads",
    path: [...withImports(`${SDK}/index.js`)],
    limit: "230 kB",
  },
  { name: "@castellan/sdk, all JavaScript", path: `${SDK}/**/*.js`, limit: "515 kB" },
  { name: "castellan, all JavaScript", path: "packages/cli/dist/**/*.js", limit: "30 kB" },
];
