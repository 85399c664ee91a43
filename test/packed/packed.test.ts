import { cp, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import {
  compile,
  installInto,
  outside,
  PACKED_PATIENCE_MS,
  type Packed,
  packed,
  run,
} from "../setup/packed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const consumer = fileURLToPath(new URL("consumer", import.meta.url));
const MOST_PACKAGES = 25;
const MOST_BYTES = 25 * 1024 * 1024;

let tarballs: Packed["tarballs"];
let place: string;

async function bytesOf(path: string): Promise<number> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) return stats.size;
  const names = await readdir(path);
  const sizes = await Promise.all(names.map((name) => bytesOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function weigh(place: string): Promise<{ packages: number; bytes: number }> {
  const lock = JSON.parse(await readFile(join(place, "node_modules/.package-lock.json"), "utf8"));
  const bytes = await bytesOf(join(place, "node_modules"));
  return { packages: Object.keys(lock.packages).length, bytes };
}

function say(what: string, weight: { packages: number; bytes: number }): void {
  const megabytes = (weight.bytes / 1024 / 1024).toFixed(1);
  console.log(`${what} installs ${weight.packages} packages, ${megabytes} MB`);
}

beforeAll(async () => {
  ({ tarballs, library: place } = await packed());
}, PACKED_PATIENCE_MS);

describe("the packed library", () => {
  it("is small", async () => {
    const weight = await weigh(place);
    say("@castellan/sdk", weight);
    expect(weight.packages).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(weight.bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("names nothing that only a checkout has", async () => {
    const text = await readFile(join(place, "node_modules/@castellan/sdk/package.json"), "utf8");
    expect(text).not.toContain("castellan-source");
    expect(text).not.toContain("./src/");
    expect(JSON.parse(text)).not.toHaveProperty("scripts");
  });

  it("holds the packages that were bundled, with their licenses, and none is installed beside it", async () => {
    const own = JSON.parse(await readFile(join(root, "packages/sdk/package.json"), "utf8"));
    const dist = join(place, "node_modules/@castellan/sdk/dist");
    const notices = await readFile(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8");
    const installed = await readdir(join(place, "node_modules"));
    const bundled = Object.entries(own.devDependencies).map(([name, version]) => `${name} ${version}`);
    expect(bundled.length).toBeGreaterThan(0);
    expect([...notices.matchAll(/^## (\S+ \S+) /gm)].map(([, name]) => name)).toEqual(bundled.sort());
    expect(notices).toContain("THE SOFTWARE IS PROVIDED");
    for (const name of Object.keys(own.devDependencies)) expect(installed).not.toContain(name);
  });

  it("gives something at each subpath", async () => {
    const manifest = JSON.parse(
      await readFile(join(place, "node_modules/@castellan/sdk/package.json"), "utf8"),
    );
    const subpaths = Object.keys(manifest.exports).filter((key) => !key.endsWith(".json"));
    expect(subpaths).toEqual(
      expect.arrayContaining([".", "./testing", "./permissions", "./shell", "./stores"]),
    );
    for (const subpath of subpaths) {
      const name = `@castellan/sdk${subpath.slice(1)}`;
      const program = `import * as all from ${JSON.stringify(name)}; console.log(Object.keys(all).length);`;
      const count = await run(process.execPath, ["--input-type=module", "--eval", program], place);
      expect(Number(count), name).toBeGreaterThan(0);
    }
  });

  it("compiles under strict types, its own declarations included, and the program runs", async () => {
    const folder = join(place, "consumer");
    await cp(consumer, folder, { recursive: true });
    await compile(folder);
    expect(await run(process.execPath, ["out/program.js"], folder)).toBe("ok\n");
  }, 60_000);
});

describe("the packed command line", () => {
  it(
    "installs and tells its version",
    async () => {
      const place = await installInto(join(outside(), "command"), tarballs.sdk, tarballs.cli);
      const weight = await weigh(place);
      say("castellan", weight);
      expect(weight.packages).toBeLessThanOrEqual(MOST_PACKAGES);
      expect(weight.bytes).toBeLessThanOrEqual(MOST_BYTES);
      const { version } = JSON.parse(await readFile(join(root, "packages/cli/package.json"), "utf8"));
      expect((await run("npx", ["--no-install", "castellan", "--version"], place)).trim()).toBe(version);
    },
    PACKED_PATIENCE_MS,
  );
});
