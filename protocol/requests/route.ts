// One row of the route table. No zod here: the SDK uses this file.
import { MAX_FILE_BYTES } from "../files/limits.ts";
import {
  MAX_SMALL_BODY_BYTES,
  MAX_UNPROVEN_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_MEDIA_BODY_BYTES,
} from "./limits.ts";
import type { Scope } from "../keys/contract.ts";
import type { Verb } from "../client-tokens/contract.ts";
import type { OperatorRight } from "../members/operator-roles.ts";

/**
 * `public` needs no credential, `operator` the operator, a scope a tenant's key that holds it, `input_event` the scope of
 * the event that is posted (`INPUT_EVENT_RIGHTS`), and `a2a_call` that of the method of A2A (`A2A_CALL_RIGHTS`).
 */
type Access = "public" | "operator" | "input_event" | "a2a_call" | Scope;

export interface Route {
  /** Names the operation; unique. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters are in braces. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The verb that a client token needs here; without one the route accepts no client tokens. */
  readonly verb?: Verb | "input_event" | "a2a_call";
  /**
   * The path names no session: the handler finds it from the request, and answers `not_found` to a client token of
   * another session.
   */
  readonly finds_session?: true;
  /**
   * A request without a credential is public, and counted against its address before anything is looked up: the handler
   * says whether what it asks for is shown to everybody.
   */
  readonly may_be_public?: true;
  /** Accepts a stream ticket as `?token=`, because `EventSource` cannot send headers. */
  readonly token_in_query?: true;
  /**
   * The subprotocol of the WebSocket that a request with `Upgrade: websocket` opens, with the same access: a stream ticket
   * comes as a subprotocol of its own (`TICKET_PROTOCOL_PREFIX`). Without one an upgrade is refused.
   */
  readonly subprotocol?: string;
  /** Accepts JWTs of the issuers that the tenant has registered for the agent in the path, or for that of the session in it. */
  readonly takes_issued_tokens?: true;
  /** A public route whose requests are signed. Requests with an invalid signature are rate-limited by address. */
  readonly is_signed?: true;
  /** A public route that asks the database; its requests are rate-limited by address. */
  readonly is_limited?: true;
  /**
   * The right that the operator needs here: with a scope as access on behalf of a tenant that the request names or, where
   * none is named, for itself. The operator's key has all rights, a person those of the role; without one it takes neither.
   */
  readonly operator_right?: OperatorRight;
  /**
   * The store of a POST's `Idempotency-Key`: the session's object or D1. A POST without this member
   * changes nothing, or its credential can be used only once.
   */
  readonly keeps_keys?: "session" | "database";
  /** With `?validate_only=true` a POST is checked and changes nothing, so it keeps no key. */
  readonly validates_only?: true;
  /** The kind of body, which determines its maximum size. */
  readonly body: BodyKind;
}

/**
 * `file`: the bytes of a file, streamed; `small`: short fields only; `json`: schemas, rules, inputs; `media`: may contain images and files; `unproven`: read
 * whole before the sender is authenticated; `delivery`: the same, and a form where a system of others sends forms.
 */
export type BodyKind = "none" | "small" | "json" | "media" | "file" | "unproven" | "delivery";

/** Maximum size of each kind of body, in bytes. */
export const BODY_BYTES = {
  none: 0,
  small: MAX_SMALL_BODY_BYTES,
  json: MAX_BODY_BYTES,
  media: MAX_MEDIA_BODY_BYTES,
  file: MAX_FILE_BYTES,
  unproven: MAX_UNPROVEN_BODY_BYTES,
  delivery: MAX_UNPROVEN_BODY_BYTES,
} as const satisfies Record<BodyKind, number>;
