// Bounds of client tokens of sessions and of rooms: the page that sends them, and their verbs.
import type { Verb } from "../../protocol/client-tokens/contract.ts";
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import { A2A_CALL_RIGHTS } from "../../protocol/requests/a2a-call-rights.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "./verb-missing.ts";

/** Verbs of which one is needed, where the event's type or the method determines which. */
const VERBS_OF_ACCESS = {
  input_event: Object.values(INPUT_EVENT_RIGHTS).map(({ verb }) => verb),
  a2a_call: A2A_CALL_RIGHTS.map(({ verb }) => verb),
} as const;

/** @param allowed Origins that may use the token; null for any. @throws HttpError 403 for another origin. */
export function checkOrigin(context: AppContext, allowed: readonly string[] | null): void {
  const origin = context.req.header("Origin");
  if (!allowed || (origin !== undefined && allowed.includes(origin))) return;
  throw new HttpError(
    "origin_forbidden",
    origin === undefined
      ? "the client token is restricted to certain origins, and the request has no Origin header"
      : "the client token does not allow this origin",
  );
}

/** @throws HttpError 403 when the token has no verb that the route takes. */
export function checkVerb(verb: Verb | keyof typeof VERBS_OF_ACCESS, verbs: readonly Verb[]): void {
  const wanted = verb === "input_event" || verb === "a2a_call" ? VERBS_OF_ACCESS[verb] : [verb];
  if (wanted.some((one) => verbs.includes(one))) return;
  throw verbMissing(wanted);
}
