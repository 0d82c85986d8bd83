// Restores a session to a position of its log. Messages that have been in the conversation since then stay where they are;
// those that an earlier restore had taken out are added again.
import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_RESTORED_BYTES, MAX_STATE_MESSAGES } from "../../protocol/sessions/limits.ts";
import type { Restore, Restored } from "../../protocol/sessions/restore.ts";
import { areLarge, type StagedMessages } from "../log/stage-messages.ts";
import type { ChangedMessage } from "../tables/changed-messages.ts";
import type { RecordResult } from "../tables/once.ts";
import { abilityStatesAt } from "./ability-snapshots.ts";
import { admitBytes } from "./admit-bytes.ts";
import {
  changeConversation,
  changedStates,
  changeEvents,
  refuseChange,
  sameBeginning,
  type ConversationChange,
} from "./change-conversation.ts";
import { lastComplete } from "./fork-source.ts";
import type { OpenSession } from "./open-session.ts";

export interface SessionRestore extends Restore {
  /** The newest positions that the client may know; left out for any. */
  readonly if_cursors?: readonly number[] | undefined;
}

/** All or nothing, in one commit. The same restore again changes nothing, as long as nothing was said behind it. */
export async function restoreSession(
  session: OpenSession,
  { cursor, if_cursors }: SessionRestore,
  recordResult: RecordResult<Restored>,
): Promise<Result<Restored>> {
  const refused = refuseChange(session, if_cursors);
  if (refused) return refused;
  const { log } = session;
  await log.settled();
  if (cursor > log.highWaterMark) {
    const detail = `this session's log ends at ${log.highWaterMark}; ${cursor} was never given out`;
    return refuse("cursor_ahead", detail, { errors: [{ pointer: "#/cursor", detail }] });
  }
  // As they were there: what follows in the log does not change them.
  const states = await abilityStatesAt(session, cursor);
  const prepare = (): Result<ConversationChange> => {
    const busy = refuseChange(session, if_cursors);
    if (busy) return busy;
    return prepareRestore(session, cursor, (name) => states.find((one) => one.ability === name));
  };
  const prepared = prepare();
  if (!prepared.ok) return prepared;
  const { messages, states: changed } = prepared.value;
  if (isChange(session, prepared.value)) {
    const admitted = await admitBytes(session, [messages, changed]);
    if (!admitted.ok) return admitted;
  }
  if (!areLarge(messages)) {
    const now = prepare();
    return now.ok ? write(now.value) : now;
  }
  return session.queue.aheadOfQueue(async (_, staging) => {
    await staging.stage(messages, 0, changeEvents(session, prepared.value));
    const now = prepare();
    if (!now.ok) return now;
    const staged = staging.use(now.value.messages);
    return write(staged ? { ...now.value, messages, states: changed } : now.value, staged);
  });

  async function write(
    change: ConversationChange,
    staged?: StagedMessages,
  ): Promise<Result<Restored>> {
    const restored = () => ({
      cursor: log.lastSeq,
      message_id: change.messages.at(-1)?.id ?? lastMessageId(session),
    });
    const record = () => recordResult(restored());
    if (isChange(session, change))
      changeConversation(session, { ...change, write: record }, staged);
    else session.transaction(record);
    await log.settled();
    return log.isClosed ? refuse("not_found", "there is no such session") : accept(restored());
  }
}

/** Whether a change has any effect. */
export function isChange(
  { tables }: OpenSession,
  { kept, states, messages }: ConversationChange,
): boolean {
  return states.length > 0 || messages.length > 0 || tables.messages.idFrom(kept + 1) !== null;
}

function lastMessageId({ tables }: OpenSession): string | null {
  const [last] = tables.messages.before(Infinity);
  return last?.item.message.id ?? null;
}

/** Read anew at each look at the session. */
function prepareRestore(
  session: OpenSession,
  cursor: number,
  stateOf: (ability: string) => { readonly state: unknown } | undefined,
): Result<ConversationChange> {
  const { tables } = session;
  const end = lastComplete(session, cursor)?.cursor ?? 0;
  const stayed = Math.min(end, tables.restores.unchangedSince(cursor));
  const back = readBack(session, stayed, end);
  if (!back.ok) return back;
  // An earlier restore may have brought the same ones back.
  const { kept, count } = sameBeginning(session, back.value.messages, stayed);
  const states: readonly EventDraft[] = changedStates(tables.abilities, (fold) => {
    const found = stateOf(fold.name);
    if (!found) return fold.initial;
    const isOther = fold.name === CONTEXT_FOLD.name && !hasBoundary(found.state as ContextState);
    return isOther ? fold.initial : found.state;
  });
  const messages = back.value.messages.slice(count);
  const changed = back.value.changed.filter(({ id }) => messages.some((one) => one.id === id));
  return accept({ cursor, kept, states, messages, owners: back.value.owners, changed });

  /** False for a context that begins in a message which is not in the conversation: its summary has words of that. */
  function hasBoundary({ boundary }: ContextState): boolean {
    if (!boundary) return true;
    const { message_id } = boundary;
    const place = tables.messages.findPlace(message_id);
    const isThere = place !== null && place.position <= stayed;
    return isThere || (back.ok && back.value.messages.some(({ id }) => id === message_id));
  }
}

/** The messages that come back, with their replies and what the model sees of them. */
function readBack(
  { tables }: OpenSession,
  kept: number,
  end: number,
): Result<Required<Pick<ConversationChange, "messages" | "owners" | "changed">>> {
  const messages: Msg[] = [];
  const owners = new Map<string, string>();
  const ids = new Map<string, string>();
  let size = 0;
  if (kept < end) {
    for (const { item, bytes } of tables.messages.between(kept, end)) {
      const { message, key, reply_id } = item;
      size += bytes;
      if (size > MAX_RESTORED_BYTES || messages.length === MAX_STATE_MESSAGES) return refuseSize();
      messages.push(message);
      ids.set(key, message.id);
      if (reply_id !== null) owners.set(message.id, reply_id);
    }
  }
  const changed: readonly ChangedMessage[] = tables.changedMessages
    .of([...ids.keys()])
    .map(({ id, content }) => ({ id: ids.get(id) ?? id, content }));
  return accept({ messages, owners, changed });
}

function refuseSize(): Result<never> {
  const detail = `a restore brings back ${MAX_STATE_MESSAGES} messages and ${MAX_RESTORED_BYTES} bytes at most; fork the session at this cursor`;
  return refuse("conflict", detail);
}
