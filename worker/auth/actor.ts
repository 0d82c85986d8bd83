// Who acts on a session, as its object is told and its log keeps.
import type { Actor } from "../../durable-objects/api/session-api.ts";
import type { InputEvent } from "../../protocol/events.ts";
import type { CallbackClaims } from "../../storage/secrets/signed-token.ts";
import { HttpError } from "../http-error.ts";
import type { Principal } from "../principal.ts";

/** The actor behind an API key or a client token. @throws HttpError `insufficient_scope` for anybody else. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case "tenant":
      return {
        kind: "api_key",
        id: principal.keyId,
        may_write_rules: principal.scopes.includes("permission_rules:write"),
        may_take_rules: true,
        // Whoever holds a key is a back end: what it sends has been decided there.
        may_edit: true,
        must_prove_input: false,
      };
    case "client_token":
      return {
        kind: "client_token",
        id: principal.tokenId,
        may_write_rules: false,
        may_take_rules: false,
        may_edit: principal.verbs.includes("edit"),
        must_prove_input: true,
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
 * Whoever holds the address that a webhook carried: answers for its calls, and may take the rules suggested there. For
 * an answer of the other kind it is about no call: who may say yes is not the one who brings the result.
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
    tool_call_ids: type === CALLBACK_EVENTS[kind] ? tool_call_ids : [],
  };
}

/** A tenant's own system, known by its signature. */
export function inboundActor(endpointId: string): Actor {
  return {
    kind: "inbound_endpoint",
    id: endpointId,
    may_write_rules: false,
    may_take_rules: true,
    may_edit: true,
    must_prove_input: false,
  };
}
