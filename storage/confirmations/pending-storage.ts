import { and, asc, eq, gte, lt, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { Confirmation } from "../../protocol/confirmations/contract.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { Database } from "../statements/database.ts";
import { decodeToken, toPage } from "../statements/page.ts";
import { pendingCalls } from "./table.ts";

interface PendingFilter {
  readonly kind?: PendingCall["kind"];
  readonly agent_id?: string;
  readonly end_user_id?: string;
  readonly session_id?: string;
  readonly tool_name?: string;
  /** ISO times; `asked_after` is inclusive, `asked_before` exclusive. */
  readonly asked_after?: string;
  readonly asked_before?: string;
  /** Exclusive. Calls without an expiry do not match. */
  readonly expires_before?: string;
}

/** The position of a call in the list; a page token encodes it. */
export interface PendingPosition {
  readonly asked_at: string;
  readonly session_id: string;
  readonly tool_call_id: string;
}

export interface PendingRequest extends PendingFilter {
  /** Calls after this position; undefined starts with the oldest. */
  readonly after?: PendingPosition;
  readonly limit: number;
}

/** Tool calls that wait for a confirmation or an external result, as reported by the sessions' outboxes. */
export interface PendingStorage {
  /** Oldest first. */
  list(request: PendingRequest): Promise<Page<Confirmation>>;
}

export function pendingStorage(database: Database, tenantId: string): PendingStorage {
  return {
    async list({ after, limit, ...filter }) {
      const rows = await database
        .select()
        .from(pendingCalls)
        .where(
          and(
            eq(pendingCalls.tenant_id, tenantId),
            after ? isBehind(after) : undefined,
            ...equalities(filter),
            filter.asked_after ? gte(pendingCalls.asked_at, filter.asked_after) : undefined,
            filter.asked_before ? lt(pendingCalls.asked_at, filter.asked_before) : undefined,
            filter.expires_before ? lt(pendingCalls.expires_at, filter.expires_before) : undefined,
          ),
        )
        .orderBy(
          asc(pendingCalls.asked_at),
          asc(pendingCalls.session_id),
          asc(pendingCalls.tool_call_id),
        )
        .limit(limit + 1);
      return toPage(rows.map(toConfirmation), limit, positionKey);
    },
  };
}

/** A row value comparison, so that the list's index is entered at the position. */
function isBehind({ asked_at, session_id, tool_call_id }: PendingPosition) {
  return sql`(${pendingCalls.asked_at}, ${pendingCalls.session_id}, ${pendingCalls.tool_call_id})
    > (${asked_at}, ${session_id}, ${tool_call_id})`;
}

function equalities(filter: PendingFilter) {
  const names = ["kind", "agent_id", "end_user_id", "session_id", "tool_name"] as const;
  return names.map((name) => {
    const value = filter[name];
    return value === undefined ? undefined : eq(pendingCalls[name], value);
  });
}

function toConfirmation(row: typeof pendingCalls.$inferSelect): Confirmation {
  const { tenant_id: _, entry: __, call, ...rest } = row;
  return {
    ...rest,
    tool_call: call?.tool_call ?? null,
    input_hash: call?.input_hash ?? null,
    suggested_rules: call?.suggested_rules ?? [],
    ...(call?.question !== undefined && { question: call.question }),
    ...(call?.editable && { editable: call.editable }),
    ...(call?.reasons && { reasons: call.reasons }),
    ...(call?.elicitation && { elicitation: call.elicitation }),
    ...(call?.authorization && { authorization: call.authorization }),
  };
}

/** UTF-8 bytes as characters, as `encodePageToken` expects: the call's id may contain any character. */
function positionKey({ asked_at, session_id, tool_call_id }: Confirmation): string {
  const bytes = new TextEncoder().encode(JSON.stringify([asked_at, session_id, tool_call_id]));
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Decodes the `page` query parameter; null for an invalid token. */
export function decodePendingPosition(token: string): PendingPosition | null {
  const key = decodeToken(token);
  if (key === null) return null;
  const bytes = Uint8Array.from(key, (character) => character.charCodeAt(0));
  const position = parsePosition(new TextDecoder().decode(bytes));
  if (position?.length !== 3 || !position.every((part) => typeof part === "string")) return null;
  const [asked_at = "", session_id = "", tool_call_id = ""] = position;
  return { asked_at, session_id, tool_call_id };
}

function parsePosition(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
