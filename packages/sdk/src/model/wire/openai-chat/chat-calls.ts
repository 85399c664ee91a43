import type { ModelPart } from "../../port.ts";
import { ask, text } from "../shared/json.ts";

/** Joins the pieces of tool calls, which servers number in different ways. */
export interface ChatCalls {
  delta(piece: unknown, out: ModelPart[]): void;
  /** Ends all that are open. */
  end(out: ModelPart[]): void;
  readonly any: boolean;
}

interface OpenCall {
  id: string | undefined;
  started: boolean;
  /** Input that came before the call had a name. */
  early: string;
}

/**
 * A piece belongs to the call of its `index`; without one to the call of its `id`, or to the last. A new id at an index
 * that is taken begins another call: some servers send every call as number 0.
 */
export function createChatCalls(newId: () => string): ChatCalls {
  const byPlace = new Map<unknown, OpenCall>();
  const open: OpenCall[] = [];
  let last: OpenCall | undefined;
  let any = false;

  function find(piece: unknown): OpenCall {
    const id = text(ask(piece, "id"));
    const place = ask(piece, "index") ?? id;
    const known = place === undefined ? last : byPlace.get(place);
    if (known !== undefined && (id === undefined || known.id === undefined || known.id === id)) {
      known.id ??= id;
      return known;
    }
    const call: OpenCall = { id, started: false, early: "" };
    open.push(call);
    if (place !== undefined) byPlace.set(place, call);
    return call;
  }

  function start(call: OpenCall, name: string, out: ModelPart[]): void {
    call.id ??= newId();
    call.started = true;
    any = true;
    out.push({ type: "toolStart", id: call.id, name });
    if (call.early !== "") out.push({ type: "toolDelta", id: call.id, delta: call.early });
  }

  return {
    get any() {
      return any;
    },
    delta(piece, out) {
      const call = find(piece);
      last = call;
      const name = text(ask(ask(piece, "function"), "name"));
      const more = ask(ask(piece, "function"), "arguments");
      const input = typeof more === "string" ? more : more == null ? "" : JSON.stringify(more);
      if (!call.started && name !== undefined) start(call, name, out);
      if (input === "") return;
      if (call.started) out.push({ type: "toolDelta", id: call.id ?? "", delta: input });
      else call.early += input;
    },
    end(out) {
      for (const call of open) {
        if (!call.started) start(call, "", out);
        out.push({ type: "toolEnd", id: call.id ?? "" });
      }
      open.length = 0;
    },
  };
}
