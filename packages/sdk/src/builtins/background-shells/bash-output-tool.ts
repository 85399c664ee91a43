import type {
  BackgroundOutput,
  BuiltinContext,
  JsonObject,
  ToolDefinition,
  ToolResult,
} from "../../protocol/index.ts";
import { buildTool } from "../../tools/index.ts";
import { TAIL } from "../bash/collect-output.ts";
import { cutOutput } from "../bash/cut-output.ts";
import { need } from "../deps.ts";
import { failure } from "../results.ts";
import { BASH_OUTPUT_PROMPT } from "./background-prompts.ts";
import { BASH_OUTPUT } from "./background-shell-declarations.ts";
import type { FilteredText } from "./filter-lines.ts";
import { plainText } from "./plain-text.ts";
import { statusWords } from "./task-words.ts";
import { unknownTask } from "./unknown-task.ts";

const DEFAULT_WAIT_MS = 30_000;

/** BashOutput: what is new of a background command. */
export function bashOutputTool(): ToolDefinition {
  return buildTool({
    ...BASH_OUTPUT,
    prompt: () => BASH_OUTPUT_PROMPT,
    isConcurrencySafe: (input) => input.block !== true,
    interruptBehavior: () => "cancel",
    call: readOutput,
  });
}

async function readOutput(input: JsonObject, context: BuiltinContext): Promise<ToolResult> {
  const shells = need(context.services, "backgroundShells");
  const id = String(input.bash_id ?? input.task_id);
  if (shells.get(id) === undefined) return failure(unknownTask(id, shells.list()));
  // A filter that cannot be used must not use up any output.
  const filter = input.filter === undefined ? undefined : await filterOf(String(input.filter));
  if (filter?.ok === false) return failure(filter.text);
  if (input.block === true) {
    const ms = typeof input.timeout === "number" ? input.timeout : DEFAULT_WAIT_MS;
    await shells.wait(id, ms, context.signal);
  }
  const read = await shells.read(id, { wholeLines: filter !== undefined });
  if (read === undefined) return failure(unknownTask(id, shells.list()));
  const plain = plainText(read.text);
  const kept = filter?.keep(plain);
  return show(read, kept?.text ?? plain, kept, context);
}

async function filterOf(pattern: string) {
  const { lineFilter } = await import("./filter-lines.ts");
  return lineFilter(pattern);
}

async function show(
  { task, dropped, fault }: BackgroundOutput,
  output: string,
  filtered: FilteredText | undefined,
  context: BuiltinContext,
): Promise<ToolResult> {
  const cut = await cutOutput({ text: output, dropped: 0, tail: output.slice(-TAIL) }, context);
  const notes = [
    dropped === 0 ? "" : `(${dropped} bytes of output before this are not kept any more.)`,
    filtered === undefined || filtered.skipped === 0
      ? ""
      : `(${filtered.skipped} characters before this were too much for the filter, and are passed over.)`,
    cut.text.replace(/\n$/, ""),
    cut.text === "" ? noOutput(filtered) : "",
    fault === undefined ? "" : `(${fault})`,
    `(${task.id}: ${statusWords(task)}.)`,
  ];
  return {
    content: [{ type: "text", text: notes.filter((note) => note !== "").join("\n") }],
    structuredContent: {
      taskId: task.id,
      status: task.status,
      exitCode: task.exitCode ?? null,
      signal: task.signal ?? null,
      droppedBytes: dropped,
    },
    ...(cut.artifact === undefined ? {} : { artifacts: [cut.artifact] }),
  };
}

function noOutput(filtered: FilteredText | undefined): string {
  if (filtered === undefined || filtered.passed === 0) return "(no new output)";
  return `(no new line fits the filter; ${filtered.passed} ${filtered.passed === 1 ? "line was" : "lines were"} passed over)`;
}
