import { and, count, desc, eq, gte, lt, ne, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import type { TenantDecision, TenantDecisionListQuery } from "../../protocol/decisions/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { MAX_SCANNED_DECISIONS } from "../../protocol/permission/limits.ts";
import type { Database } from "../statements/database.ts";
import { decodeToken, encodePageToken } from "../statements/page.ts";
import { decisions } from "./table.ts";

/** The position of a decision in the list: its time, session, event and place in the event. */
export type DecisionPosition = readonly [string, string, number, number];

interface DecisionRequest extends Omit<TenantDecisionListQuery, "page" | "answered_by"> {
  readonly answered_by?: AnsweredBy | undefined;
  /** Decisions behind this position; undefined starts with the newest. */
  readonly before?: DecisionPosition;
}

/** Answers of one credential or member, or of all but that one. */
interface AnsweredBy {
  readonly who: "me" | "others";
  readonly id: string;
}

/** The decisions that the sessions' outboxes have delivered. */
export interface DecisionStorage {
  /**
   * Newest first. With a filter a page may have fewer decisions than its limit, also none, and still have a next one:
   * one call scans a bounded number of them.
   */
  list(request: DecisionRequest): Promise<Page<TenantDecision>>;
}

const POSITION = sql.raw("decided_at, session_id, seq, position");
const FILTERS = ["agent_id", "end_user_id", "tool_name", "behavior"] as const;

export function decisionStorage(database: Database, tenantId: string): DecisionStorage {
  return {
    async list({ before, limit, session_id, answered_by, ...more }) {
      const { decided_after, decided_before, ...filter } = more;
      const looked = database
        .select()
        .from(decisions)
        .where(
          and(
            eq(decisions.tenant_id, tenantId),
            // Has an index of its own in the same order.
            session_id === undefined ? undefined : eq(decisions.session_id, session_id),
            decided_after ? gte(decisions.decided_at, decided_after) : undefined,
            isBefore(before, decided_before),
          ),
        )
        .orderBy(...newestFirst(decisions))
        .limit(MAX_SCANNED_DECISIONS)
        .as("looked");
      const isWanted = and(
        ...FILTERS.map((name) => {
          const value = filter[name];
          return value === undefined ? undefined : eq(looked[name], value);
        }),
        filter.decided_by === undefined ? undefined : eq(looked.decider_kind, filter.decided_by),
        // The platform has no id.
        answered_by && (answered_by.who === "me" ? eq : ne)(looked.decider_id, answered_by.id),
      );
      const found = database
        .select()
        .from(looked)
        .where(isWanted)
        .orderBy(...newestFirst(looked))
        .limit(limit + 1);
      const seen = database.select({ count: count() }).from(looked);
      const edge = database
        .select()
        .from(looked)
        .orderBy(...newestFirst(looked))
        .limit(1)
        .offset(MAX_SCANNED_DECISIONS - 1);
      // Without a filter all scanned decisions match.
      const [rows, [scanned], [last]] = isWanted
        ? await database.batch([found, seen, edge])
        : [await found, [], []];
      const data = rows.slice(0, limit);
      const cut = scanned?.count === MAX_SCANNED_DECISIONS ? last : undefined;
      const end = rows.length > limit ? data.at(-1) : cut;
      return {
        data: data.map(toDecision),
        has_more: end !== undefined,
        next_page: end ? encodePageToken(JSON.stringify(positionOf(end))) : null,
      };
    },
  };
}

/** The lower of the two bounds: given both, SQLite might enter the index at the higher one. */
function isBefore(
  before: DecisionPosition | undefined,
  decidedBefore: string | undefined,
): SQL | undefined {
  const isBehind = before && (decidedBefore === undefined || before[0] < decidedBefore);
  if (isBehind) return sql`(${POSITION}) < (${sql.join([...before], sql`, `)})`;
  return decidedBefore === undefined ? undefined : lt(decisions.decided_at, decidedBefore);
}

type Columns = Readonly<Record<"decided_at" | "session_id" | "seq" | "position", SQLiteColumn>>;

function newestFirst({ decided_at, session_id, seq, position }: Columns) {
  return [desc(decided_at), desc(session_id), desc(seq), desc(position)];
}

type Row = typeof decisions.$inferSelect;

function positionOf({ decided_at, session_id, seq, position }: Row): DecisionPosition {
  return [decided_at, session_id, seq, position];
}

function toDecision(row: Row): TenantDecision {
  const { tenant_id: _, position: __, decider_kind: kind, decider_id: id, ...rest } = row;
  const { decider_name: name, ...decision } = rest;
  return { ...decision, decided_by: { kind, id, ...(name !== null && { name }) } };
}

/** Decodes the `page` query parameter; null for an invalid token. */
export function decodeDecisionPosition(token: string): DecisionPosition | null {
  const position = parse(decodeToken(token) ?? "");
  if (!Array.isArray(position) || position.length !== 4) return null;
  const [decidedAt, sessionId, seq, place] = position as readonly unknown[];
  const isPlaced = typeof decidedAt === "string" && typeof sessionId === "string";
  if (!isPlaced || !Number.isSafeInteger(seq) || !Number.isSafeInteger(place)) return null;
  return [decidedAt, sessionId, Number(seq), Number(place)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
