// The session's tables, opened together over one storage.
import type { SessionInit } from "../api/session-api.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { listAbilities } from "../../tools/list-abilities.ts";
import { condenseStep } from "../log/condensed/condense-step.ts";
import { isInLog } from "../log/is-in-log.ts";
import { A2aPushTable } from "./a2a-push-table.ts";
import { AbilityStates } from "./ability-states.ts";
import { BackgroundTable } from "./background-table.ts";
import { CallTable } from "./call-table.ts";
import { ChangedMessages } from "./changed-messages.ts";
import { CompressionTable } from "./compression-table.ts";
import { DecisionTable } from "./decision-table.ts";
import { DiagnosticsTable } from "./diagnostics-table.ts";
import { FirstWords } from "./first-words.ts";
import { ForkedRunTable } from "./forked-run-table.ts";
import { IdempotencyTable } from "./idempotency-table.ts";
import { McpTable } from "./mcp-table.ts";
import { MessageTable } from "./message-table.ts";
import { redactMessages } from "./redact-messages.ts";
import { RecordingTable } from "./recording-table.ts";
import { ReplyQueueTable } from "./reply-queue-table.ts";
import { ReplyTable } from "./reply-table.ts";
import { RestoreTable } from "./restore-table.ts";
import { RuleTable } from "./rule-table.ts";
import { AgUiRunTable } from "./ag-ui-run-table.ts";
import { SharedStateTable } from "./shared-state-table.ts";
import { StateVersions } from "./state-versions.ts";
import { Timers } from "./timers.ts";
import { TokenTable } from "./token-table.ts";

export interface SessionTables {
  readonly messages: MessageTable;
  readonly changedMessages: ChangedMessages;
  readonly restores: RestoreTable;
  readonly firstWords: FirstWords;
  readonly replies: ReplyTable;
  readonly queue: ReplyQueueTable;
  readonly runs: AgUiRunTable;
  readonly forkedRuns: ForkedRunTable;
  readonly calls: CallTable;
  readonly background: BackgroundTable;
  readonly decisions: DecisionTable;
  readonly diagnostics: DiagnosticsTable;
  readonly rules: RuleTable;
  readonly tokens: TokenTable;
  readonly idempotency: IdempotencyTable;
  readonly abilities: AbilityStates;
  readonly sharedState: SharedStateTable;
  readonly stateVersions: StateVersions;
  readonly compression: CompressionTable;
  readonly recordings: RecordingTable;
  readonly mcp: McpTable;
  /** Notifications for clients of A2A. */
  readonly pushes: A2aPushTable;
  readonly timers: Timers;
  /** Whether an event that is on disk contains this text. */
  readonly isInLog: (text: string) => boolean;
  /** As {@link redactMessages}, also of what hooks have made of them. */
  readonly redact: (redacted: readonly Msg[]) => void;
  /** As {@link condenseStep}. */
  readonly condense: (after: number, upTo: number) => number | null;
}

export function openSessionTables(storage: DurableObjectStorage): SessionTables {
  const { sql } = storage;
  const timers = new Timers(storage);
  const folds = listAbilities().flatMap(({ state }) => state ?? []);
  const abilities = new AbilityStates(sql, folds);
  const restores = new RestoreTable(sql);
  const messages = new MessageTable(sql, restores);
  const changedMessages = new ChangedMessages(sql);
  return {
    messages,
    changedMessages,
    restores,
    firstWords: new FirstWords(sql, restores),
    replies: new ReplyTable(sql),
    queue: new ReplyQueueTable(sql),
    runs: new AgUiRunTable(sql),
    forkedRuns: new ForkedRunTable(sql),
    calls: new CallTable(sql, timers),
    background: new BackgroundTable(sql, timers),
    decisions: new DecisionTable(sql),
    diagnostics: new DiagnosticsTable(sql),
    rules: new RuleTable(sql),
    tokens: new TokenTable(sql),
    idempotency: new IdempotencyTable(sql),
    abilities,
    sharedState: new SharedStateTable(abilities),
    stateVersions: new StateVersions(sql),
    compression: new CompressionTable(sql),
    recordings: new RecordingTable(sql),
    mcp: new McpTable(storage),
    pushes: new A2aPushTable(sql, timers),
    timers,
    isInLog: (text) => isInLog(sql, text),
    redact: (redacted) => {
      redactMessages(sql, messages, redacted);
      changedMessages.remove(redacted.map(({ id }) => id));
    },
    condense: (after, upTo) => condenseStep(sql, after, upTo),
  };
}

/** One statement for all that is read of it: an object keeps each statement that it has prepared. */
const SESSION = "SELECT init, reply_init FROM session";

/** Null before there is a session. */
export function readSessionInit(sql: SqlStorage): SessionInit | "unreadable" | null {
  const [row] = sql.exec<{ init: string }>(SESSION).toArray();
  return row ? parseInit(row.init) : null;
}

/** @param confirmedAtMs When D1 has confirmed its credentials, see {@link readConfirmedAt}. */
export function writeSessionInit(
  sql: SqlStorage,
  init: SessionInit,
  confirmedAtMs: number | null = null,
): void {
  const query = "INSERT INTO session (id, init, credentials_confirmed_at) VALUES (1, ?, ?)";
  sql.exec(query, JSON.stringify(init), confirmedAtMs);
}

/**
 * When D1 has last confirmed the session's credentials, in Unix milliseconds; its creation at first. Null when it was
 * never stored.
 */
export function readConfirmedAt(sql: SqlStorage): number | null {
  const [row] = sql
    .exec<{ at: number | null }>("SELECT credentials_confirmed_at AS at FROM session")
    .toArray();
  return row?.at ?? null;
}

export function writeConfirmedAt(sql: SqlStorage, atMs: number): void {
  sql.exec("UPDATE session SET credentials_confirmed_at = ?", atMs);
}

/** The settings of the open reply, where they differ from the session's own. */
export function readReplyInit(sql: SqlStorage): SessionInit | "unreadable" | null {
  const [row] = sql.exec<{ reply_init: string | null }>(SESSION).toArray();
  return row?.reply_init ? parseInit(row.reply_init) : null;
}

function parseInit(text: string): SessionInit | "unreadable" {
  try {
    const init = JSON.parse(text) as Partial<SessionInit> | null;
    return init?.session_id && init.agent ? (init as SessionInit) : "unreadable";
  } catch {
    return "unreadable";
  }
}

export function rewriteReplyInit(sql: SqlStorage, init: SessionInit | null): void {
  sql.exec("UPDATE session SET reply_init = ?", init && JSON.stringify(init));
}

/** The settings of the next reply; an open one keeps its own. */
export function rewriteSessionInit(sql: SqlStorage, init: SessionInit): void {
  sql.exec("UPDATE session SET init = ?", JSON.stringify(init));
}
