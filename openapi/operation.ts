// The documentation of a route in addition to its row in the route table: texts, query, body, answers, errors.
import type * as z from "zod";

import type { ErrorCode } from "../protocol/errors.ts";
import type { HeaderName, RequestHeaderName } from "./headers.ts";

/**
 * The names that an operation may refer to. They are any string here, since other resources may define them;
 * `resources.ts` narrows them to the defined names, so that an operation with an unknown one does not compile.
 */
interface Names {
  readonly tag: string;
  readonly requestSchema: string;
  readonly answerSchema: string;
  readonly example: string;
}

/** A successful response: its status and content. */
export interface Answer<Known extends Names = Names> {
  readonly description: string;
  /** Left out for an answer without a body. */
  readonly json?: Known["answerSchema"];
  /** The schema without its secret, which the answer to a repeated Idempotency-Key has. */
  readonly replayed?: Known["answerSchema"];
  /** The schema in another dialect, when the request asks for it. */
  readonly translated?: Known["answerSchema"];
  /** The answer may be a stream of the session's events, of AG-UI's, or of a replay's. */
  readonly isEventStream?: true | "ag-ui" | "replay";
  /** Another media type than JSON or a stream. */
  readonly other?:
    | "text/plain"
    | "text/event-stream"
    | "text/html"
    | "application/x-ndjson"
    | "text/csv"
    | "*/*"
    | "openapi";
  readonly headers?: readonly HeaderName[];
  readonly examples?: readonly Known["example"][];
}

export interface Operation<Known extends Names = Names> {
  readonly tag: Known["tag"];
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  /** Descriptions of query parameters that have another meaning here than at other routes. */
  readonly queryDescriptions?: Readonly<Record<string, string>>;
  readonly headers?: readonly RequestHeaderName[];
  readonly body?: {
    readonly schema: Known["requestSchema"];
    readonly examples: readonly Known["example"][];
  };
  readonly answers: Readonly<Record<number, Answer<Known>>>;
  /**
   * Errors that the route table, the query and the body do not imply. Operations that add something that a quota
   * counts, or that begin a reply, have `quota_exceeded` among them.
   */
  readonly errors?: readonly ErrorCode[];
}

/** An answer with status 204. */
export function noContent(description: string): { readonly description: string } {
  return { description };
}
