// The conversation as the log tells it: a pure reduction of the session's events, by the fold of all readers.
import { elicitationOf } from "../../protocol/mcp/events.ts";
import { TOOL_PROGRESS, toolProgressOf, type ToolProgress } from "../../protocol/tools/events.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import { appendData, isBase64Delta } from "../../protocol/fold/append-data.ts";
import { appendPlain } from "../../protocol/fold/append-plain.ts";
import { appendSpeech } from "../../protocol/fold/append-speech.ts";
import { firstSeqOf } from "../../protocol/fold/condensed-delta.ts";
import { startMessage } from "../../protocol/fold/start-message.ts";
import { sessionRestoredOf } from "../../protocol/sessions/events.ts";
import type * as growData from "../../protocol/fold/grow-data.ts";
import { askedBecause } from "../../protocol/messages/asked-because.ts";
import { authorizationOf } from "../../protocol/messages/authorization.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { speechChangeOf, type SpeechChange } from "../../protocol/voice/events.ts";
import { keptMessages } from "./kept-messages.ts";

/** Details of a question beyond the call's own block. */
export type AskedCall = Pick<
  PendingCall,
  | "input_hash"
  | "expires_at"
  | "question"
  | "editable"
  | "reasons"
  | "elicitation"
  | "authorization"
>;

/** The newest message of a reply, which grows. */
export interface LiveMessage {
  readonly message: Msg;
  /**
   * The message's place in `messages`, which hold an older version of it; -1 while older messages than those shown have
   * it.
   */
  readonly index: number;
  /** Events up to this seq are in it. */
  readonly foldedTo: number;
}

export interface ConversationState {
  /** Oldest first. With {@link live} in its place they are what is shown: see {@link shownMessages}. */
  readonly messages: readonly Msg[];
  readonly live: LiveMessage | null;
  /** The seq of the last event that was taken; the stream goes on behind it. */
  readonly cursor: number;
  /** Events up to this seq are in `messages`. */
  readonly foldedTo: number;
  /** Events up to this seq are in `replyId`, `asked`, `progress` and `queuedReplyIds`. */
  readonly controlledTo: number;
  /** The reply that runs or waits. */
  readonly replyId: string | null;
  /** Details of calls that wait, by the call's id. May hold calls that no longer wait. */
  readonly asked: ReadonlyMap<string, AskedCall>;
  /** The last progress of calls that work, by the call's id: since the log is read, none of before. */
  readonly progress: ReadonlyMap<string, ToolProgress>;
  readonly queuedReplyIds: readonly string[];
  /** The token of the page before these messages; null when there is none. */
  readonly olderPage: string | null;
}

/** Joins base64; loaded with the first event that has some. */
export type DataGrowth = Pick<typeof growData, "growDataBlock" | "growOutputData"> | null;

/**
 * The conversation after an event. An event that it has had changes nothing, so events may be given twice. Costs the same
 * for a delta whatever the number of messages.
 *
 * @param growth Needed for events with base64.
 */
export function takeEvent(
  conversation: ConversationState,
  event: LoggedEvent,
  growth: DataGrowth,
): ConversationState {
  if (event.seq <= conversation.cursor) return conversation;
  const moved = { ...conversation, cursor: event.seq };
  const controlled = event.seq > moved.controlledTo ? takeControl(moved, event) : moved;
  if (event.seq > moved.foldedTo) return takeContent(controlled, event, growth);
  // The message of a reply that began between the two answers that were read is there already.
  const { replyId, live } = controlled;
  return replyId === null || replyId === live?.message.id
    ? controlled
    : openLive(controlled, replyId);
}

/**
 * Whether the live message has a part of this event's text: it was read by itself, behind the cursor, and the log was
 * condensed before the stream came to it. The conversation has to be read anew.
 */
export function isPartlyTaken({ live }: ConversationState, event: LoggedEvent): boolean {
  if (!live || replyIdOf(event) !== live.message.id) return false;
  return firstSeqOf(event) <= live.foldedTo && live.foldedTo < event.seq;
}

