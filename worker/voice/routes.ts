import { voiceUrl, type VoiceOpening } from "../../durable-objects/api/voice-request.ts";
import { VoiceQuerySchema } from "../../protocol/voice/open-query.ts";
import { REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { RouteHandler } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { readerOf } from "../principal.ts";
import { asksForSocket, fetchSocket, requireSubprotocol } from "../requests/upgrade.ts";
import { readQuery } from "../requests/read-query.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { requireRead } from "../sessions/shown-reply.ts";
import { voiceRightsOf } from "./voice-rights.ts";

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
    rights: voiceRightsOf(principal),
    format,
    reader: readerOf(context),
  };
  return unwrap(await fetchSocket(context, pathSessionStub(context), voiceUrl(opening)));
};

export const voiceRoutes = { openVoice };
