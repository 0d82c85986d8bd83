import { voiceUrl, type VoiceOpening } from "../../durable-objects/api/voice-request.ts";
import { INPUT_EVENT_RIGHTS } from "../../protocol/events/contract.ts";
import { VoiceQuerySchema } from "../../protocol/voice/open-query.ts";
import { REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { RouteHandler } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { isHandedOut, mayConfirm, type Principal, readerOf } from "../principal.ts";
import { asksForSocket, fetchSocket, requireSubprotocol } from "../requests/upgrade.ts";
import { readQuery } from "../requests/read-query.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { requireRead } from "../sessions/shown-reply.ts";

const NO_UPGRADE = `a voice connection is a WebSocket: send \`Upgrade: websocket\`, and ${REALTIME_PROTOCOL} as its subprotocol`;

/** The client's socket. It shows the session's events, so that speaking needs the right to read. */
const openVoice: RouteHandler = async (context) => {
  const { format } = readQuery(context, VoiceQuerySchema);
  if (!asksForSocket(context)) {
    // As at every path of a session: another tenant's is not found.
    await actOnSession(context, "read");
    throw new HttpError("upgrade_required", NO_UPGRADE, { headers: { Upgrade: "websocket" } });
  }
  requireSubprotocol(context);
  const principal = context.get("principal");
  requireRead(principal);
  const opening: VoiceOpening = {
    actor: actorOf(principal),
    rights: {
      may_confirm: mayConfirm(principal),
      may_give_results: mayPost(principal, "EXTERNAL_EXECUTION_RESULT"),
      may_interrupt: mayPost(principal, "USER_INTERRUPT"),
      may_configure: principal.kind === "tenant",
    },
    format,
    reader: readerOf(context),
  };
  return unwrap(await fetchSocket(context, pathSessionStub(context), voiceUrl(opening)));
};

function mayPost(principal: Principal, type: keyof typeof INPUT_EVENT_RIGHTS): boolean {
  const { scope, verb } = INPUT_EVENT_RIGHTS[type];
  if (isHandedOut(principal) || principal.kind === "end_user")
    return principal.verbs.includes(verb);
  return principal.kind === "tenant" && principal.scopes.includes(scope);
}

export const voiceRoutes = { openVoice };
