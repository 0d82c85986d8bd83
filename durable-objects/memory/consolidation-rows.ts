// A consolidation as a store keeps it, and what is shown of it.
import type { ProposedChange } from "../../agent/memory/check-changes.ts";
import type {
  ConsolidationError,
  ConsolidationStatus,
  MemoryConsolidation,
} from "../../protocol/memory/consolidation.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { readJson } from "./memory-rows.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";

interface AskedConsolidation {
  /** The name of one of the agent's models. */
  readonly model_name: string;
  readonly instructions: string | null;
  readonly max_tokens: number | null;
}

/** Trusted memories are gone over before the others, so that no model is shown both where trusted ones may change. */
export interface BatchPlace {
  readonly of: "trusted" | "untrusted";
  /** The last memory of the batch before; empty before the first one. */
  readonly after: string;
  /** The last memory that there was when the job began: what it makes itself is not gone over. */
  readonly until: string;
}

export interface ConsolidationCounts {
  readonly memories: number;
  readonly read: number;
  readonly written: number;
  readonly superseded: number;
  readonly skipped: number;
}

/** The choice of a model for one batch. It is on disk before anything is written by it. */
export interface BatchChoice {
  readonly changes: readonly ProposedChange[];
  /** The versions in which the model was shown the memories of the changes. */
  readonly versions: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly read: number;
  /** The place of the next batch; null behind the last one. */
  readonly next: BatchPlace | null;
}

interface UsedTokens {
  readonly usage: Usage;
  /** Billionths of a US dollar; null when a part of it is not known. */
  readonly cost: number | null;
}

export interface StoredConsolidation {
  readonly id: string;
  readonly status: ConsolidationStatus;
  readonly request: AskedConsolidation;
  readonly place: BatchPlace | null;
  readonly choice: BatchChoice | null;
  /** Attempts at the batch. */
  readonly tries: number;
  readonly counts: ConsolidationCounts;
  readonly used: UsedTokens | null;
  /** Model calls, and those that D1 was told of. */
  readonly calls: number;
  readonly told_calls: number;
  readonly error: ConsolidationError | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** Members that are objects are JSON. */
export type ConsolidationRow = {
  consolidation_id: string;
  request_id: string | null;
  status: ConsolidationStatus;
  request: string;
  place: string | null;
  choice: string | null;
  tries: number;
  counts: string;
  used: string | null;
  calls: number;
  told_calls: number;
  error: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
};

export function toConsolidation({
  consolidation_id: id,
  request_id: _,
  ...row
}: ConsolidationRow): StoredConsolidation {
  return {
    ...row,
    id,
    request: JSON.parse(row.request) as AskedConsolidation,
    counts: JSON.parse(row.counts) as ConsolidationCounts,
    place: readJson<BatchPlace>(row.place),
    choice: readJson<BatchChoice>(row.choice),
    used: readJson<UsedTokens>(row.used),
    error: readJson<ConsolidationError>(row.error),
  };
}

export function viewConsolidation(
  store_id: string,
  { id, status, request, counts, used, error, ...times }: StoredConsolidation,
): MemoryConsolidation {
  const { created_at, started_at, ended_at } = times;
  const cost_usd = used === null || used.cost === null ? null : used.cost / NANODOLLARS;
  return {
    id,
    store_id,
    status,
    model: request.model_name,
    instructions: request.instructions,
    max_tokens: request.max_tokens,
    ...counts,
    usage: used?.usage ?? null,
    cost_usd,
    error,
    created_at,
    started_at,
    ended_at,
  };
}

export function isOver({ status }: Pick<StoredConsolidation, "status">): boolean {
  return status !== "queued" && status !== "running";
}
