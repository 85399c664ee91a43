import { z } from "zod3";
import type { FormCase } from "./forms.cases.ts";

const Size = {
  Small: 1,
  Large: 2,
} as const;

interface Tree {
  name: string;
  kids?: Tree[] | undefined;
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree).optional() }));

/** Schemas of Zod 3, which cannot tell JSON Schema itself. */
export const ZOD3_CASES: readonly FormCase[] = [
  {
    name: "zod 3: raw shape",
    form: {
      a: z.string().describe("x").default("d"),
      b: z.enum(["p", "q"]).optional(),
      c: z.record(z.string(), z.number()),
    },
    becomes: [
      [{ c: {} }, { a: "d", c: {} }],
      [
        { a: "s", b: "q", c: { n: 1 }, gone: 1 },
        { a: "s", b: "q", c: { n: 1 } },
      ],
    ],
    refuses: [
      [{}, "c"],
      [{ c: { n: "x" } }, "c.n"],
      [{ b: "r", c: {} }, "b"],
    ],
  },
  {
    name: "zod 3: object, strict inside",
    form: z.object({ o: z.object({ n: z.number().int().min(1).max(3) }).strict() }),
    takes: [{ o: { n: 3 } }],
    refuses: [
      [{ o: { n: 4 } }, "o.n"],
      [{ o: { n: 1.5 } }, "o.n"],
      [{ o: { n: 1, m: 1 } }, "o"],
      [{}, "o"],
    ],
  },
  {
    name: "zod 3: strings and lists",
    form: z.object({
      s: z
        .string()
        .min(2)
        .regex(/^[a-z]+$/),
      l: z.array(z.boolean()).min(1).max(2),
      t: z.tuple([z.string()]).rest(z.number()),
    }),
    takes: [{ s: "ab", l: [true], t: ["x", 1] }],
    refuses: [
      [{ s: "a", l: [true], t: ["x"] }, "s"],
      [{ s: "AB", l: [true], t: ["x"] }, "s"],
      [{ s: "ab", l: [], t: ["x"] }, "l"],
      [{ s: "ab", l: [true, true, true], t: ["x"] }, "l"],
      [{ s: "ab", l: [true], t: ["x", "y"] }, "t.1"],
    ],
  },
  {
    name: "zod 3: unions, literals, null",
    form: z.object({
      u: z.union([z.string(), z.number().positive()]),
      n: z.string().nullable(),
      e: z.discriminatedUnion("t", [
        z.object({ t: z.literal("a"), n: z.number() }),
        z.object({ t: z.literal("b") }),
      ]),
      size: z.nativeEnum(Size),
    }),
    takes: [
      { u: 1, n: null, e: { t: "b" }, size: 1 },
      { u: "x", n: "y", e: { t: "a", n: 0 }, size: Size.Large },
    ],
    refuses: [
      [{ u: -1, n: null, e: { t: "b" }, size: 1 }, "u"],
      [{ u: 1, n: 2, e: { t: "b" }, size: 1 }, "n"],
      [{ u: 1, n: null, e: { t: "a" }, size: 1 }, "e.n"],
      [{ u: 1, n: null, e: { t: "b" }, size: 3 }, "size"],
    ],
  },
  {
    name: "zod 3: recursive",
    form: z.object({ root: tree }),
    takes: [{ root: { name: "a", kids: [{ name: "b", kids: [] }] } }],
    refuses: [[{ root: { name: "a", kids: [{}] } }, "root.kids.0.name"]],
  },
  {
    name: "zod 3: transform, refine, brand, readonly",
    form: {
      a: z.string().transform(Number),
      b: z.string().brand("id").readonly(),
      c: z.number().catch(7).optional(),
    },
    becomes: [
      [
        { a: "5", b: "x" },
        { a: 5, b: "x" },
      ],
    ],
    refuses: [
      [{ a: 5, b: "x" }, "a"],
      [{ a: "5", b: 1 }, "b"],
    ],
  },
  {
    name: "zod 3: both",
    form: z.object({ both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })) }),
    takes: [{ both: { a: "", b: 1 } }],
    refuses: [[{ both: { a: "" } }, "both.b"]],
  },
];
