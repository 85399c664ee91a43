import { type CanUseToolContext, type Options, type ToolExtras, tool } from "@castellan/sdk";
import { describe, expect, it } from "vitest";
import { once, resultBlock, run } from "../kit/session.ts";

type Extras = ToolExtras<{ n?: number }>;
const ok = () => ({ content: [{ type: "text" as const, text: "ok" }] });
const made = (extras: Extras = {}, execute: () => unknown = ok, name = "probe") =>
  tool(name, "Is looked at.", { n: "integer?" }, execute as never, extras);

/** What the person is told about a call of a tool with these fields. */
async function asked(extras: Extras): Promise<CanUseToolContext> {
  let told: CanUseToolContext | undefined;
  await run(once("probe", { n: 1 }), {
    tools: [made(extras)],
    canUseTool: (_name, _input, context) => {
      told = context;
      return { behavior: "deny", message: "no" };
    },
  });
  if (told === undefined) throw new Error("nobody was asked");
  return told;
}

describe("TOOL contract: what each field does to model, person or scheduler", () => {
  it("isDestructive: the question says that it cannot be undone, and nothing is offered to remember", async () => {
    const [plain, undoable] = [await asked({}), await asked({ isDestructive: () => true })];
    expect([plain.destructive, plain.title.includes("cannot be undone")]).toEqual([false, false]);
    expect(plain.suggestions.length).toBeGreaterThan(0);
    expect([undoable.destructive, undoable.title.includes("cannot be undone")]).toEqual([true, true]);
    expect([undoable.suggestions, undoable.decision.suggestions]).toEqual([[], []]);
  });

  it("isOpenWorld: the person is told", async () => {
    expect([(await asked({})).openWorld, (await asked({ isOpenWorld: () => true })).openWorld]).toEqual([
      false,
      true,
    ]);
  });

  it("userFacingName, describe and summary: what a person reads", async () => {
    const plain = await asked({});
    expect([plain.displayName, plain.title]).toEqual(["probe", 'probe: {"n":1}']);
    const named = await asked({
      userFacingName: ({ n }) => `Probe ${n}`,
      describe: () => "Looks once at everything",
      summary: () => "everything",
    });
    expect([named.displayName, named.description, named.title]).toEqual([
      "Probe 1",
      "Looks once at everything",
      "Probe 1: everything",
    ]);
    expect((await asked({ title: "The probe" })).displayName).toBe("The probe");
  });

  it("inputsEquivalent: from the third equal call in a row on the result says so", async () => {
    const turn = (n: number) => ({ toolCalls: [{ name: "probe", input: { n } }] });
    const texts = async (extras: Extras) =>
      (await run([turn(1), turn(2), turn(3), "done"], { tools: [made({ riskLevel: "low", ...extras })] }))
        .texts;
    expect((await texts({})).map((text) => text.includes("in a row"))).toEqual([false, false, false]);
    const same = await texts({ inputsEquivalent: () => true });
    expect(same.map((text) => text.includes("in a row"))).toEqual([false, false, true]);
  });

  it("outputSchema: a structured result that does not fit, or is missing, is an error; texts stay", async () => {
    const outputSchema = { count: "integer", unit: "string?" };
    const result = async (returned: unknown, extras: Extras = { outputSchema }) => {
      const outcome = await run(once("probe"), {
        tools: [made({ riskLevel: "low", ...extras }, () => returned)],
      });
      const isError = resultBlock(outcome.users[0]).is_error === true;
      return { isError, text: outcome.texts[0] ?? "", structured: outcome.users[0]?.tool_use_result };
    };
    const content = [{ type: "text", text: "three" }];
    const wrong = { content, structuredContent: { count: "3" } };
    expect(await result(wrong, {})).toMatchObject({ isError: false, structured: { count: "3" } });
    const refused = await result(wrong);
    expect(refused).toMatchObject({ isError: true, structured: undefined });
    expect(refused.text).toMatch(
      /does not fit its outputSchema:\n- count: .*expected integer, got string "3"/,
    );
    expect(refused.text).toContain("three");
    expect(await result({ content, structuredContent: { count: 3 } })).toMatchObject({
      isError: false,
      structured: { count: 3 },
    });
    expect(await result({ success: true, output: { count: 3 } })).toMatchObject({ isError: false });
    expect((await result({ content })).text).toMatch(/no structured part/);
    expect(await result({ content, isError: true })).toMatchObject({ isError: true, text: "three" });
  });

  it("searchHint is carried by the definition, and says nothing to the model", async () => {
    const hinted = made({ searchHint: "look probe inspect" });
    const { model } = await run(["done"], { tools: [hinted] });
    expect(JSON.stringify(model.requests[0]?.tools)).not.toContain("inspect");
  });

  it("interruptBehavior: block keeps what a cancelled call gives, cancel drops it and says so", async () => {
    const given = async (extras: Extras): Promise<string> => {
      const stops = made({ riskLevel: "low" }, ok, "stops");
      const probe = tool(
        "probe",
        "Waits.",
        {},
        async (_args, { signal }) => {
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          return { content: [{ type: "text", text: "half" }] };
        },
        { riskLevel: "low", isConcurrencySafe: () => true, ...extras } as never,
      );
      const { texts } = await run(
        [{ toolCalls: [{ name: "probe" }, { name: "stops", input: { n: 1 } }] }, "never"],
        {
          tools: [probe, stops],
          settings: { permissions: { ask: ["stops"] } },
          canUseTool: () => ({ behavior: "deny", message: "stop", interrupt: true }),
        },
      );
      return texts.join("\n");
    };
    expect(await given({})).toContain("half");
    const dropped = await given({ interruptBehavior: () => "cancel" });
    expect(dropped).not.toContain("half");
    expect(dropped).toContain("What it had so far was dropped.");
  });

  it("isConcurrencySafe: neighbours run beside each other, others alone", async () => {
    const most = async (extras: Extras): Promise<number> => {
      let running = 0;
      let peak = 0;
      const slow = made({ riskLevel: "low", ...extras }, async () => {
        running += 1;
        peak = Math.max(peak, running);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running -= 1;
        return ok();
      });
      const calls = Array.from({ length: 14 }, (_, n) => ({ name: "probe", input: { n } }));
      await run([{ toolCalls: calls }, "done"], { tools: [slow] });
      return peak;
    };
    expect([await most({}), await most({ isConcurrencySafe: () => true })]).toEqual([1, 10]);
    expect(await most({ annotations: { readOnlyHint: true } })).toBe(10);
  });

  it("prompt: what the model reads instead of the description", async () => {
    const text = async (extras: Extras) =>
      (await run(["done"], { tools: [made(extras)] })).model.requests[0]?.tools[0]?.description;
    expect(await text({})).toBe("Is looked at.");
    expect(await text({ prompt: "Read this." })).toBe("Read this.");
    expect(await text({ prompt: ({ toolNames }) => [...toolNames].join() })).toBe("probe");
  });

  it("isEnabled: false takes it out of sight, and a call of it finds nothing", async () => {
    const off = await run(once("probe"), { tools: [made({ isEnabled: () => false, riskLevel: "low" })] });
    expect(off.model.requests[0]?.tools).toEqual([]);
    expect(off.texts[0]).toContain("No such tool");
  });

  it("strict: the model's side is asked to hold the schema", async () => {
    const sent = async (extras: Extras): Promise<object | undefined> =>
      (await run(["done"], { tools: [made(extras)] })).model.requests[0]?.tools[0];
    expect(await sent({})).not.toHaveProperty("strict");
    expect(await sent({ strict: true })).toMatchObject({ name: "probe", strict: true });
  });

  it("requiresUserInteraction and permissionPolicy: asked in every mode, refused in every mode", async () => {
    const bypass: Options = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
    const outcome = async (extras: Extras) =>
      (await run(once("probe"), { ...bypass, tools: [made(extras)] })).texts[0] ?? "";
    expect(await outcome({})).toBe("ok");
    expect(await outcome({ requiresUserInteraction: () => true })).toContain("needs a person in every mode");
    expect(await outcome({ permissionPolicy: "always_ask" })).toContain("Nobody could be asked");
    expect(await outcome({ permissionPolicy: "always_deny" })).not.toBe("ok");
  });

  it("timeoutMs: a call that takes longer has failed, and what it gave until then is kept", async () => {
    const slow = tool(
      "probe",
      "Waits.",
      {},
      async (_args, { signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        return { content: [{ type: "text", text: "half" }] };
      },
      { riskLevel: "low", timeoutMs: 10 },
    );
    const { texts } = await run(once("probe"), { tools: [slow] });
    expect(texts[0]).toMatch(/half[\s\S]*Stopped after 10 ms/);
  });
});
