import { sql } from "drizzle-orm";

import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import {
  MAX_AGED_CALLS,
  MAX_SERIES_POINTS,
  SERIES_KEPT_DAYS,
} from "../../protocol/usage/limits.ts";
import { FIRST_OUTPUT_BOUNDS_MS, WAIT_BOUNDS_MS } from "../../protocol/usage/histograms.ts";
import type { SeriesGroup, SeriesPoint, UsageSeries } from "../../protocol/usage/series.ts";
import type { Database } from "../statements/database.ts";

const DAY_MS = 86_400_000;

export interface SeriesRequest {
  /** Days, `YYYY-MM-DD`, inclusive. */
  readonly from: string;
  readonly to: string;
  readonly interval: "hour" | "day";
  readonly groups: readonly SeriesGroup[];
  readonly agent_id?: string;
  readonly model_name?: string;
  readonly nowMs: number;
}

/** A row of the answer, with its sums as JSON. */
interface PointRow {
  readonly slot: string;
  readonly agent_id: string | null;
  readonly model_name: string | null;
  readonly counts: string;
}

type Counts = Readonly<Record<string, number>>;

/**
 * Series of a tenant's replies, newest first, and how long its calls wait now. Reads a row for each hour, agent and model
 * of the span, and one for each call that waits.
 */
export async function readReplySeries(
  database: Database,
  tenantId: string,
  { from, to, interval, groups, agent_id, model_name, nowMs }: SeriesRequest,
): Promise<Pick<UsageSeries, "points" | "is_whole" | "waiting">> {
  const characters = interval === "hour" ? "YYYY-MM-DDTHH".length : "YYYY-MM-DD".length;
  const [agent, model] = (["agent", "model"] as const).map((group) =>
    sql.raw(groups.includes(group) ? `${group === "agent" ? "agent_id" : "model_name"}` : "NULL"),
  );
  const points = await database.all<PointRow>(sql`
    SELECT slot, agent_id, model_name, json_group_object(key, added) AS counts FROM (
      SELECT substr(hour, 1, ${characters}) AS slot, ${agent} AS agent_id, ${model} AS model_name,
        key, total(value) AS added FROM reply_hours, json_each(counts)
      WHERE tenant_id = ${tenantId} AND hour >= ${from} AND hour < ${`${to}U`}
      AND (${agent_id ?? null} IS NULL OR agent_id = ${agent_id ?? null})
      AND (${model_name ?? null} IS NULL OR model_name = ${model_name ?? null})
      GROUP BY 1, 2, 3, key)
    GROUP BY slot, agent_id, model_name ORDER BY slot DESC, agent_id, model_name
    LIMIT ${MAX_SERIES_POINTS + 1}`);
  return {
    points: points.slice(0, MAX_SERIES_POINTS).map(toPoint),
    is_whole: points.length <= MAX_SERIES_POINTS,
    waiting: await readAges(database, tenantId, nowMs),
  };
}

/** Calls that wait, by how long they do. */
async function readAges(
  database: Database,
  tenantId: string,
  nowMs: number,
): Promise<UsageSeries["waiting"]> {
  const since = WAIT_BOUNDS_MS.map((bound) => new Date(nowMs - bound).toISOString());
  const bucket = sql.raw(since.map((time) => `(asked_at <= '${time}')`).join(" + "));
  const rows = await database.all<{ kind: string; bucket: number; calls: number }>(sql`
    SELECT kind, ${bucket} AS bucket, count(*) AS calls FROM (
      SELECT kind, asked_at FROM pending_calls WHERE tenant_id = ${tenantId}
      ORDER BY asked_at LIMIT ${MAX_AGED_CALLS}) GROUP BY 1, 2`);
  const of = (kind: string) =>
    [...WAIT_BOUNDS_MS, 0].map(
      (_, index) => rows.find((row) => row.kind === kind && row.bucket === index)?.calls ?? 0,
    );
  return { permission: of("permission"), external_result: of("external_result") };
}

function toPoint({ slot, agent_id, model_name, counts: text }: PointRow): SeriesPoint {
  const counts = JSON.parse(text) as Counts;
  const count = (key: string) => counts[key] ?? 0;
  const histogram = (name: string, bounds: readonly number[]) =>
    [...bounds, 0].map((_, index) => count(`${name}.${index}`));
  const ends = ["completed", "interrupted", "error", "exceed_max_iters"] as const;
  const types = Object.entries(counts).flatMap(([key, value]) =>
    key.startsWith("error_type.") ? [[key.slice("error_type.".length), value] as const] : [],
  );
  return {
    at: `${slot.padEnd("YYYY-MM-DDT".length, "T").padEnd("YYYY-MM-DDTHH".length, "0")}:00:00.000Z`,
    agent_id,
    model_name,
    replies: ends.reduce((sum, end) => sum + count(end), 0),
    completed: count("completed"),
    interrupted: count("interrupted"),
    error: count("error"),
    exceed_max_iters: count("exceed_max_iters"),
    error_types: Object.fromEntries(types),
    first_output: histogram("first_output", FIRST_OUTPUT_BOUNDS_MS),
    waits: {
      permission: histogram("permission", WAIT_BOUNDS_MS),
      external_result: histogram("external_result", WAIT_BOUNDS_MS),
    },
    input_tokens: count("input_tokens"),
    output_tokens: count("output_tokens"),
    cost_usd: count("unpriced") === 0 ? count("cost") / NANODOLLARS : null,
    audio_input_ms: count("audio_input_ms"),
    audio_output_ms: count("audio_output_ms"),
    audio_input_tokens: count("audio_input_tokens"),
    audio_output_tokens: count("audio_output_tokens"),
  };
}

/** Deletes a bounded number of sums that are over. @returns their number: at the bound, there may be more. */
export async function purgeReplyHours(
  database: D1Database,
  nowMs: number,
  most: number,
): Promise<number> {
  const before = new Date(nowMs - SERIES_KEPT_DAYS * DAY_MS).toISOString();
  const key = "tenant_id, hour, agent_id, model_name";
  const { results } = await database
    .prepare(
      `DELETE FROM reply_hours WHERE (${key}) IN
       (SELECT ${key} FROM reply_hours WHERE hour < ? LIMIT ?) RETURNING 1`,
    )
    .bind(before.slice(0, "YYYY-MM-DDTHH".length), most)
    .all();
  return results.length;
}
