// One row of the route table. No zod here.
import {
  MAX_SMALL_BODY_BYTES,
  MAX_UNPROVEN_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_MEDIA_BODY_BYTES,
} from "../../limits/requests.ts";
import type { Scope } from "../api-keys.ts";
import type { Verb } from "../client-tokens.ts";

/**
 * `public` needs no credential, `operator` the operator's key, a scope a tenant's key that holds it, and
 * `input_event` the scope of the event that is posted (`INPUT_EVENT_RIGHTS`).
 */
export type Access = "public" | "operator" | "input_event" | Scope;

export interface Route {
  /** Names the operation; unique. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters stand in braces. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The verb that opens the route to a client token; without one it takes none. */
  readonly verb?: Verb | "input_event";
  /**
   * No session stands in the path: the handler finds out which one the request is about, and a client token of another one
   * finds nothing there.
   */
  readonly finds_session?: true;
  /** A stream ticket may stand in the address as `?token=`: `EventSource` sends no headers. */
  readonly token_in_query?: true;
  /** Of a public route: the request proves by a signature who sends it. Strangers are counted there. */
  readonly is_signed?: true;
  /** The operator may act here for a tenant that the request names. */
  readonly operator_for_tenant?: true;
  /**
   * Of a POST that acts: who keeps its `Idempotency-Key`, the session's object or D1. A POST without it changes
   * nothing, or its own credential is good for doing it once.
   */
  readonly keeps_keys?: "session" | "database";
  /** What the request carries, which says how much of it is read. */
  readonly body: BodyKind;
}

/**
 * `small` has short fields alone; `json` has schemas, rules, inputs; `media` may bring pictures and files; `unproven` is
 * read whole before anybody knows whose it is.
 */
export type BodyKind = "none" | "small" | "json" | "media" | "unproven";

/** The most that is read of each, in bytes. */
export const BODY_BYTES = {
  none: 0,
  small: MAX_SMALL_BODY_BYTES,
  json: MAX_BODY_BYTES,
  media: MAX_MEDIA_BODY_BYTES,
  unproven: MAX_UNPROVEN_BODY_BYTES,
} as const satisfies Record<BodyKind, number>;
