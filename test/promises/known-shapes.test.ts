import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transpileModule } from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { blocksIn } from "../../scripts/docs-snippets.mjs";
import { FORMATS } from "../cli/loopback.ts";
import { compiled, programFolder, stage } from "../kit/programs.ts";
import { PACKED_PATIENCE_MS } from "../setup/packed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const THEIR_IMPORT = 'from "some-agent-sdk"';

it(
  "Q39 a program of the known shape runs after changing its import line",
  async () => {
    const theirs = await readFile(join(root, "test/compat/before/support-desk.ts.txt"), "utf8");
    expect(theirs.split(THEIR_IMPORT)).toHaveLength(2);
    const ours = theirs.replace(THEIR_IMPORT, 'from "@castellan/sdk"');
    const out = await compiled("known-shape", new Map([["support-desk.ts", ours]]), ["zod"]);
    const refund = (amount: unknown) => ({
      name: "mcp__shop__refund",
      input: { id: "17", amount, reason: "late" },
    });
    for (const { model, format } of FORMATS) {
      const at = await stage(
        [
          { toolCalls: [{ name: "mcp__shop__find_order", input: { id: "17" } }] },
          { toolCalls: [refund(150)] },
          { toolCalls: [refund(-1)] },
          { toolCalls: [refund(60.5)] },
          { toolCalls: [{ name: "Write", input: { file_path: "x", content: "x" } }] },
          "You get 60 back.",
        ],
        model,
        onTestFinished,
      );
      const { code, lines, stderr } = await at.run(join(out, "support-desk.js"));
      expect({ code, stderr }, format).toEqual({ code: 0, stderr: "" });
      expect(lines).toEqual([
        "servers: shop connected",
        "desk: You get 60 back.",
        "same text: true",
        "denied: mcp__shop__refund,Write",
        "cost is a number: true, turns: 6",
        "refunds: 17:60:late",
        "audit: mcp__shop__find_order in session,mcp__shop__refund in session",
      ]);
      const bodies = at.server.requests.map(({ raw }) => raw.toString());
      expect(at.server.requests.map(({ refused }) => refused)).toEqual(bodies.map(() => undefined));
      expect(bodies[0]).toContain("iVBORw0KGgo=");
      expect(bodies[1]).toContain("order 17 is sent");
      expect(bodies[2]).toContain("at most 100 without a manager");
      expect(bodies[5]).toContain("Write is not for support");
    }
  },
  PACKED_PATIENCE_MS,
);

it(
  "N13 examples of the pages run as they stand",
  async () => {
    const guides = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md"));
    const pages = ["README.md", ...guides.map((name) => `docs/${name}`)];
    const folder = await programFolder("pages", ["zod", "@modelcontextprotocol/sdk"]);
    const failed: string[] = [];
    const ran = new Map<string, number>();
    for (const page of pages) {
      const blocks = blocksIn(await readFile(join(root, page), "utf8")).filter(({ checked }) => checked);
      for (const { line, code } of blocks) {
        const file = join(folder, `${page.replaceAll(/\W+/g, "-")}-${line}.mjs`);
        await writeFile(
          file,
          transpileModule(code, { compilerOptions: { target: 10, module: 99 } }).outputText,
        );
        const at = await stage(() => "Fine.", "anthropic/claude-sonnet-5-5", onTestFinished);
        const end = await at.run(file);
        const refused = at.server.requests.flatMap((request) => request.refused ?? []);
        if (end.code !== 0 || refused.length > 0) failed.push(`${page}:${line}\n${refused}\n${end.stderr}`);
        ran.set(page, (ran.get(page) ?? 0) + 1);
      }
    }
    expect(failed).toEqual([]);
    expect(ran.get("README.md")).toBeGreaterThan(0);
    expect(ran.get("docs/tools.md")).toBeGreaterThan(5);
  },
  PACKED_PATIENCE_MS,
);
