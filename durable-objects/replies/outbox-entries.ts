// Deliveries of an outbox's entries: read when they are delivered, because replies continue meanwhile.
import { MAX_CRASHES_WHILE_WAKING } from "../../protocol/replies/limits.ts";
import type { A2aMark } from "../../protocol/a2a/a2a-mark.ts";
import type { A2aTaskState } from "../../protocol/a2a/wire.ts";
import { a2aTaskState } from "../../protocol/dialects/a2a/task-state.ts";
import type { PendingCall, ReplyStatus } from "../../protocol/replies/contract.ts";
import { formatId, ID_RANDOM_BYTES } from "../../protocol/ids.ts";
import { LARGE_VALUE_CHARACTERS } from "../../protocol/requests/limits.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { WebhookCall } from "../../protocol/replies/webhooks.ts";
import type { Msg, Usage } from "../../protocol/messages/messages.ts";
import { announcedCall } from "../../storage/outbox/announced-call.ts";
import {
  isReplyEntry,
  type AnnouncementEntry,
  type GrowthEntry,
  type OutboxDelivery,
  type OutboxEntry,
  type SummaryEntry,
} from "../../storage/outbox/deliver-outbox.ts";
import type { ListedDecision } from "../../storage/outbox/put-decisions.ts";
import type { UsageEntry } from "../../storage/outbox/usage-delivery.ts";
import { announcementOfRow } from "./announcement-row.ts";
import { pendingCalls, sessionStatusOf } from "./reply-view.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { ReplyRow } from "../tables/reply-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";

export type OutboxRow = {
  entry: number;
  /** The summary's id, for a summary that no reply has made; empty for growth without a reply. */
  reply_id: string;
  status: ReplyStatus;
  created_at: string;
  /** Number of its deliveries that have begun and ended with a crash of the object. */
  begun: number;
  /** {@link SummaryUsage} as JSON; null for a reply. */
  usage: string | null;
  /** An announcement as `announcement-row.ts` writes it; null for everything else. Then `reply_id` may be empty. */
  plan: string | null;
  /** {@link WebhookCall}s that waited when it was written, as JSON; null for none, and in rows from before version 115. */
  calls: string | null;
};

/** The part of a row that its usage depends on. */
type UsageRow = Pick<OutboxRow, "entry" | "reply_id" | "created_at"> &
  Partial<Pick<OutboxRow, "usage" | "plan">>;

/** Usage of a summary that no reply has made. */
export interface SummaryUsage {
  readonly model_name: string;
  readonly usage: Usage;
  /** US dollars; null when it is not known. */
  readonly cost_usd: number | null;
}

/** Source of the decisions that D1 lists. */
export interface DecisionSource {
  /** Decisions of a range of events that are on disk. */
  readonly decisions: (range: {
    readonly after: number;
    readonly upTo: number;
  }) => readonly ListedDecision[];
  /** The last event that is on disk. */
  readonly durableSeq: () => number;
  /** Resolves when what was written is on disk. */
  readonly sync: () => Promise<void>;
  /** The state of a reply that runs, as a task; null for one that is not in memory. */
  readonly taskState: (replyId: string) => A2aTaskState | null;
}

interface EntriesSource extends DecisionSource {
  readonly settings: Pick<SessionSettings, "init">;
  readonly tables: SessionTables;
}

/** Waiting calls are delivered with their inputs, which have any size. */
export function isLarge(entry: OutboxDelivery): boolean {
  if (!isReplyEntry(entry)) return false;
  return entry.pending.some(({ tool_call }) => tool_call.input.length > LARGE_VALUE_CHARACTERS);
}

function isEnded(status: ReplyStatus): boolean {
  return status !== "running" && sessionStatusOf(status) === "idle";
}

/** Milliseconds by which the clock that created a session may be ahead of the one that makes its ids. */
const CLOCK_SKEW_MS = 60_000;

