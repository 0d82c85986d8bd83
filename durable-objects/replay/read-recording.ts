// Reads what a replay needs of a session: the conversation before it, the replies that are run again, and the states of
// abilities at its beginning. Read only, in time slices, and bounded.
import { SHARED_STATE_FOLD } from "../../agent/shared-state/shared-state-fold.ts";
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { countModelCalls, isReplayed, recordedCalls } from "../../agent/replay/recorded-calls.ts";
import type { RecordedReply } from "../../agent/replay/summarize-replay.ts";
import { stateVersionOf } from "../../protocol/ag-ui/ag-ui-run.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { toolGroupsChangeOf } from "../../agent/tool-groups/tool-groups-change-of.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { MAX_REPLAY_BYTES } from "../../protocol/diagnostics/limits.ts";
import { HISTORY_SLICE_BYTES } from "../../protocol/replies/limits.ts";
import { FOLDED_EVENTS_A_SLICE } from "../../protocol/shared-state/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { StateObject } from "../../protocol/shared-state/events.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { readContext } from "../context/read-context.ts";
import { abilityStatesAt } from "../sessions/ability-snapshots.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import { ReplayStates } from "./replay-states.ts";

export interface ReadReply extends RecordedReply {
  readonly row: ReplyRow;
  /** The messages between the reply before it and its own, as hooks have changed them for the model. */
  readonly input: readonly Msg[];
  /** Switches by people since the reply before it ended, also while that one ran. */
  readonly switches: readonly LoggedEvent[];
  /** As it was when the reply began. */
  readonly shared_state: { readonly state: StateObject; readonly version: number };
}

export interface ReadRecording {
  /** The messages that the first reply's model sees before its input. */
  readonly history: readonly Msg[];
  readonly states: ReplayStates;
  readonly replies: readonly ReadReply[];
  /** The first ended reply that was not read: there are too many, or they are too large. */
  readonly next_reply_id: string | null;
  /** The reason is its size alone. */
  readonly isTooLarge: boolean;
}

interface Range {
  readonly from_reply_id?: string;
  readonly max_replies: number;
  /** The agent whose window the conversation before has to fit. */
  readonly agent: AgentDefinition;
}

const GONE = refuse("not_found", "there is no such session");
const OPEN: ReadonlySet<ReplyStatus> = new Set<ReplyStatus>([
  "running",
  "awaiting_permission",
  "awaiting_external_result",
]);

/** The replies that have ended, from one on; the open reply is none of them. */
export async function readRecording(
  session: OpenSession,
  { from_reply_id, max_replies, agent }: Range,
): Promise<Result<ReadRecording>> {
  const { log, tables } = session;
  if (session.active?.isOver) await session.active.settled;
  await log.settled();
  if (log.isClosed) return GONE;
  const listed = tables.replies.from(from_reply_id ?? null, max_replies + 1);
  const [first] = listed;
  if (from_reply_id !== undefined && first?.id !== from_reply_id) return refuseReply(from_reply_id);
  if (from_reply_id !== undefined && first && OPEN.has(first.status)) {
    return refuse("conflict", `reply ${from_reply_id} has not ended: there is no record to replay`);
  }
  const ended = listed.filter(({ status }) => !OPEN.has(status));
  const [begun] = ended;
  // Behind a restore another conversation begins.
  const end = tables.restores.nextAfter(begun?.start_cursor ?? 0);
  const rows = ended.slice(0, max_replies).filter(({ start_cursor }) => start_cursor < end);
  const states = await abilityStatesAt(session, begun?.start_cursor ?? 0);
  const started = new ReplayStates(tables.abilities.folds, states);
  if (log.isClosed) return GONE;
  if (!begun) {
    const next_reply_id = null;
    return accept({ history: [], states: started, replies: [], next_reply_id, isTooLarge: false });
  }
  const start = inputStart(session, begun);
  const { history, left } = await readContext(
    { abilities: started, messages: tables.messages, changedMessages: tables.changedMessages },
    agent,
    { below: start },
  );
  if (left) {
    const { last_message_id: message_id } = left;
    const boundary = { message_id, block_id: null };
    started.set(CONTEXT_FOLD, { ...started.read(CONTEXT_FOLD), boundary, is_truncated: true });
  }
  const replies = await readReplies(session, rows, start);
  if (log.isClosed) return GONE;
  const next = ended[replies.length]?.id ?? null;
  const isTooLarge = replies.length < rows.length;
  return accept({ history, states: started, replies, next_reply_id: next, isTooLarge });
}

