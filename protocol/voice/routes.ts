// The voice of agents: words of its part of a definition, and the route of voice connections.
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { VoiceQuerySchema } from "./open-query.ts";
import { REALTIME_PROTOCOL } from "./sockets.ts";
import { VOICE_WORDS } from "./words.ts";

const VOICE_ROUTES = [
  {
    name: "openVoice",
    method: "GET",
    path: "/v1/sessions/{session_id}/realtime",
    access: "replies:write",
    verb: "speak",
    subprotocol: REALTIME_PROTOCOL,
    query: VoiceQuerySchema,
    queryDescriptions: {
      format:
        "`agentscope` has the frames of the platform, with events of the log; `agentscope-realtime` the events of AgentScope's realtime agents, without a subprotocol and without `start`.",
    },
    body: "none",
    tag: "Replies",
    summary: "Talk to the agent",
    description: [
      "A WebSocket with the subprotocol `reprise.realtime.v1`; a browser adds its stream ticket as the subprotocol",
      "`reprise.ticket.<ticket>`. The first frame is `start`; then audio and frames go both ways, and the session's events come",
      "along. The credential needs the right to read as well. An upgrade that is refused is opened, and closed with the code of",
      "the error. The newest connection of a session closes the one before.",
    ].join(" "),
    answers: { 101: { description: "The WebSocket." } },
    // Errors of the connection itself come in frames and closes.
    errors: ["upgrade_required", "validation_failed"],
  },
] as const satisfies readonly DocumentedRoute[];

export const VOICE_CONTRACT = {
  routes: VOICE_ROUTES,
  fields: VOICE_WORDS,
} as const satisfies Contract;
