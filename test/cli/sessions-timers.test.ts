import { createHost } from "@castellan/sdk";
import { jsonlStore } from "@castellan/sdk/stores";
import { scriptedModel } from "@castellan/sdk/testing";
import { expect, it } from "vitest";
import { runCli } from "./run-cli.ts";
import { scratch } from "./scratch.ts";

it("castellan sessions show: what timers are set, the next one first", async () => {
  const place = await scratch();
  const store = jsonlStore({ home: place.home });
  const host = createHost({ store });
  const tools = ["CronCreate", "CronDelete", "ScheduleWakeup"];
  const model = scriptedModel([
    {
      toolCalls: [
        {
          name: "CronCreate",
          input: { cron: "0 9 1 1 *", prompt: "a\u001b[31m\nnew year", timezone: "UTC" },
        },
        { name: "ScheduleWakeup", input: { seconds: 60, prompt: "look" } },
      ],
    },
    "set",
  ]);
  let id = "";
  const options = { model, tools, allowedTools: tools, cwd: place.work };
  for await (const message of host.query({ prompt: "go", options })) id = message.session_id;
  await host.close();
  await store.close();
  const { code, stdout } = await runCli(place, ["sessions", "show", id]);
  expect(code).toBe(0);
  const lines = stdout.split("\n").filter((line) => line.startsWith("timer "));
  expect(lines).toEqual([
    expect.stringMatching(/^timer {3}20\S+Z {2}timer_\w+ {2}look$/),
    expect.stringMatching(
      /^timer {3}20\S+-01-01T09:00:00.000Z {2}0 9 1 1 \* UTC {2}timer_\w+ {2}a\S+ new year$/,
    ),
  ]);
  const json = JSON.parse((await runCli(place, ["sessions", "show", id, "--json"])).stdout);
  expect(json.timers).toMatchObject([{ sessionId: id }, { sessionId: id }]);
});