/** Takes an event's effect on the open reply, its questions, and the replies that come next. */
function takeControl(conversation: ConversationState, event: LoggedEvent): ConversationState {
  switch (event.type) {
    case "REPLY_START": {
      const queuedReplyIds = without(conversation.queuedReplyIds, event.reply_id);
      return { ...conversation, replyId: event.reply_id, ...NOTHING_KNOWN, queuedReplyIds };
    }
    case "REPLY_END": {
      if (event.reply_id !== conversation.replyId) return conversation;
      return { ...conversation, replyId: null, ...NOTHING_KNOWN };
    }
    case "REQUIRE_USER_CONFIRM":
    case "REQUIRE_EXTERNAL_EXECUTION": {
      const asked = new Map(conversation.asked);
      for (const { id } of event.tool_calls) asked.set(id, askedCall(event, id));
      return { ...conversation, asked };
    }
    case "TOOL_RESULT_END":
      return conversation.progress.has(event.tool_call_id)
        ? { ...conversation, progress: withoutCall(conversation.progress, event.tool_call_id) }
        : conversation;
    case "CUSTOM":
      return event.name === TOOL_PROGRESS ? takeProgress(conversation, event.value) : conversation;
    default:
      return conversation;
  }
}

/** A reply's calls at its beginning and behind its end. */
const NOTHING_KNOWN = { asked: new Map<never, never>(), progress: new Map<never, never>() };

function takeProgress(
  conversation: ConversationState,
  value: Readonly<Record<string, unknown>>,
): ConversationState {
  const said = toolProgressOf(value);
  if (said?.reply_id !== conversation.replyId || !said) return conversation;
  const { tool_call_id, message, progress, total } = said;
  const next = new Map(conversation.progress).set(tool_call_id, { message, progress, total });
  return { ...conversation, progress: next };
}

function withoutCall(
  progress: ConversationState["progress"],
  id: string,
): ConversationState["progress"] {
  return new Map([...progress].filter(([one]) => one !== id));
}

/** Details of one call in a question. */
export function askedCall(
  { metadata }: EventOf<"REQUIRE_USER_CONFIRM" | "REQUIRE_EXTERNAL_EXECUTION">,
  id: string,
): AskedCall {
  const elicitation = elicitationOf(metadata, id);
  const authorization = authorizationOf(metadata, id);
  const question = textOf(metadata["questions"], id);
  return {
    input_hash: textOf(metadata["input_hashes"], id),
    expires_at: textOf(metadata["expires_at"], id),
    ...(question !== null && { question }),
    ...(elicitation && { elicitation }),
    ...(authorization && { authorization }),
    ...askedBecause(metadata, id),
  };
}

/** The text of a call in a record of an event's metadata. */
function textOf(record: unknown, id: string): string | null {
  const text = (record as Readonly<Record<string, unknown>> | null | undefined)?.[id];
  return typeof text === "string" ? text : null;
}

function takeContent(
  conversation: ConversationState,
  event: LoggedEvent,
  growth: DataGrowth,
): ConversationState {
  if (event.type === "REPLY_START") return startReply(conversation, event);
  if (event.type === "CUSTOM" && event.name === "message_added") {
    return addMessage(conversation, event.value["message"] as Msg);
  }
  const restored = sessionRestoredOf(event);
  if (restored) return { ...conversation, ...keptMessages(conversation, restored), live: null };
  const speech = speechChangeOf(event);
  if (speech) return changeSpeech(conversation, speech);
  const id = replyIdOf(event);
  if (id === undefined) return conversation;
  const opened = id === conversation.live?.message.id ? conversation : openLive(conversation, id);
  const { live } = opened;
  if (!live || event.seq <= live.foldedTo) return conversation;
  const message = fold(live.message, event, growth);
  return message === live.message ? conversation : { ...opened, live: { ...live, message } };
}

