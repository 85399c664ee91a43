import { describe, expect, it } from "vitest";
import { asked, begin, call, hostOver, resultsIn, sendTool } from "./kit.ts";

const orders = permutations(["c1", "c3", "c5"]);

function permutations(list: readonly string[]): string[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first) =>
    permutations(list.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}

describe.each([true, false])(
  "five calls of which three ask (calls may run beside each other: %s)",
  (readOnly) => {
    const calls = ["c1", "c2", "c3", "c4", "c5"].map((id) =>
      call(id, id, id === "c2" || id === "c4" ? "free" : "send"),
    );

    it.each(orders)("answered in the order %s, %s, %s", async (...order) => {
      const host = hostOver();
      const send = sendTool("send", { readOnly });
      const free = sendTool("free", { readOnly });
      const read = begin(host, [{ toolCalls: calls }, { text: "done" }], {
        tools: [send.tool, free.tool],
        allowedTools: ["free"],
        approvals: "durable",
      });
      const ids = new Map<string, string>();
      for (const id of ["c1", "c3", "c5"]) ids.set(id, await asked(read, id));
      // What needs nobody has run, or will, with nobody's word.
      for (const id of ["c2", "c4"]) await read.until((message) => isResult(message, id));
      expect(free.sent).toEqual(["c2", "c4"]);
      expect(send.sent).toEqual([]);
      for (const id of order) {
        if (id === "c3") await host.approvals.reject(ids.get(id) ?? "", { reason: "no" });
        else await host.approvals.approve(ids.get(id) ?? "");
        await read.until((message) => isResult(message, id));
      }
      expect(await read.result).toMatchObject({ subtype: "success" });
      expect(send.sent).toEqual(order.filter((id) => id !== "c3"));
      const results = resultsIn(read);
      expect(Object.keys(results)).toEqual(["c1", "c2", "c3", "c4", "c5"]);
      expect(results.c3).toMatch(/rejected by human: no/);
      expect(results.c5).toContain("sent c5");
    });

    it("decided all at once, each runs once", async () => {
      const host = hostOver();
      const send = sendTool("send", { readOnly });
      const free = sendTool("free", { readOnly });
      const read = begin(host, [{ toolCalls: calls }, { text: "done" }], {
        tools: [send.tool, free.tool],
        allowedTools: ["free"],
        approvals: "durable",
      });
      const ids = await Promise.all(["c1", "c3", "c5"].map((id) => asked(read, id)));
      await Promise.all(ids.map((id) => host.approvals.approve(id)));
      await read.result;
      expect([...send.sent].sort()).toEqual(["c1", "c3", "c5"]);
    });
  },
);

function isResult(message: { readonly type: string; readonly message?: unknown }, id: string): boolean {
  return message.type === "user" && JSON.stringify(message.message).includes(`"tool_use_id":"${id}"`);
}
