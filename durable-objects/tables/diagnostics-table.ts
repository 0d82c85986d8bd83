// Diagnostics of the session's replies: a row for each model call, and for each tool call that ran or waited; those that
// end with their reply are in its row. A fork and an export have none of them.
import type {
  ModelCallDiagnostics,
  ToolCallDiagnostics,
} from "../../protocol/diagnostics/contract.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import {
  MAX_DIAGNOSED_MODEL_CALLS,
  MAX_DIAGNOSED_TOOL_CALLS,
} from "../../protocol/diagnostics/limits.ts";
import type { ReplyTimings } from "../../protocol/usage/histograms.ts";
import { REPLY_BY_ID } from "./reply-table.ts";

/** Stored without hints, which are made when they are read: a newer version may know better ones. */
export type StoredFailedTry = Omit<ModelCallDiagnostics["failed_tries"][number], "hint">;
export type StoredModelCall = Omit<ModelCallDiagnostics, "number" | "failed_tries" | "cost_usd"> & {
  readonly failed_tries: readonly StoredFailedTry[];
  /** As it was when the call ended: prices change. Calls from before it was stored have none. */
  readonly cost_usd?: number | null;
};
export type StoredToolCall = Omit<ToolCallDiagnostics, "number" | "failure"> & {
  readonly failure: Omit<NonNullable<ToolCallDiagnostics["failure"]>, "hint"> | null;
};

/** A call that has ended. */
export type DiagnosedCall =
  | { readonly kind: "model"; readonly call: StoredModelCall }
  | { readonly kind: "tool"; readonly call: StoredToolCall };
/** The usage and cost of a summary that the reply has made; no call of the loop, and not shown in diagnostics. */
export interface SummaryCost {
  readonly usage: Usage;
  /** US dollars; null when it is not known. */
  readonly cost_usd: number | null;
}
export type NumberedCall = DiagnosedCall & { readonly number: number };

type Kind = DiagnosedCall["kind"] | "summary";

const KEPT: Record<Kind, number> = {
  model: MAX_DIAGNOSED_MODEL_CALLS,
  tool: MAX_DIAGNOSED_TOOL_CALLS,
  summary: MAX_DIAGNOSED_MODEL_CALLS,
};

interface NumberedSummary {
  readonly kind: "summary";
  readonly number: number;
  readonly call: SummaryCost;
}

type Row = NumberedCall | NumberedSummary;

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_input_tokens",
  "cache_creation_input_tokens",
] as const;

export class DiagnosticsTable {
  readonly #sql: SqlStorage;
  /** The last numbers of the reply that was written last: the table is read once for each reply. */
  #last: { readonly replyId: string; readonly numbers: Record<Kind, number> } | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Part of the transaction of the event that ends the call: one row, which replaces the oldest when there are many. */
  add(replyId: string, { kind, call }: DiagnosedCall): void {
    this.#add(replyId, kind, call);
  }

  /** Part of the transaction of the event that has the summary's usage: one row. */
  addSummary(replyId: string, summary: SummaryCost): void {
    this.#add(replyId, "summary", summary);
  }

