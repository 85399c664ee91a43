/** The least that reads server-sent events of this server: text in, parsed data out. */
export function createEvents(onEvent: (event: WireEvent) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    rest += text;
    let from = 0;
    for (let to = rest.indexOf("\n\n"); to >= 0; to = rest.indexOf("\n\n", from)) {
      const data = rest.indexOf("data: ", from);
      if (data >= 0 && data < to) onEvent(JSON.parse(rest.slice(data + 6, to)));
      from = to + 2;
    }
    rest = rest.slice(from);
  };
}

export interface WireEvent {
  readonly type: string;
  readonly index: number;
  readonly content_block: { readonly type: string; readonly id: string; readonly name: string };
  readonly delta: { readonly type: string; readonly text: string; readonly partial_json: string };
}