export class OutboxEntries {
  readonly #sql: SqlStorage;
  readonly #settings: EntriesSource["settings"];
  readonly #tables: SessionTables;
  readonly #source: DecisionSource;

  constructor(sql: SqlStorage, source: EntriesSource) {
    this.#sql = sql;
    this.#settings = source.settings;
    this.#tables = source.tables;
    this.#source = source;
  }

  /** Ids of the session's own replies and summaries are greater, also where two machines' clocks differ. */
  get #countedFrom(): string {
    const openedMs = Date.parse(this.#settings.init.created_at);
    const random = new Uint8Array(ID_RANDOM_BYTES);
    return formatId("rep", Math.max(openedMs - CLOCK_SKEW_MS, 0), random).slice("rep_".length);
  }

  /** The usage of an entry alone. @param usage The reply's, for the entry of a reply. */
  usageOf(row: UsageRow, usage: UsageEntry["usage"]): readonly UsageEntry[] {
    if (row.plan) return [];
    return row.usage ? this.#ofSummary(row, row.usage) : this.#ofReply(row, usage);
  }

  #ofReply(
    { entry, reply_id, created_at: at }: UsageRow,
    usage: UsageEntry["usage"],
  ): UsageEntry[] {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    const { tenant_id, session_id, agent_id } = this.#settings.init;
    const owner = { tenant_id, session_id, agent_id };
    const cost = this.#costOf(reply_id, usage);
    return [{ ...owner, reply_id, entry, at, usage, cost, model_name: reply.model_name }];
  }

  #costOf(replyId: string, usage: UsageEntry["usage"]): number | null {
    return usage && this.#tables.diagnostics.costOf(replyId, usage);
  }

  /** None where the usage cannot be read. */
  #ofSummary({ entry, reply_id, created_at: at }: UsageRow, text: string): SummaryEntry[] {
    const { tenant_id, session_id, agent_id } = this.#settings.init;
    try {
      const { model_name, usage, cost_usd } = JSON.parse(text) as SummaryUsage;
      const cost = typeof cost_usd === "number" ? Math.round(cost_usd * NANODOLLARS) : null;
      const owner = { tenant_id, session_id, agent_id };
      const counted_from = this.#countedFrom;
      return [{ ...owner, reply_id, entry, at, usage, cost, model_name, replies: 0, counted_from }];
    } catch {
      console.error("the usage of a summary cannot be read", { summary_id: reply_id });
      return [];
    }
  }

  /** None where it cannot be read. */
  #ofAnnouncement(
    { entry, reply_id, created_at: at }: OutboxRow,
    text: string,
  ): AnnouncementEntry[] {
    const { tenant_id, session_id, agent_id, agent_version, end_user_id } = this.#settings.init;
    const owner = { tenant_id, session_id, agent_id, agent_version, end_user_id };
    try {
      const announcement = announcementOfRow(text);
      return [{ ...owner, reply_id: reply_id || null, entry, at, announcement }];
    } catch {
      console.error("an announcement cannot be read", { session_id });
      return [];
    }
  }

  #ofGrowth({ entry, created_at: at }: OutboxRow): GrowthEntry {
    const { tenant_id, session_id, agent_id, agent_version } = this.#settings.init;
    const bytes = this.#sql.databaseSize;
    const first_words = this.#tables.firstWords.read();
    return { tenant_id, session_id, agent_id, agent_version, entry, at, bytes, first_words };
  }

  /**
   * Leaves out what was said and decided when it cannot be read, or when reading it has crashed the object too often.
   * @param told Decisions up to this event are left out: D1 has them, or gets them with an earlier entry.
   */
  async read(row: OutboxRow, told: number): Promise<OutboxDelivery[]> {
    if (row.plan !== null) {
      const growth = row.reply_id === "" ? [this.#ofGrowth(row)] : [];
      return [...this.#ofAnnouncement(row, row.plan), ...growth];
    }
    if (row.usage !== null) return this.#ofSummary(row, row.usage);
    if (row.reply_id === "") return [this.#ofGrowth(row)];
    if (row.begun >= MAX_CRASHES_WHILE_WAKING) return this.#entryWith(row, null, []);
    const decisions = await this.#readDecisions(row, told);
    try {
      const stored = await this.#tables.messages.ofReplyUnread(row.reply_id)?.readInSlices();
      return this.#entryWith(row, stored?.message ?? null, decisions);
    } catch (error) {
      console.error("cannot read the message of an outbox entry; delivering it without", {
        error: String(error),
      });
      return this.#entryWith(row, null, decisions);
    }
  }

  /** Contract: never rejects. */
  async #readDecisions(
    { entry, reply_id }: OutboxRow,
    told: number,
  ): Promise<readonly ListedDecision[]> {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    try {
      const after = Math.max(reply.start_cursor, told);
      // Most replies have none, and their entries are delivered without waiting for the disk.
      if (Array.from(this.#tables.decisions.listed(after, entry, 1)).length === 0) return [];
      if (this.#source.durableSeq() < entry) await this.#source.sync();
      return this.#source.decisions({ after, upTo: entry });
    } catch (error) {
      console.error("cannot read the decisions of an outbox entry; delivering it without", {
        error: String(error),
      });
      return [];
    }
  }

  /** @param own The reply's message. */
  #entryWith(
    { entry, reply_id, status, created_at: at, calls }: OutboxRow,
    own: Msg | null,
    decisions: readonly ListedDecision[],
  ): OutboxEntry[] {
    const reply = this.#tables.replies.find(reply_id);
    if (!reply) return [];
    const { tenant_id, session_id, agent_id, end_user_id, origin } = this.#settings.init;
    const { agent_version, model_name } = reply;
    const pending = own && pendingCalls(own, this.#tables.calls);
    return [
      {
        tenant_id,
        session_id,
        agent_id,
        agent_version,
        end_user_id,
        reply_id,
        entry,
        at,
        usage: own?.usage ?? null,
        cost: this.#costOf(reply_id, own?.usage ?? null),
        model_name,
        reply_status: status,
        session_status: sessionStatusOf(status),
        pending: pending ?? [],
        calls: announcedCalls(calls, pending?.map(announcedCall) ?? null),
        decisions,
        origin: origin ?? null,
        cursor: entry,
        bytes: this.#sql.databaseSize,
        error: own?.error ?? null,
        timings: isEnded(status) ? this.#tables.diagnostics.timingsOf(reply_id) : null,
        first_words: this.#tables.firstWords.read(),
        counted_from: this.#countedFrom,
        ...this.#taskOf(reply, status, pending ?? []),
      },
    ];
  }

  /** The part of the entry for a reply that is a task of A2A. One that runs may wait for what its agents ask. */
  #taskOf(
    { id, a2a, created_at }: ReplyRow,
    status: ReplyStatus,
    pending: readonly PendingCall[],
  ): Pick<OutboxEntry, "a2a"> {
    if (a2a === null) return {};
    const { context_id } = JSON.parse(a2a) as A2aMark;
    const running = status === "running" ? this.#source.taskState(id) : null;
    return { a2a: { context_id, state: running ?? a2aTaskState(status, pending), created_at } };
  }
}

/**
 * The calls of a row, of which those are marked that wait no more. @param stored As the row has them. @param waiting The
 * calls that wait now; null when they cannot be read.
 */
function announcedCalls(
  stored: string | null,
  waiting: readonly WebhookCall[] | null,
): readonly WebhookCall[] {
  if (stored === null) return waiting ?? [];
  const calls = JSON.parse(stored) as readonly WebhookCall[];
  if (waiting === null) return calls;
  return calls.map((call) => (waiting.some(isSame(call)) ? call : { ...call, answered: true }));
}

/** A call that was confirmed and then waits for its result waits for another thing. */
function isSame({ tool_call_id, kind }: WebhookCall): (other: WebhookCall) => boolean {
  return (other) => other.tool_call_id === tool_call_id && other.kind === kind;
}
