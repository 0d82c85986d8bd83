// Computes the resource usage of a workload. Pure arithmetic, without clock or network.
import {
  ISOLATE_BYTES,
  MAX_BINDINGS,
  MAX_BUSY,
  MAX_DATABASE_BYTES,
  MAX_DATABASES,
  MAX_DATABASES_BYTES,
  OBJECT_REST_SECONDS,
  PRICES,
  READ_MS,
  WRITE_MS,
} from "./platform-limits.ts";
import type { UnitCosts } from "./unit-costs.ts";
import {
  LOOKS_OF_REPLY,
  MEAN_SHARE,
  REPLIES_OF_SESSION,
  SECONDS_TO_FIRST_TOKEN,
  TOKENS_OF_REPLY,
  TOKENS_PER_SECOND,
  type Workload,
} from "./workload.ts";

const SECONDS_OF_DAY = 86_400;
const SECONDS_OF_MONTH = 30 * SECONDS_OF_DAY;

export interface Demand {
  /** Per second, at peak. */
  readonly replies: number;
  readonly workerRequests: number;
  readonly objectRequests: number;
  readonly objectRows: number;
  readonly databaseRows: number;
  /** Milliseconds of database time per second. */
  readonly databaseMs: number;
  readonly processorCores: number;
  /** Objects in memory, and the minimum number of isolates for them. */
  readonly objectsAlive: number;
  readonly isolates: number;
  /** Per day. */
  readonly objectsMade: number;
  readonly repliesOfMonth: number;
  readonly databaseBytesOfDay: number;
  /** Databases needed for the load, and for a year of storage. */
  readonly databasesByTime: number;
  readonly databasesByYear: number;
  /** Days until one database is full. */
  readonly daysToFull: number;
  /** Dollars per month, with the storage after the first month. */
  readonly dollars: Readonly<Record<Post, number>>;
}

type Post =
  | "requests"
  | "processor"
  | "object duration"
  | "object rows"
  | "object storage"
  | "D1 rows"
  | "D1 storage";

const SECONDS_OF_REPLY = SECONDS_TO_FIRST_TOKEN + TOKENS_OF_REPLY / TOKENS_PER_SECOND;

export function simulate({ streams }: Workload, costs: UnitCosts): Demand {
  const replies = streams / SECONDS_OF_REPLY;
  const sessions = replies / REPLIES_OF_SESSION;
  const tokens = replies * TOKENS_OF_REPLY;
  const workerRequests = replies * (1 + LOOKS_OF_REPLY) + sessions;
  const objectRequests =
    replies * (costs.objectCallsOfReply + LOOKS_OF_REPLY) + sessions * costs.objectCallsOfSession;
  const objectRows =
    replies * costs.rowsOfReply +
    (tokens / 1_000) * costs.rowsOf1000Tokens +
    sessions * costs.rowsOfSession;
  const databaseRows = replies * costs.databaseRowsOfReply + sessions * costs.databaseRowsOfSession;
  const databaseMs =
    replies * (costs.databaseReadsOfReply * READ_MS + costs.databaseWritesOfReply * WRITE_MS) +
    sessions * (costs.databaseReadsOfSession * READ_MS + costs.databaseWritesOfSession * WRITE_MS);
  const databaseBytes =
    replies * costs.databaseBytesOfReply + sessions * costs.databaseBytesOfSession;
  const objectBytes = (tokens / 1_000) * costs.objectBytesOf1000Tokens;
  const processorCores = (tokens / 100_000) * costs.processorSecondsOf100kTokens;
  const objectsAlive = streams + replies * OBJECT_REST_SECONDS;
  const meanDay = MEAN_SHARE * SECONDS_OF_DAY;
  const meanMonth = MEAN_SHARE * SECONDS_OF_MONTH;
  const databaseBytesOfDay = databaseBytes * meanDay;
  return {
    replies,
    workerRequests,
    objectRequests,
    objectRows,
    databaseRows,
    databaseMs,
    processorCores,
    objectsAlive,
    isolates: (objectsAlive * costs.objectBytes) / ISOLATE_BYTES,
    objectsMade: sessions * meanDay,
    repliesOfMonth: replies * meanMonth,
    databaseBytesOfDay,
    databasesByTime: Math.ceil(databaseMs / (1_000 * MAX_BUSY)),
    databasesByYear: Math.ceil((databaseBytesOfDay * 365) / MAX_DATABASE_BYTES),
    daysToFull: MAX_DATABASE_BYTES / databaseBytesOfDay,
    dollars: {
      requests:
        meanMonth * (workerRequests * PRICES.workerRequest + objectRequests * PRICES.objectRequest),
      processor: meanMonth * processorCores * 1_000 * PRICES.processorMs,
      "object duration": meanMonth * replies * SECONDS_OF_REPLY * PRICES.objectSecond,
      "object rows": meanMonth * objectRows * PRICES.rowWritten,
      "object storage": ((meanMonth * objectBytes) / 1e9) * PRICES.objectGigabyteMonth,
      "D1 rows": meanMonth * databaseRows * PRICES.rowWritten,
      "D1 storage": ((meanMonth * databaseBytes) / 1e9) * PRICES.databaseGigabyteMonth,
    },
  };
}

/** Maximum concurrent streams for one database. */
export function streamsOfOneDatabase(costs: UnitCosts): number {
  const { databaseMs } = simulate({ name: "one", tenants: 1, streams: 1 }, costs);
  return Math.floor((1_000 * MAX_BUSY) / databaseMs);
}

/** Use of each D1 limit by a workload with one database after a year; above 1 exceeds it. */
export function useOfLimits({
  databaseMs,
  databaseBytesOfDay,
  databasesByTime,
  databasesByYear,
}: Demand): readonly (readonly [limit: string, used: number])[] {
  const yearBytes = databaseBytesOfDay * 365;
  const databases = Math.max(databasesByTime, databasesByYear);
  return [
    ["the time of one database", databaseMs / (1_000 * MAX_BUSY)],
    ["the room of one database", yearBytes / MAX_DATABASE_BYTES],
    ["the room of an account", yearBytes / MAX_DATABASES_BYTES],
    ["databases that a Worker is bound to", databases / MAX_BINDINGS],
    ["databases of an account", databases / MAX_DATABASES],
  ];
}
