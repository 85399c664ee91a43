import {
  createDesk,
  type Desk,
  type DeskParts,
  fileSigner,
  postApproval,
  type Ruling,
  type Tell,
  type Told,
} from "../../approvals/index.ts";
import { runNotification, tellEffect } from "../../hooks/index.ts";
import type { Timer } from "../../platform/index.ts";
import { EVENT_TYPES, type EventData, type SessionEvent } from "../../protocol/index.ts";
import { approvalRequested, redacted, storeHome } from "../../sessions/index.ts";
import { restWhile } from "../at-rest.ts";
import type { SessionDeskParts } from "./desk-parts.ts";

/** What takes out of a question, its input included, what must not be recorded. */
function redactor({ redact, platform }: SessionDeskParts["shared"]): DeskParts["redact"] {
  if (redact === undefined) return undefined;
  const { v, critical } = EVENT_TYPES["approval.requested"];
  return (data) => {
    const head = { v, seq: 0, id: data.approvalId, ts: platform.clock.now(), critical };
    const plain = redacted(redact, { ...head, type: "approval.requested", data } as SessionEvent);
    return plain.type === "approval.requested" ? plain.data : data;
  };
}

/** How long a session that ends waits for those whom it has told, in milliseconds. */
const LAST_WORD_MS = 10_000;

type Stopped = Extract<Ruling, { kind: "stopped" }>;
type Requested = EventData<"approval.requested">;

/** The desk of a session, with everyone who is told of a question. */
export function makeDesk(parts: SessionDeskParts): Desk {
  const { shared, store, setting, sessionId, log, hooks, teller } = parts;
  const { platform } = shared;
  const signer = fileSigner(platform, storeHome(platform));

  async function notify(requested: Requested, over: AbortSignal): Promise<Stopped | undefined> {
    const told = {
      notification_type: "approval_requested",
      title: requested.title,
      message: requested.message,
      approval_id: requested.approvalId,
      tool_name: requested.name,
      tool_use_id: requested.callId,
    } as const;
    const effect = await runNotification(hooks.table, hooks.input(), told, over, {
      clock: platform.clock,
      started: hooks.started,
    });
    if (!over.aborted) {
      tellEffect(effect, { recorder: log, notify: teller.notify });
      if (effect.stop !== undefined) return { kind: "stopped", reason: effect.stop.reason };
    }
    return undefined;
  }

  async function post(url: string, tell: Tell): Promise<void> {
    const problem = await postApproval(platform, url, tell.record(), signer);
    if (problem === undefined) return;
    teller.notify(
      "warning",
      `The webhook of approvals (${url}) was not told of a call that waits: ${problem}.`,
    );
  }

  /** Who was told may be at it still when the session ends. */
  const atWork = new Set<Promise<void>>();
  const heard = new Set<AbortController>();
  const track = (work: Promise<void>): void => {
    const end = (): void => void atWork.delete(job);
    const job = work.then(end, end);
    atWork.add(job);
  };

  const desk = createDesk({
    ...{ store, platform, log, sessionId },
    onPending: setting.onPending,
    expiresInMs: setting.expiresInMs,
    redact: redactor(shared),
    tell(requested, tell): Told {
      teller.approval((common) => approvalRequested(requested, log.state, common));
      const over = new AbortController();
      heard.add(over);
      const answered = teller.activity.ask();
      const rested = restWhile(platform.clock, log.rest);
      if (tell.isFresh && setting.webhook !== undefined) track(post(setting.webhook, tell));
      const isHeard = tell.isFresh && hooks.table.has("Notification");
      return {
        ...(isHeard ? { stopped: stopOf(notify(requested, over.signal)) } : {}),
        over(isLeft) {
          rested();
          answered();
          if (isLeft) return;
          heard.delete(over);
          over.abort();
        },
      };
    },
  });

  /** Settles for a stop only. */
  function stopOf(told: Promise<Stopped | undefined>): Promise<Stopped> {
    track(told.then(() => undefined));
    return new Promise((resolve) => {
      told.then((stop) => stop !== undefined && resolve(stop)).catch(() => {});
    });
  }

  return {
    ...desk,
    async close() {
      await desk.close();
      if (atWork.size > 0) {
        let timer: Timer | undefined;
        const limit = new Promise<void>((resolve) => {
          timer = platform.clock.timer(LAST_WORD_MS, resolve);
        });
        await Promise.race([Promise.all(atWork), limit]);
        timer?.cancel();
      }
      // Whatever they say now, the log is closed.
      for (const over of heard) over.abort();
    },
  };
}
