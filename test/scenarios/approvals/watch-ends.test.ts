import { createHost } from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { fakeClock } from "@castellan/sdk/testing";
import { expect, it } from "vitest";

it.each([true, false])(
  "a watch ends with its host, and leaves no timer (a signal of its own: %s)",
  async (has) => {
    const clock = fakeClock(0);
    const host = createHost({ store: memoryStore({ clock }), platform: { clock } });
    const options = has ? { signal: new AbortController().signal } : {};
    const next = host.approvals.watch(options)[Symbol.asyncIterator]().next();
    // Its code is loaded first.
    await host.approvals.list();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await host.close();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.pending).toBe(0);
    await expect(host.approvals.watch()[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "query_closed",
    });
  },
);
