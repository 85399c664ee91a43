import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { run } from "../kit/session.ts";
import { ALL, notes, put, type SettingsPlace, settingsPlace } from "../kit/settings.ts";

let place: SettingsPlace;
beforeEach(() => {
  place = settingsPlace();
  put(join(place.home, ".castellan/AGENTS.md"), "MINE: be brief.");
  put(join(place.cwd, "AGENTS.md"), "PROJECT: use tabs. @docs/style.md");
  put(join(place.cwd, "docs/style.md"), "STYLE: no semicolons.");
  put(join(place.cwd, "CLAUDE.md"), "CLAUDE: run the tests.");
});

const system = async (options: Parameters<SettingsPlace["go"]>[1]) => {
  const outcome = await run(["hi"], { cwd: place.cwd, platform: place.platform(), ...options });
  return { outcome, blocks: outcome.model.requests[0]?.system ?? [] };
};

describe("instruction files of a session", () => {
  it("are read only where settingSources and trust say so", async () => {
    const none = await system({});
    expect(none.blocks.join()).not.toMatch(/MINE|PROJECT|CLAUDE/);
    const untrusted = await system({ settingSources: ALL });
    expect(untrusted.blocks.join()).toContain("MINE: be brief.");
    expect(untrusted.blocks.join()).not.toMatch(/PROJECT|STYLE|CLAUDE:/);
    expect(notes(untrusted.outcome).join()).toMatch(/not trusted: .*AGENTS\.md/);
    const trusted = await system({ settingSources: ALL, trustWorkspace: true });
    expect(trusted.blocks.join()).toMatch(/MINE[\s\S]*PROJECT[\s\S]*STYLE/);
    expect(trusted.blocks.join()).not.toContain("CLAUDE:");
    const compat = await system({ settingSources: ["project"], trustWorkspace: true, compat: ["claude"] });
    expect(compat.blocks.join()).toMatch(/PROJECT[\s\S]*CLAUDE: run the tests/);
    expect(compat.blocks.join()).not.toContain("MINE");
  });

  it("stand in one block behind the system prompt, whatever that is, and stay the same", async () => {
    const options = { settingSources: ["project"] as const, trustWorkspace: true, systemPrompt: "Own." };
    const { blocks } = await system(options);
    expect(blocks).toEqual(["Own.", expect.stringMatching(/^Instructions from files/)]);
    const more = await system({ ...options, appendSystemPrompt: "More." });
    expect(more.blocks.slice(0, 2)).toEqual(["Own.", "More."]);
    expect(more.blocks[2]).toBe(blocks[1]);
  });

  it("obey deny rules about Read", async () => {
    const { blocks, outcome } = await system({
      settingSources: ["project"],
      trustWorkspace: true,
      disallowedTools: ["Read(docs/**)"],
    });
    expect(blocks.join()).toContain("PROJECT: use tabs.");
    expect(blocks.join()).not.toContain("STYLE");
    expect(notes(outcome).join()).toMatch(/style\.md is not read: a rule about Read/);
  });
});
