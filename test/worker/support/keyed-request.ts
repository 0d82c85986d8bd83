import type { RouteName } from "../../../protocol/routes.ts";
import type { Call } from "./api.ts";

/** A request to a route that takes an Idempotency-Key, another one, and what doing it has brought about. */
export interface KeyedRequest {
  readonly path: string;
  readonly call: Call;
  /** Of a platform whose queue the test looks into. */
  readonly bindings?: Env;
  /** Left out where the route takes no body. */
  readonly json?: object;
  /** A body or, with a question mark, a query that asks for something else; left out where there is none. */
  readonly other?: object | `?${string}`;
  /** Members that only the first answer has, such as `secret` or `webhook.secret`. */
  readonly secrets?: readonly string[];
  /** Number of times that it was done. */
  readonly count: () => Promise<number>;
}

export type KeyedRequests = Partial<Readonly<Record<RouteName, () => Promise<KeyedRequest>>>>;
