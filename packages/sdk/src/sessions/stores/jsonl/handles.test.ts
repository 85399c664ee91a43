import { describe, expect, it } from "vitest";
import { createHandles } from "./handles.ts";

function counted(limit: number) {
  const closed: number[] = [];
  let opened = 0;
  const open = (): number => {
    opened += 1;
    return opened;
  };
  const handles = createHandles({ closeSync: (descriptor) => void closed.push(descriptor) }, limit);
  return { handles, closed, open };
}

describe("open files", () => {
  it("are closed oldest first, when there are too many", () => {
    const { handles, closed, open } = counted(2);
    for (const path of ["a", "b", "a", "c"]) handles.use(path, open);
    expect(closed).toEqual([2]);
  });

  it("that are kept stay open, whoever comes or drops them", () => {
    const { handles, closed, open } = counted(2);
    const kept = handles.keep("a", open);
    for (const path of ["b", "c", "d"]) handles.use(path, open);
    handles.drop("a");
    expect(kept.descriptor).toBe(1);
    expect(closed).toEqual([2, 3]);
    kept.done();
    handles.use("e", open);
    expect(closed).toEqual([2, 3, 1]);
  });

  it("that are kept twice stay open until both are done", () => {
    const { handles, closed, open } = counted(1);
    const [one, two] = [handles.keep("a", open), handles.keep("a", open)];
    one.done();
    handles.use("b", open);
    expect([one.descriptor, two.descriptor, closed]).toEqual([1, 1, []]);
  });
});
