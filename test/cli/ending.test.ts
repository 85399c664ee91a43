import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";

const sleep = { text: "Now.", toolCalls: [{ name: "Bash", input: { command: "sleep 20; touch made" } }] };

describe("the process", () => {
  it("ends within 500 ms of the result, whatever the model's module left behind", async () => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const place = await scratch();
      const model = await place.module("(setInterval(() => {}, 1000), { text: 'Done.' })");
      const end = await runCli(place, ["run", "go", "--model", model, "--output-format", "stream-json"]);
      expect([end.code, end.signal]).toEqual([0, null]);
      expect(JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "result" });
      times.push(Math.round(end.msAfterOutput));
    }
    console.log(`result to exit: ${times.join(", ")} ms`);
    expect(Math.min(...times)).toBeLessThan(500);
  });

  it("writes all of a long answer before it ends", async () => {
    const place = await scratch();
    const model = await place.module("() => 'x'.repeat(3_000_000)");
    const { code, stdout } = await runCli(place, ["run", "go", "--model", model]);
    expect([code, stdout.length]).toEqual([0, 3_000_001]);
  });

  it.each([
    ["SIGINT", "interrupted"],
    ["SIGTERM", "closed"],
    ["SIGHUP", "closed"],
  ] as const)("ends on %s with what it began cut short: %s", async (signal, terminalReason) => {
    const place = await scratch();
    const model = await place.script([sleep, "x"]);
    const end = await runCli(place, ["run", "go", "--model", model, "--allow", "Bash"], {
      out: (text, child) => {
        if (text.includes("Now.")) setTimeout(() => child.kill(signal), 300);
      },
    });
    expect([end.code, end.signal]).toEqual([130, null]);
    expect(end.stderr).toContain(`was ${terminalReason}.`);
    expect(end.stderr).toMatch(/castellan: To go on: castellan run --resume [\w-]+\n$/);
    const events = await place.events();
    expect(events.at(-1)).toMatchObject({ type: "result", data: { terminalReason } });
    expect(events.filter((event) => event.type === "tool.finished")).toHaveLength(1);
    await expect(access(join(place.work, "made"))).rejects.toThrow();
  });

  it("leaves at the third Ctrl-C, whatever holds it", async () => {
    const place = await scratch();
    const look = "{ text: 'Busy.', toolCalls: [{ name: 'LS', input: { path: '.' } }] }";
    const model = await place.module(`${look}, () => new Promise(() => {})`);
    const end = await runCli(place, ["run", "go", "--model", model], {
      started(child) {
        child.stderr?.on("data", () => child.kill("SIGINT"));
      },
      out: (_, child) => {
        child.kill("SIGINT");
      },
    });
    expect([end.code, end.signal]).toEqual([130, null]);
  });
});
