// The contract of a concept: its routes, and the words of the API on them.
import type * as z from "zod";

import type { ErrorCode } from "../errors.ts";
import type { IdPrefix } from "../ids.ts";
import type { HeaderName, RequestHeaderName } from "./documented-headers.ts";
import type { Route } from "./route.ts";

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/**
 * The names that an operation may refer to. They are any string here, since other concepts may define them;
 * `protocol/routes.ts` narrows them to the defined names, so that an operation with an unknown one does not compile.
 */
interface Names {
  readonly tag: string;
  readonly example: string;
}

/** An answer with server-sent events. */
export interface Stream<Known extends Names = Names> {
  /** The name of the stream in the document. */
  readonly id: string;
  readonly description: string;
  /** The schema of one event. */
  readonly event: z.ZodType;
  readonly example: Known["example"];
}

/** A successful response: its status and content. A schema has a name, by `.meta({ id })`. */
export interface Answer<Known extends Names = Names> {
  readonly description: string;
  /** Left out for an answer without a body. */
  readonly json?: z.ZodType;
  /** That of the JSON, where a protocol has a name of its own for it. */
  readonly media_type?: "application/json" | "application/a2a+json";
  /** The schema without its secret, which the answer to a repeated Idempotency-Key has. */
  readonly replayed?: z.ZodType;
  /** The schema in other dialects, when the request asks for one. */
  readonly translated?: readonly z.ZodType[];
  /** The stream that the answer may be. */
  readonly stream?: Stream<Known>;
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

interface Operation<Known extends Names = Names> {
  readonly tag: Known["tag"];
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  /** Descriptions of query parameters that have another meaning here than at other routes. */
  readonly queryDescriptions?: Readonly<Record<string, string>>;
  readonly headers?: readonly RequestHeaderName[];
  /** The body of the request, where it is JSON. Its schema has a name, by `.meta({ id })`. */
  readonly request?: {
    readonly json: z.ZodType;
    readonly examples: readonly Known["example"][];
  };
  readonly answers: Readonly<Record<number, Answer<Known>>>;
  /**
   * Errors that the route table, the query and the body do not imply. Operations that add something that a quota
   * counts, or that begin a reply, have `quota_exceeded` among them.
   */
  readonly errors?: readonly ErrorCode[];
}

export type DocumentedRoute<Known extends Names = Names> = Route & Operation<Known>;

/** A parameter of paths, in all of them. */
export interface PathParameter {
  /**
   * The id's prefix; `any` where the value is not an id of the platform: a message's id may be the client's, a version
   * is a number, a token has no fixed length, a hash is SHA-256 in hex; `chosen` where a tenant has chosen it for what is
   * no resource, so that any text may be one.
   */
  readonly form: IdPrefix | "any" | "chosen" | "hash" | "number" | "token";
  readonly description: string;
}

/**
 * The part of the API that one concept defines, beside its schemas, which have their names and words in themselves. Other
 * concepts may refer to its names (tags, parameters, examples), so each name belongs to one concept.
 */
export interface Contract {
  /** Tags of the document, each with a description. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly routes?: readonly DocumentedRoute[];
  /** By name, for all paths with it. */
  readonly pathParameters?: Readonly<Record<string, PathParameter>>;
  /** By name, for all queries with it. */
  readonly queryParameters?: Readonly<Record<string, string>>;
  /**
   * Words of fields: by schema and path (`Agent.permission.mode`), or by field name for all schemas without a more exact
   * entry. A resource and its schemas for creation, change and requests share one name: see `openapi/describe-fields.ts`.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** Requests and answers of the refund desk. A test validates each against the schema of its operation. */
  readonly examples?: Readonly<Record<string, Example>>;
}
