import { describe, expect, it } from "vitest";
import { builtinKit } from "../test-kit.ts";

describe("EnterPlanMode and ExitPlanMode", () => {
  it("turn the switch, and say where it stands", async () => {
    const kit = await builtinKit();
    const plan = { plan: "1. Look. 2. Write." };
    expect(await kit.call("ExitPlanMode", plan)).toMatchObject({
      isError: true,
      text: expect.stringContaining("the mode is default"),
    });
    expect(await kit.call("EnterPlanMode", {})).toMatchObject({ isError: false });
    expect(kit.services.planMode?.mode()).toBe("plan");
    expect((await kit.call("EnterPlanMode", {})).text).toContain("already");
    expect((await kit.call("ExitPlanMode", { plan: "  " })).isError).toBe(true);
    expect((await kit.call("ExitPlanMode", {})).isError).toBe(true);
    expect(kit.services.planMode?.mode()).toBe("plan");
    expect((await kit.call("ExitPlanMode", plan)).text).toContain("the mode is default");
    expect(kit.services.planMode?.mode()).toBe("default");
    await kit.remove();
  });

  it("a mode that came with the approval holds", async () => {
    const kit = await builtinKit();
    await kit.call("EnterPlanMode", {});
    const run = await kit.prepare("ExitPlanMode", { plan: "Do it." });
    kit.plan.mode = "acceptEdits";
    expect(await run()).toMatchObject({
      isError: false,
      text: expect.stringContaining("the mode is acceptEdits"),
    });
    expect(kit.plan.mode).toBe("acceptEdits");
    await kit.remove();
  });

  it("show the person the plan, ask for one, and only tighten without", async () => {
    const kit = await builtinKit();
    const exit = kit.tools.find(({ name }) => name === "ExitPlanMode");
    expect(exit?.describe({ plan: "1. Look." })).toBe("1. Look.");
    expect(exit?.requiresUserInteraction()).toBe(true);
    const enter = kit.tools.find(({ name }) => name === "EnterPlanMode");
    expect(enter?.requiresUserInteraction()).toBe(false);
    await kit.remove();
  });
});
