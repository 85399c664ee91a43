/** A server-sent event named by the type of its data, as Messages and Responses stream them. */
export function event(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
