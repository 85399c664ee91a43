import type { PermissionContext, PermissionMode } from "../protocol/index.ts";

/** What a mode changes. Each field is a question about the context, answered once a call. */
export interface ModeTable {
  /** Only what reads or is made for planning passes; rules, hooks and other modes do not lift it. */
  readonly ceiling: (context: PermissionContext) => boolean;
  /** Whatever steps 1 and 2 leave is allowed. */
  readonly allowsRest: (context: PermissionContext) => boolean;
  /** Edits inside the working directories are allowed. */
  readonly allowsEdits: boolean;
  /** Every ask becomes a deny. */
  readonly deniesAsks: boolean;
}

const never = (): boolean => false;
const underCeiling = (context: PermissionContext): boolean => context.planMode === "ceiling";

const PLAIN: ModeTable = { ceiling: never, allowsRest: never, allowsEdits: false, deniesAsks: false };

const MODES: ReadonlyMap<PermissionMode, ModeTable> = new Map<PermissionMode, ModeTable>([
  ["default", PLAIN],
  ["acceptEdits", { ...PLAIN, allowsEdits: true }],
  [
    "plan",
    {
      ...PLAIN,
      ceiling: underCeiling,
      allowsRest: (context) => underCeiling(context) && context.isBypassAvailable,
    },
  ],
  ["dontAsk", { ...PLAIN, deniesAsks: true }],
  ["bypassPermissions", { ...PLAIN, allowsRest: (context) => context.isBypassAvailable }],
]);

/** The table of a mode. A mode that nobody knows counts as `dontAsk`. */
export function modeTable(mode: PermissionMode): ModeTable {
  return MODES.get(mode) ?? { ...PLAIN, deniesAsks: true };
}

/** The mode that a name means; `yolo` is `bypassPermissions`. Undefined for any other name. */
export function normaliseMode(name: string): PermissionMode | undefined {
  const plain = name === "yolo" ? "bypassPermissions" : name;
  return [...MODES.keys()].find((mode) => mode === plain);
}
