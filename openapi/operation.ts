// What the document says about a route beyond the route table: texts, query, body, answers, refusals of its own.
import type { z } from "zod";

import type { ErrorCode } from "../protocol/errors.ts";
import type { ExampleName } from "./examples.ts";
import type { HeaderName, RequestHeaderName } from "./headers.ts";
import type { AnswerSchemaName, RequestSchemaName } from "./named-schemas.ts";

export const TAGS = {
  Platform: "What needs no credential.",
  Tenants: "The operator's side: who may use the platform.",
  "API keys": "A tenant's keys. Each holds scopes; the plain text is shown once.",
  Credentials: "Secrets that agents use towards models and tools. They go in and never come out.",
  Usage: "What replies have used.",
  Audit: "Who changed what, with which credential.",
  Agents: "What answers: a prompt, a model, tools. A change makes a new version.",
  Sessions: "A conversation of one end user with one agent.",
  Replies: "Have the agent answer, and watch, read or end its answer.",
  Events: "The log of a session, as a stream that survives any disconnect or as pages.",
  Messages: "The conversation, folded from its events.",
  "AG-UI": "An agent for front ends that speak AG-UI, over the same log.",
  "Client tokens":
    "What an app holds instead of an API key: one session, some verbs, some minutes.",
  Callbacks: "Signed addresses that webhooks carry, to answer the calls that they announce.",
  "Inbound endpoints": "Where a tenant's own systems post events, signed.",
  Permissions: "Which calls may run, may not, or are asked about, and what was decided.",
  Confirmations: "What waits for people and for systems outside, across sessions.",
  Webhooks: "Where a tenant hears of events, signed, and what became of each message.",
} as const;
type Tag = keyof typeof TAGS;

/** A success: its status and what comes with it. */
export interface Answer {
  readonly description: string;
  /** None for an answer without a body. */
  readonly json?: AnswerSchemaName;
  /** The same without its secret, as a request that is repeated with its Idempotency-Key gets it. */
  readonly replayed?: AnswerSchemaName;
  /** The same in another dialect, when the request asks for it. */
  readonly translated?: AnswerSchemaName;
  /** Says that the answer may be the session's events as server-sent events, or that they are those of AG-UI. */
  readonly isEventStream?: true | "ag-ui";
  /** The media type of a body that is neither. */
  readonly other?: "text/plain" | "text/html" | "application/x-ndjson" | "openapi";
  readonly headers?: readonly HeaderName[];
  readonly examples?: readonly ExampleName[];
}

export interface Operation {
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly query?: z.ZodObject;
  readonly headers?: readonly RequestHeaderName[];
  readonly body?: { readonly schema: RequestSchemaName; readonly examples: readonly ExampleName[] };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Refusals that neither the route table nor the query and the body imply. */
  readonly errors?: readonly ErrorCode[];
}

/** An answer of 204. */
export function noContent(description: string): Answer {
  return { description };
}
