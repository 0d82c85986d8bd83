// Idempotency keys of requests that write to D1. A request claims its key, then writes its answer in the batch of the
// act: a key without an answer means that nothing was done.
import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";

import {
  IDEMPOTENCY_KEPT_MS,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_PURGED_ROWS,
  MAX_KEPT_ANSWER_BYTES,
} from "../../protocol/requests/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { Database } from "../statements/database.ts";
import { openDatabase } from "../statements/database.ts";
import { idempotencyKeys } from "./table.ts";

/** A key claimed by a request. */
export interface IdempotencyClaim {
  /** The tenant, or `operator`. */
  readonly owner: string;
  readonly path: string;
  /** The client's key, with its sender where that is not the owner itself. */
  readonly key: string;
  readonly claimId: string;
  /** A key of an earlier release, which answers when what it kept is of this session. */
  readonly former?: { readonly key: string; readonly session_id: string };
}

/** The stored answer, for repeated requests. */
export interface KeptAnswer {
  readonly status: number;
  readonly location?: string;
  /** Without the secrets of the first answer. */
  readonly body?: object;
  /** Instead of a body: the session is read from its object, so that its content is deleted with it. */
  readonly session_id?: string;
  /** Until then, in Unix milliseconds, the first request is under way; later its outcome is what the answer says. */
  readonly in_flight_until?: number;
  /** Instead of a body: the act's parts are idempotent themselves, and the request is executed again. */
  readonly is_repeatable?: true;
  /** The body was larger than {@link MAX_KEPT_ANSWER_BYTES}: the act is done, and its answer cannot be given again. */
  readonly is_bodiless?: true;
}

/** Makes the statement that stores an answer, the last one of the act's batch. */
export type KeepAnswer = (database: Database) => BatchItem<"sqlite">;

export type Claimed =
  | { readonly kind: "claimed" }
  | { readonly kind: "in_flight" | "reused" }
  | { readonly kind: "answered"; readonly answer: KeptAnswer };

/**
 * Claims the key, unless another request holds it. A key whose request failed without an answer (its lease expired) is
 * taken over by the same request only. Also deletes some expired keys.
 */
export async function claimKey(
  binding: D1Database,
  claim: IdempotencyClaim,
  fingerprint: string,
  nowMs: number,
): Promise<Claimed> {
  const database = openDatabase(binding);
  const over = database
    .select({ rowid: sql`rowid` })
    .from(idempotencyKeys)
    .where(lte(idempotencyKeys.expires_at, nowMs))
    .limit(IDEMPOTENCY_PURGED_ROWS);
  const fresh = {
    fingerprint,
    claim_id: claim.claimId,
    leased_until: nowMs + IDEMPOTENCY_LEASE_MS,
    answer: null,
    expires_at: nowMs + IDEMPOTENCY_KEPT_MS,
  };
  const { owner: tenant_id, path, key, former } = claim;
  const [, , [row], [formerRow] = []] = await database.batch([
    database.delete(idempotencyKeys).where(inArray(sql`rowid`, over)),
    database
      .insert(idempotencyKeys)
      .values({ tenant_id, path, key, ...fresh })
      .onConflictDoUpdate({
        target: [idempotencyKeys.tenant_id, idempotencyKeys.path, idempotencyKeys.key],
        set: fresh,
        setWhere: sql`${idempotencyKeys.expires_at} <= ${nowMs} OR (${idempotencyKeys.answer} IS NULL
          AND ${idempotencyKeys.leased_until} <= ${nowMs}
          AND ${idempotencyKeys.fingerprint} = ${fingerprint})`,
      }),
    database.select().from(idempotencyKeys).where(isOf(claim)),
    ...(former ? [formerAnswer(database, { ...claim, key: former.key }, fingerprint, nowMs)] : []),
  ]);
  if (row?.claim_id === claim.claimId) {
    const answer = formerRow && (JSON.parse(formerRow.answer ?? "{}") as KeptAnswer);
    const { session_id } = (answer?.body ?? {}) as { session_id?: unknown };
    if (!answer || session_id !== former?.session_id) return { kind: "claimed" };
    await releaseKey(binding, claim);
    return { kind: "answered", answer };
  }
  if (row?.fingerprint !== fingerprint) return { kind: "reused" };
  if (row.answer === null) return { kind: "in_flight" };
  return { kind: "answered", answer: JSON.parse(row.answer) as KeptAnswer };
}

/**
 * The statement that stores an answer. No effect when the preceding statement changed nothing; the whole batch fails
 * when another request has taken the key over ({@link isClaimLost}).
 */
export function keepAnswer(claim: IdempotencyClaim, answer: KeptAnswer): KeepAnswer {
  return (database) =>
    database
      .update(idempotencyKeys)
      .set({
        answer: toText(answer),
        // NULL violates the column's NOT NULL constraint, which makes the batch fail.
        claim_id: sql`CASE WHEN ${idempotencyKeys.claim_id} = ${claim.claimId}
          THEN ${claim.claimId} END`,
      })
      .where(and(isOf(claim), sql`changes() > 0`));
}

/** Stores an answer on its own, for acts outside D1. */
export async function keepAnswerAlone(
  binding: D1Database,
  claim: IdempotencyClaim,
  answer: KeptAnswer,
): Promise<void> {
  await openDatabase(binding)
    .update(idempotencyKeys)
    .set({ answer: toText(answer) })
    .where(and(isOf(claim), eq(idempotencyKeys.claim_id, claim.claimId)));
}

function toText(answer: KeptAnswer): string {
  const text = JSON.stringify(answer);
  if (utf8Bytes(text) <= MAX_KEPT_ANSWER_BYTES) return text;
  const { body: _, ...rest } = answer;
  return JSON.stringify({ ...rest, is_bodiless: true } satisfies KeptAnswer);
}

/** Releases the key, unless an answer is stored: then the act is done, whatever failed after it. */
export async function releaseKey(binding: D1Database, claim: IdempotencyClaim): Promise<void> {
  await openDatabase(binding)
    .delete(idempotencyKeys)
    .where(
      and(isOf(claim), eq(idempotencyKeys.claim_id, claim.claimId), isNull(idempotencyKeys.answer)),
    );
}

/** Whether a batch was rolled back because another request has taken its key over. */
export function isClaimLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes("NOT NULL constraint failed: idempotency_keys.claim_id"))
      return true;
  }
  return false;
}

function formerAnswer(
  database: Database,
  claim: IdempotencyClaim,
  fingerprint: string,
  nowMs: number,
) {
  return database
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        isOf(claim),
        eq(idempotencyKeys.fingerprint, fingerprint),
        gt(idempotencyKeys.expires_at, nowMs),
      ),
    );
}

function isOf({ owner, path, key }: IdempotencyClaim) {
  return and(
    eq(idempotencyKeys.tenant_id, owner),
    eq(idempotencyKeys.path, path),
    eq(idempotencyKeys.key, key),
  );
}
