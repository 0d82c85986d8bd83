// What one entry of the table of acts holds.
import type { Result } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Actor } from "../api/session-api.ts";
import type { OpenSession } from "../session/open-session.ts";
import type { RecordResult } from "../tables/once.ts";

/** What an act is called with, beside its payload. */
export interface ActContext<Kept> {
  /** Goes with what the session sends out because of the act. */
  readonly trace?: TraceContext;
  /** Writes what the answer can be made of again. Called in the transaction of the act; without a key it does nothing. */
  readonly recordResult: RecordResult<Kept>;
}

interface ActEntry<Payload, Value, Kept, Context> {
  readonly run: (
    session: OpenSession,
    payload: Payload,
    context: Context,
  ) => Result<Value> | Promise<Result<Value>>;
  /**
   * The answer of a request that was made before, from what `recordResult` got. It shows what the caller may see at any
   * time as it is now. An act with this keeps `Idempotency-Key`s; any other one ignores them.
   */
  readonly replay?: (session: OpenSession, kept: Kept) => Result<Value> | Promise<Result<Value>>;
  /** Also answers for a session whose settings cannot be read: it needs none of them, and changes nothing. */
  readonly answersUnreadable?: true;
}

/** An act that everyone may do whom the Worker lets through. */
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
