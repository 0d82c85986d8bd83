// Puts another conversation in the place of a session's: the log goes on, with one commit that has the restore, the states
// of abilities, and the messages that are new. What they replace stays in the log, and at its positions.
import type { AbilityFold } from "../../agent/ability.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { ABILITY_STATE } from "../../protocol/ability-state.ts";
import { refuse, type Result } from "../../protocol/errors.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { SESSION_RESTORED, type SessionRestoredValue } from "../../protocol/sessions/events.ts";
import { refuseBusy, refuseRunning } from "../replies/refuse-busy.ts";
import type { ChangedMessage } from "../tables/changed-messages.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { StagedMessages } from "../log/stage-messages.ts";
import { addMessages } from "./add-messages.ts";
import type { OpenSession } from "./open-session.ts";

export interface ConversationChange {
  /** The position whose state it is; left out for a state from outside. */
  readonly cursor?: number;
  /** The last position of which the messages stay; 0 for none. */
  readonly kept: number;
  /** Snapshots of the states that are others now. */
  readonly states: readonly EventDraft[];
  /** Appended to those that stay. */
  readonly messages: readonly Msg[];
  /** The replies of these, by the message's id; of those that have none, no entry. */
  readonly owners?: ReadonlyMap<string, string>;
  /** Messages of which the model sees something else. */
  readonly changed?: readonly ChangedMessage[];
  /** Part of the same transaction. */
  readonly write?: () => void;
}

/** Refuses while a reply runs or waits, and to a client that does not know the newest event. */
export function refuseChange(
  { log, active, tables }: OpenSession,
  ifCursors: readonly number[] | undefined,
): Extract<Result<never>, { ok: false }> | null {
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const [queued] = tables.queue.list();
  const busy =
    active && !active.isOver
      ? refuseBusy(active, tables.calls)
      : queued && refuseRunning(queued.id);
  if (busy && !busy.ok) return busy;
  if (!ifCursors || ifCursors.includes(log.lastSeq)) return null;
  const detail = `the session is at ${log.lastSeq}`;
  return refuse("version_mismatch", detail, { extensions: { version: log.lastSeq } });
}

/** The position of the last message that stays, with its id; null for none. */
function lastKept({ messages }: SessionTables, kept: number): string | null {
  const [last] = messages.before(kept + 1);
  return last?.item.message.id ?? null;
}

/**
 * The messages that the conversation has already behind a position, compared whole.
 * @returns the position of the last one, and how many they are.
 */
export function sameBeginning(
  { tables }: Pick<OpenSession, "tables">,
  messages: readonly Msg[],
  after: number,
): { readonly kept: number; readonly count: number } {
  let [kept, count] = [after, 0];
  if (messages.length === 0) return { kept, count };
  for (const { item } of tables.messages.between(after, Infinity)) {
    if (!isSameJson(item.message, messages[count])) break;
    kept = item.position;
    count += 1;
    if (count === messages.length) break;
  }
  return { kept, count };
}

/** The events before those of the messages. */
export function changeEvents(
  { tables }: OpenSession,
  { cursor, kept, states, messages }: ConversationChange,
): readonly EventDraft[] {
  const value: SessionRestoredValue = {
    ...(cursor !== undefined && { cursor }),
    last_message_id: lastKept(tables, kept),
    added_messages: messages.length,
  };
  return [{ type: "CUSTOM", name: SESSION_RESTORED, value: { ...value } }, ...states];
}

/** One commit. Nothing is waited for since the caller has looked at the session. */
export function changeConversation(
  session: OpenSession,
  change: ConversationChange,
  staged?: StagedMessages,
): void {
  const { tables, outbox } = session;
  const { kept, messages, owners, changed = [], write = () => undefined } = change;
  outbox.growth.expectAny();
  addMessages(session, messages, {
    snapshots: changeEvents(session, change),
    staged,
    owners,
    before: (events) => {
      const at = events[0]?.seq ?? session.log.lastSeq;
      tables.changedMessages.setAside(kept, at);
      tables.restores.add({ at, kept });
      tables.changedMessages.put(changed);
    },
    write,
  });
  session.spoken.restored();
}

/** Snapshots of the states that become others. @param targetOf The state of the restored conversation. */
export function changedStates(
  abilities: SessionTables["abilities"],
  targetOf: (fold: AbilityFold<unknown>) => unknown,
): readonly EventDraft[] {
  return abilities.folds.flatMap((fold) => {
    const now = readState(abilities, fold);
    const target = targetOf(fold);
    const state = fold.restore ? fold.restore(target, now) : target;
    if (isSameJson(state, now)) return [];
    return [{ type: "CUSTOM", name: ABILITY_STATE, value: { ability: fold.name, state } } as const];
  });
}

/** A state that cannot be read is replaced as an initial one. */
export function readState(
  abilities: SessionTables["abilities"],
  fold: AbilityFold<unknown>,
): unknown {
  try {
    return abilities.read(fold);
  } catch {
    return fold.initial;
  }
}