  /**
   * The rows that end with the reply, for its row, which is written anyway; null when there are none.
   * @returns JSON of {@link Row}s.
   */
  last(
    replyId: string,
    calls: readonly DiagnosedCall[],
    summaries: readonly SummaryCost[],
  ): string | null {
    const rows: Row[] = calls.map((ended) => ({
      ...ended,
      number: this.#next(replyId, ended.kind),
    }));
    for (const call of summaries) {
      rows.push({ kind: "summary", number: this.#next(replyId, "summary"), call });
    }
    return rows.length === 0 ? null : JSON.stringify(rows);
  }

  #next(replyId: string, kind: Kind): number {
    const numbers = this.#numbersOf(replyId);
    numbers[kind] += 1;
    return numbers[kind];
  }

  #add(replyId: string, kind: Kind, body: object): void {
    const number = this.#next(replyId, kind);
    this.#sql.exec(
      "INSERT OR REPLACE INTO diagnostics (reply_id, kind, slot, number, body) VALUES (?, ?, ?, ?, ?)",
      replyId,
      kind,
      number % KEPT[kind],
      number,
      JSON.stringify(body),
    );
  }

  /** The calls that are kept, oldest first by kind. One that cannot be read is left out. */
  list(replyId: string): readonly NumberedCall[] {
    return this.#rows(replyId).filter((row): row is NumberedCall => row.kind !== "summary");
  }

  #rows(replyId: string): readonly Row[] {
    const stored = this.#stored(replyId).flatMap(({ kind, number, body }) =>
      read(() => [{ kind, number, call: JSON.parse(body) as never }]),
    );
    const last = this.#lastRows(replyId);
    if (last.length === 0) return stored;
    const all = [...stored, ...last].toSorted((first, second) => first.number - second.number);
    const kinds = ["model", "summary", "tool"] as const;
    return kinds.flatMap((kind) => all.filter((row) => row.kind === kind).slice(-KEPT[kind]));
  }

  #stored(replyId: string): readonly { kind: Kind; number: number; body: string }[] {
    return this.#sql
      .exec<{ kind: Kind; number: number; body: string }>(
        "SELECT kind, number, body FROM diagnostics WHERE reply_id = ? ORDER BY kind, number",
        replyId,
      )
      .toArray();
  }

  #lastRows(replyId: string): readonly Row[] {
    const [reply] = this.#sql.exec<{ calls: string | null }>(REPLY_BY_ID, replyId).toArray();
    const calls = reply?.calls ?? null;
    if (calls === null) return [];
    return read(() => {
      const rows: unknown = JSON.parse(calls);
      return Array.isArray(rows) ? (rows as readonly Row[]) : [];
    });
  }

  /**
   * The cost of a reply so far, its summaries included, in billionths of a US dollar. Null when the cost of a call is
   * not known, or a part of the reply's usage is in no row: of calls that are not kept any more.
   */
  costOf(replyId: string, usage: Usage): number | null {
    const calls = this.#rows(replyId).flatMap((row) => (row.kind === "tool" ? [] : [row]));
    const firstOf = (kind: Kind) => calls.find((row) => row.kind === kind)?.number ?? 1;
    if (calls.length === 0 || firstOf("model") !== 1 || firstOf("summary") !== 1) return null;
    const left = { ...usage };
    let cost = 0;
    for (const { call } of calls) {
      if (call.cost_usd === undefined || call.cost_usd === null) return null;
      cost += Math.round(call.cost_usd * NANODOLLARS);
      for (const name of COUNTS) left[name] -= call.usage?.[name] ?? 0;
    }
    return COUNTS.every((name) => left[name] === 0) ? cost : null;
  }

  /** The reply's time to its first output, and the waits of its calls. */
  timingsOf(replyId: string): ReplyTimings {
    const rows = this.#rows(replyId);
    const first = rows.find((row) => row.kind === "model" && row.number === 1);
    const waits = rows.flatMap((row) => (row.kind === "tool" ? row.call.waits : []));
    return {
      first_output_ms: first?.kind === "model" ? first.call.first_output_ms : null,
      waits: waits.flatMap(({ kind, duration_ms }) =>
        duration_ms === null ? [] : [{ kind, duration_ms }],
      ),
    };
  }

  #numbersOf(replyId: string): Record<Kind, number> {
    if (this.#last?.replyId === replyId) return this.#last.numbers;
    const numbers: Record<Kind, number> = { model: 0, tool: 0, summary: 0 };
    for (const { kind, number } of [...this.#stored(replyId), ...this.#lastRows(replyId)]) {
      numbers[kind] = Math.max(numbers[kind], number);
    }
    this.#last = { replyId, numbers };
    return numbers;
  }
}

/** The rows that are read; none when they cannot be read. */
function read(parse: () => readonly Row[]): readonly Row[] {
  try {
    return parse();
  } catch {
    return [];
  }
}
