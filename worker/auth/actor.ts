// The actor of a session operation, as passed to its object and stored in its log.
import type { Actor } from "../../durable-objects/api/session-api.ts";
import type { InputEvent } from "../../protocol/events.ts";
import type { CallbackClaims } from "../../storage/secrets/signed-token.ts";
import { HttpError } from "../http-error.ts";
import { mayConfirm, mayEdit, type Principal, shareOf } from "../principal.ts";

/** The actor of an API key or a client token. @throws HttpError `insufficient_scope` for other credentials. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case "tenant":
      return {
        ...principal.bearer,
        may_write_rules: principal.scopes.includes("permission_rules:write"),
        may_take_rules: true,
        // An API key is held by a back end, which has made its own checks.
        may_edit: true,
        must_prove_input: false,
        may_confirm: mayConfirm(principal),
      };
    case "client_token":
    case "room_token":
      return {
        kind: "client_token",
        id: principal.tokenId,
        may_write_rules: false,
        may_take_rules: false,
        may_edit: principal.verbs.includes("edit"),
        must_prove_input: true,
        may_confirm: mayConfirm(principal),
        share: shareOf(principal),
      };
    case "end_user":
      return {
        kind: "end_user",
        id: principal.endUserId,
        may_write_rules: false,
        may_take_rules: false,
        may_edit: mayEdit(principal),
        must_prove_input: true,
        may_confirm: mayConfirm(principal),
        share: shareOf(principal),
      };
    case "operator":
    case "public":
      throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
    default:
      return principal satisfies never;
  }
}

const CALLBACK_EVENTS = {
  permission: "USER_CONFIRM_RESULT",
  external_result: "EXTERNAL_EXECUTION_RESULT",
} as const satisfies Record<CallbackClaims["kind"], InputEvent["type"]>;

/**
 * The actor of a callback URL: answers the calls of that URL and may accept the rules suggested there. An answer of the
 * other kind gets no call ids: the right to submit results does not include the right to confirm.
 */
export function callbackActor(
  { message_id, tool_call_ids, kind, may_edit }: CallbackClaims,
  type: InputEvent["type"],
): Actor {
  return {
    kind: "callback",
    id: message_id,
    may_write_rules: false,
    may_take_rules: true,
    may_edit: may_edit === true,
    must_prove_input: true,
    may_confirm: kind === "permission",
    tool_call_ids: type === CALLBACK_EVENTS[kind] ? tool_call_ids : [],
  };
}

/** The actor of a signed inbound webhook. */
export function inboundActor(endpointId: string): Actor {
  return {
    kind: "inbound_endpoint",
    id: endpointId,
    may_write_rules: false,
    may_take_rules: true,
    may_edit: true,
    must_prove_input: false,
    may_confirm: true,
  };
}