function refuseReply(id: string): Result<never> {
  const detail = `there is no reply ${id} in this session`;
  return refuse("not_found", detail, { errors: [{ pointer: "#/from_reply_id", detail }] });
}

/** The position of the first message that the reply was the first to read. */
function inputStart({ tables }: OpenSession, { id, start_cursor }: ReplyRow): number {
  const own = start_cursor + 1;
  return tables.messages.placesOfReply(id, own).at(-1)?.position ?? own;
}

/** As many whole replies as there is room for. */
async function readReplies(
  session: OpenSession,
  rows: readonly ReplyRow[],
  start: number,
): Promise<readonly ReadReply[]> {
  const { tables, log } = session;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const upTo = Math.max(...rows.map(({ start_cursor }) => start_cursor + 1));
  const replies: ReadReply[] = [];
  let input: Msg[] = [];
  let switchesAfter = rows[0]?.start_cursor ?? 0;
  let bytes = 0;
  let after = start - 1;
  for (;;) {
    const batch = readBatch(session, after, upTo);
    if (batch.length === 0) return replies;
    for (const { item, bytes: size } of batch) {
      bytes += size;
      if (bytes > MAX_REPLAY_BYTES) return replies;
      after = item.position;
      const row = byId.get(item.message.id);
      if (!row) input.push(...tables.changedMessages.apply([item.message]));
      else {
        const events = await eventsOf(session, row);
        const switches = await switchesBetween(session, switchesAfter, row.start_cursor);
        replies.push(readReply(tables, row, { message: item.message, input, events, switches }));
        switchesAfter = row.start_cursor;
        input = [];
      }
    }
    await timeSlice();
    if (log.isClosed) return replies;
  }
}

function readBatch({ tables }: OpenSession, after: number, upTo: number) {
  const batch = [];
  let bytes = 0;
  for (const sized of tables.messages.between(after, upTo)) {
    batch.push(sized);
    bytes += sized.bytes;
    if (bytes >= HISTORY_SLICE_BYTES) break;
  }
  return batch;
}

async function eventsOf(
  { log }: OpenSession,
  { start_cursor, end_seq }: ReplyRow,
): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  let sliceStart = start_cursor;
  for (const event of log.marks(start_cursor)) {
    if (event.seq > (end_seq ?? start_cursor) || log.isClosed) break;
    if (isReplayed(event)) events.push(event);
    if (event.seq - sliceStart < FOLDED_EVENTS_A_SLICE) continue;
    sliceStart = event.seq;
    await timeSlice();
  }
  return events;
}

/** The changes of the equipment behind one position and up to another that people have made. */
async function switchesBetween(
  { log }: OpenSession,
  after: number,
  upTo: number,
): Promise<readonly LoggedEvent[]> {
  const switches: LoggedEvent[] = [];
  let sliceStart = after;
  for (const event of log.marks(after)) {
    if (event.seq > upTo || log.isClosed) break;
    if (toolGroupsChangeOf(event)?.switched_by) switches.push(event);
    if (event.seq - sliceStart < FOLDED_EVENTS_A_SLICE) continue;
    sliceStart = event.seq;
    await timeSlice();
  }
  return switches;
}

function readReply(
  { diagnostics, stateVersions }: OpenSession["tables"],
  row: ReplyRow,
  {
    message,
    input,
    events,
    switches,
  }: {
    readonly message: Msg;
    readonly input: readonly Msg[];
    readonly events: readonly LoggedEvent[];
    readonly switches: readonly LoggedEvent[];
  },
): ReadReply {
  const version = stateVersionOf(message);
  const cost = message.usage && diagnostics.costOf(row.id, message.usage);
  return {
    row,
    message,
    input,
    switches,
    calls: recordedCalls(message, events),
    agent_version: row.agent_version,
    model_calls: countModelCalls(events),
    cost_usd: cost === null ? null : cost / NANODOLLARS,
    shared_state:
      version === 0 ? SHARED_STATE_FOLD.initial : { state: stateVersions.at(version), version },
  };
}
