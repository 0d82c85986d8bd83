// Sends a request's act to the session's object, with the actor, the trace and the idempotency key. A request does at
// most one act that keeps keys; several need a key each (`idempotencyOf` with a part).
import type {
  ActArguments,
  ActName,
  ActOptions,
  ActPayload,
  ActValue,
} from "../../durable-objects/acts/acts-api.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { Once } from "../../durable-objects/api/session-api.ts";
import type { AppContext } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { idempotencyOf, unwrapOnce } from "./idempotent-session.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";

/** The act's payload; none for acts without one. */
type PayloadOf<Name extends ActName> =
  undefined extends ActPayload<Name> ? [payload?: ActPayload<Name>] : [payload: ActPayload<Name>];

/** An act on the session in the path. @throws HttpError for a refusal. */
export async function actOnSession<Name extends ActName>(
  context: AppContext,
  name: Name,
  ...payload: PayloadOf<Name>
): Promise<ActValue<Name>> {
  return unwrapOnce(context, await tryActOnSession(context, name, ...payload));
}

/** As {@link actOnSession}, with a refusal as a value. */
export async function tryActOnSession<Name extends ActName>(
  context: AppContext,
  name: Name,
  ...[payload]: PayloadOf<Name>
): Promise<Once<ActValue<Name>>> {
  const options = actOptions(context);
  // The types cannot say which acts take no payload before the name is known.
  const rest = [payload, options] as unknown as ActArguments<Name>;
  const stub = pathSessionStub(context);
  // The payload's serialisation is a slice of its own, and so is that of an answer that has the input again.
  if (options.isLarge) await timeSlice();
  const answer = await stub.act(name, ...rest);
  if (options.isLarge) await timeSlice();
  return answer;
}

/** The actor of the request, and the way in which it is repeated. */
export function actOptions(context: AppContext) {
  return {
    actor: actorOf(context.get("principal")),
    trace: context.get("trace"),
    idempotency: idempotencyOf(context),
    isLarge: context.get("isLarge"),
  } satisfies ActOptions;
}
