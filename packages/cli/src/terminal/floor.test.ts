import { describe, expect, it } from "vitest";
import { createFloor } from "./floor.ts";

function setUp() {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const floor = createFloor();
  const answers: (() => void)[] = [];
  const ask = (name: string) =>
    floor.ask(() => {
      written.push(`? ${name}`);
      return new Promise<string>((resolve) => answers.push(() => resolve(name)));
    });
  const soon = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { written, floor, answers, ask, soon, say: (text: string) => floor.write(stream, text) };
}

describe("the floor", () => {
  it("lets what was said before a question go first, and holds what comes while it stands", async () => {
    const { written, answers, ask, soon, say } = setUp();
    say("a");
    const first = ask("1");
    say("b");
    await soon();
    say("c");
    expect(written).toEqual(["a", "b", "? 1"]);
    answers[0]?.();
    expect(await first).toBe("1");
    say("d");
    expect(written).toEqual(["a", "b", "? 1", "c", "d"]);
  });

  it("asks one question at a time, in order, also after one that failed", async () => {
    const { written, floor, answers, ask, soon, say } = setUp();
    const broken = floor.ask(() => Promise.reject(new Error("no terminal")));
    const first = ask("1");
    const second = ask("2");
    await expect(broken).rejects.toThrow("no terminal");
    await soon();
    say("held");
    expect(written).toEqual(["? 1"]);
    answers[0]?.();
    await first;
    await soon();
    expect(written).toEqual(["? 1", "held", "? 2"]);
    answers[1]?.();
    expect(await second).toBe("2");
  });
});
