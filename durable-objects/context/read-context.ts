// Reads what a model sees of a conversation: the messages after the boundary, and of them no more than some windows hold.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { contextLimits } from "../../agent/context/context-limits.ts";
import { countMessage } from "../../agent/context/count-tokens.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { CONTEXT_TRUNCATED, type ContextTruncatedValue } from "../../protocol/context/events.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { BYTES_PER_TOKEN, MAX_READ_WINDOWS } from "../../protocol/context/limits.ts";
import { MAX_HISTORY_BYTES } from "../../protocol/replies/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { contextStart } from "./context-start.ts";
import { readHistory } from "./read-history.ts";
import { windowOf } from "../settings/window-of.ts";

interface ReadTables extends Pick<SessionTables, "messages" | "changedMessages"> {
  readonly abilities: Pick<SessionTables["abilities"], "read">;
}

export interface ContextRange {
  /** Messages below this position: those before the open reply. */
  readonly below: number;
  /** The open reply, in whose message the context may begin. */
  readonly open?: { readonly id: string; readonly startCursor: number } | null;
}

export interface ReadContext {
  /** Oldest first; what of the first one was summarised is in it. */
  readonly history: readonly Msg[];
  readonly bytes: number;
  /** The messages that are too many; null when none are. */
  readonly left: Omit<ContextTruncatedValue, "reply_id"> | null;
}

/** A message's JSON beside its text, in bytes: members, ids, times. */
const ENVELOPE_BYTES = 400;

export async function readContext(
  tables: ReadTables,
  agent: AgentDefinition,
  { below, open = null }: ContextRange,
): Promise<ReadContext> {
  const { counter, hard } = contextLimits(agent.context ?? {}, windowOf(agent));
  const enough = hard * MAX_READ_WINDOWS;
  const from = contextStart(tables.abilities.read(CONTEXT_FOLD), tables.messages, open, below);
  let tokens = 0;
  const {
    messages: written,
    bytes,
    unreadUpTo,
  } = await readHistory(tables.messages, {
    below,
    from,
    isEnough: (message) => {
      tokens += countMessage(message, counter);
      return tokens > enough;
    },
  });
  const messages = tables.changedMessages.apply(written);
  if (unreadUpTo === null) return { history: messages, bytes, left: null };
  const last = tables.messages.idFrom(unreadUpTo);
  const first = tables.messages.idFrom(from);
  if (last === null || first === null) return { history: messages, bytes, left: null };
  // The count is a lower bound: not all of them are looked at, however many there are.
  const stored = tables.messages.storedBytes(from, 2 * MAX_HISTORY_BYTES);
  return {
    history: messages,
    bytes,
    left: {
      first_message_id: first,
      last_message_id: last,
      last_block_id: null,
      tokens_before: Math.max(Math.ceil(stored / BYTES_PER_TOKEN), tokens),
      tokens_after: tokens,
      reason: "history_limit",
    },
  };
}

/** The event that says which messages are too many. @param replyId The reply that has found them; null between replies. */
export function leftEvent(
  left: NonNullable<ReadContext["left"]>,
  replyId: string | null = null,
): EventDraft {
  const reply = replyId === null ? {} : { reply_id: replyId };
  return { type: "CUSTOM", name: CONTEXT_TRUNCATED, ...reply, value: { ...left, ...reply } };
}

/** Bytes of messages that are text, approximately: what a model is sent of them. */
export function textBytes({ history, bytes }: Pick<ReadContext, "history" | "bytes">): number {
  return Math.max(bytes - history.length * ENVELOPE_BYTES, 0);
}
