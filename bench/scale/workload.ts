// The assumed workload.

export interface Workload {
  readonly name: string;
  readonly tenants: number;
  /** Concurrent streaming replies at peak. */
  readonly streams: number;
}

export const TOKENS_OF_REPLY = 500;
export const TOKENS_PER_SECOND = 50;
/** Seconds until a model's first token, during which the object is in memory. */
export const SECONDS_TO_FIRST_TOKEN = 1;
export const REPLIES_OF_SESSION = 5;
/** Mean load over a day as a share of the peak. */
export const MEAN_SHARE = 1 / 3;
/** Read requests per reply: an opened page, a list, a reconnect. */
export const LOOKS_OF_REPLY = 2;

export const WORKLOADS: readonly Workload[] = [
  { name: "a team", tenants: 1_000, streams: 100 },
  { name: "a product", tenants: 10_000, streams: 1_000 },
  { name: "a platform", tenants: 100_000, streams: 10_000 },
  { name: "the aim", tenants: 1_000_000, streams: 100_000 },
];
