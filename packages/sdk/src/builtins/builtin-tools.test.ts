import { describe, expect, it } from "vitest";
import { nodePlatform } from "../platform/index.ts";
import { BUILTIN_TOOL_NAMES } from "../tools/index.ts";
import { builtinTools, mountedBuiltins } from "./index.ts";
import { builtinKit } from "./test-kit.ts";

describe("builtinTools", () => {
  it("mounts every tool whose service is there, sorted by name", async () => {
    const kit = await builtinKit();
    const names = kit.tools.map((tool) => tool.name);
    expect(names).toEqual([
      ...["AskUserQuestion", "Bash", "BashOutput", "CronCreate", "CronDelete", "CronList", "Edit"],
      ...["EnterPlanMode", "ExitPlanMode", "Glob", "Grep", "KillShell", "LS", "Read", "Recall"],
      ...["ScheduleWakeup", "Sleep", "TodoWrite", "Write"],
    ]);
    await kit.remove();
  });

  it.each([
    ["backgroundShells", ["BashOutput", "KillShell"]],
    ["spawner", ["Bash"]],
    ["shell", ["Bash"]],
    ["files", ["Edit", "Read", "Write"]],
    ["history", ["Recall"]],
    ["mayRead", ["Glob", "Grep", "LS"]],
    ["planMode", ["EnterPlanMode", "ExitPlanMode"]],
    ["timers", ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "Sleep"]],
    ["todos", ["TodoWrite"]],
  ])("without %s leaves out %j", async (service, missing) => {
    const kit = await builtinKit();
    const services = Object.fromEntries(Object.entries(kit.services).filter(([name]) => name !== service));
    const names = (await builtinTools({ platform: nodePlatform(), services })).map((tool) => tool.name);
    expect(kit.tools.map((tool) => tool.name).filter((name) => !names.includes(name))).toEqual(missing);
    await kit.remove();
  });

  it("makes no tool but the wanted ones", async () => {
    const kit = await builtinKit();
    const deps = { platform: nodePlatform(), services: kit.services };
    const names = (await builtinTools(deps, new Set(["Write", "Bash", "Nothing"]))).map((tool) => tool.name);
    expect(names).toEqual(["Bash", "Write"]);
    expect(await builtinTools(deps, new Set())).toEqual([]);
    await kit.remove();
  });

  it("says before a tool is made what is true of it then", async () => {
    const kit = await builtinKit();
    const services = { ...kit.services, answer: { schema: { type: "object", properties: {} } } };
    const mounted = mountedBuiltins(services);
    const made = await builtinTools({ platform: nodePlatform(), services });
    expect(mounted.map((tool) => tool.name)).toEqual(BUILTIN_TOOL_NAMES);
    for (const [i, { name, aliases, source, isEnabled }] of mounted.entries()) {
      expect(made[i]).toMatchObject({ name, aliases, source });
      expect(made[i]?.isEnabled()).toBe(isEnabled());
    }
    await kit.remove();
  });

  it("compiles the schema of a tool once a process", async () => {
    const kit = await builtinKit();
    const again = await builtinTools({ platform: nodePlatform(), services: kit.services });
    expect(again.map((tool) => tool.name)).toEqual(kit.tools.map((tool) => tool.name));
    for (const [i, tool] of again.entries()) expect(tool.inputSchema).toBe(kit.tools[i]?.inputSchema);
    await kit.remove();
  });

  it("says of each tool what it may do", async () => {
    const kit = await builtinKit();
    const facts = Object.fromEntries(
      kit.tools.map((tool) => {
        const input = { command: "node x", file_path: "a", path: "a", pattern: "a", todos: [] };
        return [tool.name, [tool.isReadOnly(input), tool.isConcurrencySafe(input), tool.interruptBehavior()]];
      }),
    );
    expect(facts).toEqual({
      AskUserQuestion: [true, false, "block"],
      Bash: [false, false, "cancel"],
      BashOutput: [true, true, "cancel"],
      CronCreate: [false, false, "block"],
      CronDelete: [false, false, "block"],
      CronList: [true, true, "cancel"],
      Edit: [false, false, "block"],
      EnterPlanMode: [false, false, "block"],
      ExitPlanMode: [false, false, "block"],
      Glob: [true, true, "cancel"],
      Grep: [true, true, "cancel"],
      KillShell: [false, false, "block"],
      LS: [true, true, "cancel"],
      Read: [true, true, "cancel"],
      Recall: [true, true, "cancel"],
      ScheduleWakeup: [false, false, "block"],
      Sleep: [false, false, "cancel"],
      TodoWrite: [false, false, "block"],
      Write: [false, false, "block"],
    });
    await kit.remove();
  });

  it("writes words for a person about a call, and text for the model", async () => {
    const kit = await builtinKit();
    for (const tool of kit.tools) {
      const input = {
        ...{ command: "ls -la", file_path: "a.txt", path: "src", pattern: "x", todos: [] },
        ...{ bash_id: "sh_1", shell_id: "sh_1" },
        ...{ cron: "0 9 * * *", prompt: "look", seconds: 60, id: "timer_1" },
      };
      for (const text of [tool.describe(input), tool.summary(input), tool.activity(input)]) {
        expect(text).toMatch(/\S/);
        expect(text).not.toMatch(/undefined|\[object/);
      }
      expect(tool.prompt({ cwd: kit.cwd, toolNames: new Set() }).length).toBeGreaterThan(200);
    }
    await kit.remove();
  });
});
