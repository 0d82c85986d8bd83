// Large messages are written ahead: a commit of several megabytes holds up everybody in the isolate. Their parts go to
// disk one by one, each in a turn of its own, under the seqs that they will have; the commit then writes little more than
// the rows which name them. Parts that no row names are nothing: a crash in between leaves no trace that can be read.
import { contentCharacters } from "../agent/characters.ts";
import { MAX_ROW_BYTES } from "../protocol/limits.ts";
import type { EventDraft } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import { takeTurn } from "../tools/take-turn.ts";
import { deleteParts, deletePartsAbove, storePart, type StagedValue } from "./parts.ts";
import type { PreparedEvent } from "./prepared-event.ts";
import type { SessionLog } from "./session-log.ts";

/**
 * Bytes of a staged value that are in its own row: it then costs nothing to write, and whoever looks at its beginning
 * still finds some.
 */
const STAGED_HEAD_BYTES = 1_000;

export interface StagedMessages {
  readonly messages: readonly Msg[];
  /** Their events, first in the row. */
  readonly events: readonly PreparedEvent[];
  readonly row: StagedValue;
  readonly bodies: readonly StagedBody[];
}

/** A message as its row will have it. */
export interface StagedBody {
  readonly value: StagedValue;
  /** Of its JSON. */
  readonly bytes: number;
}

interface Stage {
  readonly log: SessionLog;
  readonly sql: SqlStorage;
}

export function messageAdded(message: Msg): EventDraft {
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

/** Whether writing them in one go would be felt. */
export function isWorthStaging(messages: readonly Msg[]): boolean {
  return messages.some((message) => contentCharacters(message) > MAX_ROW_BYTES);
}

/**
 * Writes what can be written before the commit that brings `messages`. Others may append meanwhile: ask
 * {@link useStaged} whether it still fits. @param following Events of that commit behind those of the messages.
 */
export async function stageMessages(
  { log, sql }: Stage,
  messages: readonly Msg[],
  following: number,
): Promise<StagedMessages> {
  // What a crash has left behind.
  for (const owner of ["event", "message"] as const) deletePartsAbove(sql, owner, log.lastSeq);
  await takeTurn();
  const events = log.prepare(messages.map(messageAdded));
  const firstSeq = events[0]?.event.seq ?? log.lastSeq + 1;
  const rowSeq = firstSeq + messages.length - 1 + following;
  const frames = events.map(({ frame }) => frame).join("");
  // What follows is in the last part: it is left for later.
  const row = await stageValue(
    { log, sql },
    { owner: "event", key: rowSeq, isWhole: false },
    frames,
  );
  const bodies: StagedBody[] = [];
  for (const [index, message] of messages.entries()) {
    // oxlint-disable-next-line no-await-in-loop
    await takeTurn();
    const place = { owner: "message", key: firstSeq + index, isWhole: true } as const;
    // oxlint-disable-next-line no-await-in-loop
    const value = await stageValue({ log, sql }, place, JSON.stringify(message));
    bodies.push({ value, bytes: value.bytes });
  }
  return { messages, events, row, bodies };
}

/**
 * What was staged, when it fits the commit that is made now; what does not fit is taken off the disk.
 * @param messages What that commit brings: of the same request, so that messages with the same ids are the same.
 */
export function useStaged(
  { log, sql }: Stage,
  staged: StagedMessages | undefined,
  messages: readonly Msg[],
): StagedMessages | undefined {
  if (!staged) return undefined;
  const areSame =
    staged.messages.length === messages.length &&
    staged.messages.every(({ id }, index) => id === messages[index]?.id);
  if (areSame && log.isNext(staged.events)) return staged;
  for (const { place } of [staged.row, ...staged.bodies.map(({ value }) => value)]) {
    deleteParts(sql, place.owner, place.key);
  }
  return undefined;
}

interface ValuePlace {
  readonly owner: "event" | "message";
  readonly key: number;
  /** Nothing comes behind it. */
  readonly isWhole: boolean;
}

/** Stops early when the session ends meanwhile. @param text Of the value; nothing of it is kept but what is left. */
async function stageValue(
  { log, sql }: Stage,
  { owner, key, isWhole }: ValuePlace,
  text: string,
): Promise<StagedValue & { readonly bytes: number }> {
  const bytes = new TextEncoder().encode(text);
  const head = bytes.slice(0, STAGED_HEAD_BYTES);
  let start = head.byteLength;
  let part = 1;
  const last = isWhole ? bytes.byteLength : bytes.byteLength - MAX_ROW_BYTES;
  for (; start < last; start += MAX_ROW_BYTES) {
    // oxlint-disable-next-line no-await-in-loop
    await takeTurn();
    if (log.isClosed) break;
    storePart(sql, { owner, key, part }, bytes.subarray(start, start + MAX_ROW_BYTES));
    part += 1;
  }
  return { head, place: { owner, key, part }, rest: bytes.slice(start), bytes: bytes.byteLength };
}
