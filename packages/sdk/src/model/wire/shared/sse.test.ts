import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../../../test/setup/runs.ts";
import { createSseParser } from "./sse.ts";

function parse(bytes: Uint8Array, cuts: readonly number[] = []): string[] {
  const events: string[] = [];
  const parser = createSseParser((data) => void events.push(data));
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < places.length; i++) parser.push(bytes.subarray(places[i - 1], places[i]));
  parser.end();
  return events;
}

const read = (text: string): string[] => parse(Buffer.from(text));

describe("createSseParser", () => {
  it.each<[string, string, string[]]>([
    ["one event", 'data: {"a":1}\n\n', ['{"a":1}']],
    ["a name", "event: ping\ndata: x\n\ndata: y\n\n", ["x", "y"]],
    ["lines of data", "data: a\ndata:b\ndata\ndata:  c\n\n", ["a\nb\n\n c"]],
    ["CRLF and CR", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["a", "b", "c"]],
    ["comments and other fields", ": hi\nid: 1\nretry: 5\nnothing\ndata: a\n\n", ["a"]],
    ["an event without data", "event: ping\n\ndata: a\n\n", ["a"]],
    ["empty data", "data:\n\n", [""]],
    ["a byte order mark", "\ufeffdata: a\n\n", ["a"]],
    ["an end without a blank line", "data: a\n", ["a"]],
    ["half a line at the end", "data: a\n\ndata: b", ["a"]],
    ["a colon in the data", "data: a: b\n\n", ["a: b"]],
  ])("reads %s", (_, text, events) => {
    expect(read(text)).toEqual(events);
  });

  const line = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[\r\n\ufeff]/g, "·"));
  const event = fc.record({ name: fc.option(line), data: fc.array(line, { minLength: 1, maxLength: 3 }) });
  const end = fc.constantFrom("\n", "\r\n", "\r");

  it("gives the same events however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 5 }),
        end,
        fc.array(fc.nat(), { maxLength: 30 }),
        (events, nl, cuts) => {
          const text = events
            .map(({ name, data }) =>
              [
                ...(name === null ? [] : [`event: ${name}`]),
                ": note",
                ...data.map((d) => `data: ${d}`),
                "",
                "",
              ].join(nl),
            )
            .join("");
          const bytes = Buffer.from(text);
          const sent = events.map(({ data }) => Buffer.from(data.join("\n")).toString());
          expect(parse(bytes)).toEqual(sent);
          expect(parse(bytes, cuts)).toEqual(sent);
          expect(
            parse(
              bytes,
              Array.from(bytes, (_, i) => i),
            ),
          ).toEqual(sent);
        },
      ),
      { numRuns: runs },
    );
  });

  it("refuses an event without an end", () => {
    const parser = createSseParser(() => {});
    const chunk = Buffer.alloc(8 * 1024 * 1024, "a");
    expect(() => {
      for (let i = 0; i < 5; i++) parser.push(chunk);
    }).toThrow(/longer than/);
  });
});
