// Observed messages: they are added without a reply, and the next reply's model reads them.
import { toldDraft, type ToldEvent } from "../../protocol/told/told-event.ts";
import { tellEvents } from "./tell-events.ts";
import type { Observed } from "../../protocol/sessions/observe.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { areLarge, type Staging } from "../log/stage-messages.ts";
import { admitBytes } from "./admit-bytes.ts";
import { addMessages } from "./add-messages.ts";
import {
  matchKnownMessages,
  refuseConflict,
  type KnownMessages,
} from "../tables/known-messages.ts";
import type { RecordResult } from "../tables/once.ts";
import type { OpenSession } from "./open-session.ts";
import { refuseBusy } from "../replies/refuse-busy.ts";
import { inputMessages } from "../tables/reply-input.ts";
import type { ReplyStart } from "../api/session-api.ts";

/** The result as the idempotency key keeps it: a repeated {@link Observed} is built from it. */
export interface KeptObserved {
  readonly message_ids: readonly string[];
  readonly cursor: number;
}

/**
 * Resolves when the messages are durable. Refused while a reply runs or waits: its model has read the conversation
 * already, and a message in the middle of its answer would never be read in its place.
 */
export async function observeMessages(
  session: OpenSession,
  input: ReplyStart["input"],
  recordResult: RecordResult<KeptObserved> = () => undefined,
  trace?: TraceContext,
  told: readonly ToldEvent[] = [],
): Promise<Result<Observed>> {
  const messages = inputMessages(input, {
    newMessageId: () => session.newId("msg"),
    created_at: new Date().toISOString(),
  });
  const message_ids = messages.map(({ id }) => id);
  const { log, observeHooks } = session;
  const lookAgain = () => look(session, messages, Array.isArray(input));
  let known = lookAgain();
  if (!("ok" in known) && known.fresh.length > 0) {
    const admitted = await admitBytes(session, [...known.fresh, ...told]);
    if (!admitted.ok) return admitted;
    known = lookAgain();
  }
  let snapshots: readonly EventDraft[] = [];
  if (!("ok" in known) && known.fresh.length > 0) {
    const asking = observeHooks.before(known.fresh, trace);
    const asked = asking && (await asking);
    if (asked && !asked.ok) return asked;
    // While the hooks were asked anything may have happened.
    if (asked) known = lookAgain();
    snapshots = asked?.value ?? [];
  }
  if ("ok" in known) return known;
  const { fresh } = known;
  // Messages that are known already say nothing about their events: a request again is known by its key alone.
  if (fresh.length === 0 && told.length > 0) {
    const done = await tellEvents(session, told, ({ cursor }) =>
      recordResult({ message_ids, cursor }),
    );
    return done.ok
      ? accept(viewObserved(session, { message_ids, cursor: done.value.cursor }))
      : done;
  }
  snapshots = [...snapshots, ...told.map((event) => toldDraft(event, { kind: "tenant" }))];
  if (!areLarge(fresh)) return observe(known);
  return session.queue.aheadOfQueue(async (_, staging) => {
    await staging.stage(fresh, 0, snapshots);
    const now = lookAgain();
    return "ok" in now ? now : observe(now, staging);
  });

  async function observe({ fresh }: KnownMessages, staging?: Staging): Promise<Result<Observed>> {
    const staged = staging?.use(fresh);
    const write = () => {
      observeHooks.expect(fresh);
      recordResult({ message_ids, cursor: log.lastSeq });
    };
    if (fresh.length > 0) addMessages(session, fresh, { write, snapshots, staged });
    else recordResult({ message_ids, cursor: log.visibleSeq });
    await log.settled();
    const observed = viewObserved(session, { message_ids, cursor: log.visibleSeq }, fresh);
    if (fresh.length > 0) observeHooks.tellSoon(trace);
    return accept(observed);
  }
}

/** Messages that are new, or the reason that they cannot be added now. */
function look(
  session: OpenSession,
  messages: readonly Msg[],
  isList: boolean,
): KnownMessages | Extract<Result<never>, { ok: false }> {
  const { log, tables, active } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const known = matchKnownMessages(messages, (id) => session.findMessage(id));
  if ("conflict" in known) {
    const index = isList ? `/${known.conflict}` : "";
    return refuseConflict(messages[known.conflict]?.id ?? "", `#/messages${index}/id`);
  }
  const isBusy = known.fresh.length > 0 && active !== null && !active.isOver;
  const refused = isBusy ? refuseBusy(active, tables.calls) : null;
  return refused && !refused.ok ? refused : known;
}

/** @param written Messages that were written just now: each of them may have several megabytes to read and parse. */
export function viewObserved(
  session: OpenSession,
  { message_ids, cursor }: KeptObserved,
  written: readonly Msg[] = [],
): Observed {
  const own = new Map(written.map((message) => [message.id, message]));
  const stored = message_ids.map((id) => own.get(id) ?? session.findMessage(id)?.message);
  return { messages: stored.filter((message): message is Msg => message !== undefined), cursor };
}
