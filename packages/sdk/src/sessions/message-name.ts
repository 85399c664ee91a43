import type { SessionEvent, UserMessageEvent } from "../protocol/index.ts";

/** The `uuid` of a person's message: the one that the program gave it, else that of its event. */
export function messageName({ id, data }: UserMessageEvent): string {
  return data.message.uuid ?? id;
}

/** Whether an event is meant by a `uuid`. A message that the program named is known by the name of its event as well. */
export function isNamed(event: SessionEvent, uuid: string): boolean {
  return event.id === uuid || (event.type === "user.message" && messageName(event) === uuid);
}
