// The documentation of a route beyond its row in the route table: texts, query, body, answers, errors of its own.
import type { z } from "zod";

import type { ErrorCode } from "../protocol/errors.ts";
import type { HeaderName, RequestHeaderName } from "./headers.ts";

/**
 * The names that an operation may refer to. Where it is written they are any text, since other resources may have them;
 * `resources.ts` has the names that exist, and an operation with another one does not compile there.
 */
interface Names {
  readonly tag: string;
  readonly requestSchema: string;
  readonly answerSchema: string;
  readonly example: string;
}

/** A success: its status and what comes with it. */
export interface Answer<Known extends Names = Names> {
  readonly description: string;
  /** None for an answer without a body. */
  readonly json?: Known["answerSchema"];
  /** The same without its secret, as a request that is repeated with its Idempotency-Key gets it. */
  readonly replayed?: Known["answerSchema"];
  /** The same in another dialect, when the request asks for it. */
  readonly translated?: Known["answerSchema"];
  /** Says that the answer may be the session's events as server-sent events, or that they are those of AG-UI. */
  readonly isEventStream?: true | "ag-ui";
  /** The media type of a body that is neither. */
  readonly other?: "text/plain" | "text/html" | "application/x-ndjson" | "openapi";
  readonly headers?: readonly HeaderName[];
  readonly examples?: readonly Known["example"][];
}

export interface Operation<Known extends Names = Names> {
  readonly tag: Known["tag"];
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  /** Of parameters of the query that mean something else here than at other routes. */
  readonly queryDescriptions?: Readonly<Record<string, string>>;
  readonly headers?: readonly RequestHeaderName[];
  readonly body?: {
    readonly schema: Known["requestSchema"];
    readonly examples: readonly Known["example"][];
  };
  readonly answers: Readonly<Record<number, Answer<Known>>>;
  /**
   * Refusals that neither the route table nor the query and the body imply. What adds something that is counted, or
   * begins a reply, has `quota_exceeded` among them.
   */
  readonly errors?: readonly ErrorCode[];
}

/** An answer of 204. */
export function noContent(description: string): { readonly description: string } {
  return { description };
}
