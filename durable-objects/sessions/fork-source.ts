// The source's side of a fork: the description of the copy, and its messages in batches. Read only.
import { CONTEXT_ABILITY, type ContextState } from "../../agent/context/context-fold.ts";
import type { AbilityStateValue } from "../../protocol/ability-state.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { COPY_BATCH_BYTES } from "../../protocol/sessions/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { abilityStatesAt } from "./ability-snapshots.ts";
import type { OpenSession } from "./open-session.ts";
import { refuseBusy } from "../replies/refuse-busy.ts";
import type { PlacedMessage } from "../tables/stored-message.ts";
import type { CopiedMessages, ForkSource } from "../api/session-api.ts";

/**
 * Describes the copy up to `at`. The states of abilities are those at that message or seq, or the current ones without
 * `at`. The message of a reply that runs or waits is never copied, because it will change: named by its id it is
 * refused; else the copy ends before it.
 */
export async function readForkSource(
  session: OpenSession,
  at?: string | number,
): Promise<Result<ForkSource>> {
  const { active } = session;
  if (active?.isOver) await active.settled;
  else if (active && active.id === at) return refuseBusy(active, session.tables.calls);
  await session.log.settled();
  const { init, log, tables } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const found = typeof at === "string" ? tables.messages.find(at) : null;
  if (typeof at === "string" && !found) {
    const detail = `there is no message ${at} in this session`;
    return refuse("not_found", detail, { errors: [{ pointer: "#/at", detail }] });
  }
  if (typeof at === "number" && at > log.highWaterMark) {
    const detail = `this session's log ends at ${log.highWaterMark}; ${at} was never given out`;
    return refuse("cursor_ahead", detail, { errors: [{ pointer: "#/at", detail }] });
  }
  const last = found ?? lastComplete(session, typeof at === "number" ? at : log.durableSeq);
  const cursor = last?.cursor ?? 0;
  const outsized = tables.messages.findOutsized(cursor);
  if (outsized !== null) return refuseOutsized(outsized);
  const rules = tables.rules.all().map(({ tool_name, rule_content, behavior, source }) => {
    return { tool_name, rule_content, behavior, source };
  });
  const message_id = last?.message.id ?? null;
  const run_id = last ? findRun(session, last.position) : undefined;
  const ability_states = await abilityStatesAt(
    session,
    typeof at === "number" ? at : found?.cursor,
  );
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const copied = ability_states.filter((state) => isWithin(session, state, last));
  return accept({ init, rules, ability_states: copied, message_id, run_id, cursor });
}

/**
 * False for a context that begins behind the copied messages, in the reply that is open: the fork has its messages whole,
 * without a summary of what it does not have.
 */
function isWithin(
  { tables }: OpenSession,
  { ability, state }: AbilityStateValue,
  last: Pick<PlacedMessage, "position" | "cursor"> | null,
): boolean {
  if (ability !== CONTEXT_ABILITY) return true;
  const { boundary } = state as ContextState;
  if (!boundary) return true;
  const place = tables.messages.findPlace(boundary.message_id, last?.cursor);
  return place !== null && place.position <= (last?.position ?? 0);
}

/** Refuses to copy: leaving the message out would change the conversation. */
function refuseOutsized(message_id: string): Result<never> {
  const detail = `message ${message_id} is too large to be copied; give \`at\` a message before it`;
  return refuse("message_too_large", detail, { extensions: { message_id } });
}

/**
 * The run of the last assistant message up to a position; for a copied message, the run that this session branched
 * from.
 */
function findRun({ tables, init }: OpenSession, position: number): string | undefined {
  for (const { item } of tables.messages.before(position + 1)) {
    if (item.message.role !== "assistant") continue;
    const { reply_id } = item;
    return reply_id === null
      ? init.parent_run_id
      : (tables.runs.lastOf(reply_id)?.run_id ?? reply_id);
  }
  return undefined;
}

/** The newest message that was complete at a position; null before the first. */
export function lastComplete({ tables, active }: OpenSession, cursor: number) {
  const openId = active && !active.isOver ? active.id : null;
  for (const { item } of tables.messages.before(cursor + 1)) {
    if (item.cursor <= cursor && item.message.id !== openId) return item;
  }
  return null;
}

/** One batch of the copy: as many messages as fit, and at least one. */
export function readForkMessages(
  { tables }: OpenSession,
  after: number,
  upTo: number,
): Result<CopiedMessages> {
  const messages: Msg[] = [];
  const keys = new Map<string, string>();
  let cursor = after;
  let size = 0;
  for (const { item, bytes } of tables.messages.between(after, upTo)) {
    size += bytes;
    if (size > COPY_BATCH_BYTES && messages.length > 0) {
      return accept({ messages, changed: changed(), cursor, is_last: false });
    }
    messages.push(item.message);
    keys.set(item.key, item.message.id);
    cursor = item.position;
  }
  return accept({ messages, changed: changed(), cursor, is_last: true });

  function changed(): CopiedMessages["changed"] {
    const found = tables.changedMessages.of([...keys.keys()]);
    return found.map(({ id, content }) => ({ id: keys.get(id) ?? id, content }));
  }
}
