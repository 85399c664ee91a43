import type { ModelPart } from "../../port.ts";
import { ask, text } from "../shared/json.ts";

/** Joins the pieces of tool calls, which servers number in different ways. */
export interface ChatCalls {
  delta(piece: unknown, out: ModelPart[]): void;
  /** Ends all that are open. */
  end(out: ModelPart[]): void;
}

interface OpenCall {
  /** The server's. */
  id: string | undefined;
  /** Ours, once it has started. */
  own: string | undefined;
  /** Input that came before the call had a name. */
  early: string;
}

/**
 * A piece belongs to the call of its `index`; without one to the call of its `id`, or to the last. A new id at an index
 * that is taken begins another call: some servers send every call as number 0. Calls keep the server's id, unless an
 * earlier answer had it: some servers begin to count anew in each, and the next provider may refuse that.
 */
export function createChatCalls(newId: () => string, taken: (id: string) => boolean): ChatCalls {
  const byPlace = new Map<unknown, OpenCall>();
  const open: OpenCall[] = [];
  let last: OpenCall | undefined;

  function find(piece: unknown): OpenCall {
    const id = text(ask(piece, "id"));
    const place = ask(piece, "index") ?? id;
    const known = place === undefined ? last : byPlace.get(place);
    if (known !== undefined && (id === undefined || known.id === undefined || known.id === id)) {
      known.id ??= id;
      return known;
    }
    const call: OpenCall = { id, own: undefined, early: "" };
    open.push(call);
    if (place !== undefined) byPlace.set(place, call);
    return call;
  }

  function start(call: OpenCall, name: string, out: ModelPart[]): string {
    const own = call.id === undefined || taken(call.id) ? newId() : call.id;
    call.own = own;
    out.push({ type: "toolStart", id: own, name });
    if (call.early !== "") out.push({ type: "toolDelta", id: own, delta: call.early });
    return own;
  }

  return {
    delta(piece, out) {
      const call = find(piece);
      last = call;
      const name = text(ask(ask(piece, "function"), "name"));
      const more = ask(ask(piece, "function"), "arguments");
      const input = typeof more === "string" ? more : more == null ? "" : JSON.stringify(more);
      if (call.own === undefined && name !== undefined) start(call, name, out);
      if (input === "") return;
      if (call.own === undefined) call.early += input;
      else out.push({ type: "toolDelta", id: call.own, delta: input });
    },
    end(out) {
      for (const call of open) {
        out.push({ type: "toolEnd", id: call.own ?? start(call, "", out) });
      }
      open.length = 0;
    },
  };
}
