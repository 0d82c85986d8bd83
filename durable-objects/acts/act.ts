// The type of an entry in the table of session acts.
import type { Result } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Actor, Idempotency } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { RecordResult } from "../tables/once.ts";

/** Arguments of an act beside its payload. */
export interface ActContext<Kept> {
  /** Holder of the credential by which something is done; left out for acts of the platform itself. */
  readonly actor?: Actor | undefined;
  /** Sent with the outgoing requests that the act causes. */
  readonly trace?: TraceContext;
  /** Of a request with a key, for an act that hands it to another session. */
  readonly idempotency?: Idempotency | undefined;
  /** Records what a replay builds its answer from. Called in the act's transaction; without a key it does nothing. */
  readonly recordResult: RecordResult<Kept>;
}

interface ActEntry<Payload, Value, Kept, Context> {
  readonly run: (
    session: OpenSession,
    payload: Payload,
    context: Context,
  ) => Result<Value> | Promise<Result<Value>>;
  /**
   * Answers a repeated request from what `recordResult` got; states of replies in it are the current ones. An act with
   * this member supports `Idempotency-Key`; any other one ignores the key.
   */
  readonly replay?: (session: OpenSession, kept: Kept) => Result<Value> | Promise<Result<Value>>;
  /** Also answers for a session whose settings cannot be read: it needs none of them, and changes nothing. */
  readonly answersUnreadable?: true;
}

/** An act that needs no more than the Worker's check of the credential. */
export interface Act<Payload, Value, Kept = never> extends ActEntry<
  Payload,
  Value,
  Kept,
  ActContext<Kept>
> {
  readonly needsActor: false;
}

/** An act for which the session has to know who acts: it checks that actor's rights, or records the actor. */
export interface ActorAct<Payload, Value, Kept = never> extends ActEntry<
  Payload,
  Value,
  Kept,
  ActContext<Kept> & { readonly actor: Actor }
> {
  readonly needsActor: true;
}

/** @typeParam Payload `void` for none. @typeParam Kept What is kept under an `Idempotency-Key`, as JSON. */
export function act<Payload, Value, Kept = never>(
  entry: Omit<Act<Payload, Value, Kept>, "needsActor">,
): Act<Payload, Value, Kept> {
  return { ...entry, needsActor: false };
}

/** As {@link act}, with the actor in its context. */
export function actorAct<Payload, Value, Kept = never>(
  entry: Omit<ActorAct<Payload, Value, Kept>, "needsActor">,
): ActorAct<Payload, Value, Kept> {
  return { ...entry, needsActor: true };
}

/** The payload without its trace and the share of who asks, which come in the options of the act. */
export type Untraced<Start extends { readonly trace?: unknown }> = Omit<
  Start,
  "trace" | "share"
> & {
  readonly trace?: never;
  readonly share?: never;
};