/** Speech changes a message wherever it is; the one that grows goes on growing. */
function changeSpeech(conversation: ConversationState, speech: SpeechChange): ConversationState {
  const { live, messages } = conversation;
  if (live?.message.id === speech.message_id) {
    return { ...conversation, live: { ...live, message: appendSpeech(live.message, speech) } };
  }
  const index = indexOfMessage(messages, speech.message_id);
  const message = messages[index];
  if (!message) return conversation;
  const changed = [...messages];
  changed[index] = appendSpeech(message, speech);
  return { ...conversation, messages: changed };
}

/** Makes a message of the conversation the one that grows. It stays as it is when there is no such message. */
function openLive(conversation: ConversationState, id: string): ConversationState {
  const messages = shownMessages(conversation);
  const index = indexOfMessage(messages, id);
  const message = messages[index];
  if (!message) return conversation;
  return { ...conversation, messages, live: { message, index, foldedTo: conversation.foldedTo } };
}

/** From the end, where the messages that change are; -1 without one. */
export function indexOfMessage(messages: readonly Msg[], id: string): number {
  let index = messages.length - 1;
  while (index >= 0 && messages[index]?.id !== id) index -= 1;
  return index;
}

/** Custom events may name their reply in their value alone. */
function replyIdOf(event: LoggedEvent): string | undefined {
  if (event.type !== "CUSTOM" || event.reply_id !== undefined) return event.reply_id;
  const { reply_id } = event.value;
  return typeof reply_id === "string" ? reply_id : undefined;
}

function fold(message: Msg, event: LoggedEvent, growth: DataGrowth): Msg {
  if (!isBase64Delta(event)) return appendPlain(message, event);
  return growth ? appendData(message, event, growth) : message;
}

function startReply(
  conversation: ConversationState,
  event: EventOf<"REPLY_START"> & { seq: number },
) {
  const messages = shownMessages(conversation);
  if (indexOfMessage(messages, event.reply_id) >= 0) return conversation;
  const { live: known } = conversation;
  // A reply that began after the page was read may have been read by itself.
  const isKnown = known?.message.id === event.reply_id;
  const message = isKnown ? known.message : startMessage(event);
  const foldedTo = isKnown ? known.foldedTo : event.seq;
  const live = { message, index: messages.length, foldedTo };
  return { ...conversation, messages: [...messages, message], live };
}

function addMessage(conversation: ConversationState, message: Msg): ConversationState {
  const { messages } = conversation;
  if (indexOfMessage(messages, message.id) >= 0) return conversation;
  return { ...conversation, messages: [...messages, message] };
}

/** The messages with the newest version of the one that grows. */
export function shownMessages({ messages, live }: ConversationState): readonly Msg[] {
  if (!live || live.index < 0 || messages[live.index] === live.message) return messages;
  const shown = [...messages];
  shown[live.index] = live.message;
  return shown;
}

/** With a page of older messages in front. Messages that are known already keep their newer version. */
export function addOlder(
  conversation: ConversationState,
  page: readonly Msg[],
  olderPage: string | null,
): ConversationState {
  const known = new Set(conversation.messages.map(({ id }) => id));
  const older = page.filter(({ id }) => !known.has(id));
  const { live } = conversation;
  const placed = live && {
    ...live,
    index:
      live.index < 0
        ? older.findIndex(({ id }) => id === live.message.id)
        : live.index + older.length,
  };
  return {
    ...conversation,
    messages: [...older, ...conversation.messages],
    live: placed,
    olderPage,
  };
}

/** With a reply that was accepted, unless it has begun already. */
export function addQueued(conversation: ConversationState, replyId: string): ConversationState {
  const { messages, queuedReplyIds } = conversation;
  if (indexOfMessage(messages, replyId) >= 0) return conversation;
  return { ...conversation, queuedReplyIds: [...without(queuedReplyIds, replyId), replyId] };
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : ids;
}
