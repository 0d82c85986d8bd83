// The 19 events that a client of AgentScope's realtime agents is sent. No zod: clients use them as types.
import { ERRORS, type ErrorCode } from "../../errors.ts";
import type { JsonObject } from "../../json-object.ts";

/** The names of the event that carries the agent's audio: one a client, so that nothing is played twice. */
export const AUDIO_EVENTS = ["agent_response_audio_delta", "response_audio_delta"] as const;
export type AudioEventType = (typeof AUDIO_EVENTS)[number];

interface Agent {
  readonly agent_id: string;
  readonly agent_name: string;
}
interface OfResponse extends Agent {
  readonly response_id: string;
}
interface OfItem extends OfResponse {
  readonly item_id: string;
}

interface RealtimeToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  /** Empty until the call is complete. */
  readonly input: JsonObject;
  /** The text of the input so far. */
  readonly raw_input: string;
}

export type RealtimeOutputBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "video" | "data";
      readonly source:
        | { readonly type: "url"; readonly url: string; readonly media_type: string }
        | { readonly type: "base64"; readonly data: string; readonly media_type: string };
    };

export interface RealtimeToolResult {
  readonly type: "tool_result";
  readonly id: string;
  readonly name: string;
  readonly output: readonly RealtimeOutputBlock[];
}

export type RealtimeServerEvent =
  | {
      readonly type: "server_session_created" | "server_session_updated" | "server_session_ended";
      readonly session_id: string;
    }
  | ({ readonly type: "agent_ready" | "agent_ended" } & Agent)
  | ({ readonly type: "agent_response_created" } & OfResponse)
  | ({
      readonly type: "agent_response_done";
      readonly input_tokens: number;
      readonly output_tokens: number;
      readonly metadata: Readonly<Record<string, string>>;
    } & OfResponse)
  | ({
      readonly type: AudioEventType;
      /** Base64 of PCM16LE, one channel. */
      readonly delta: string;
      readonly format: { readonly type: "audio/pcm"; readonly rate: number };
    } & OfItem)
  | ({
      readonly type: "agent_response_audio_done" | "agent_response_audio_transcript_done";
    } & OfItem)
  | ({ readonly type: "agent_response_audio_transcript_delta"; readonly delta: string } & OfItem)
  | ({
      readonly type: "agent_response_tool_use_delta" | "agent_response_tool_use_done";
      readonly tool_use: RealtimeToolUse;
    } & OfItem)
  | ({
      readonly type: "agent_response_tool_result";
      readonly tool_result: RealtimeToolResult;
    } & Agent)
  | ({
      readonly type: "agent_input_started";
      readonly item_id: string;
      readonly audio_start_ms: number;
    } & Agent)
  | ({
      readonly type: "agent_input_done";
      readonly item_id: string;
      readonly audio_end_ms: number;
    } & Agent)
  | ({
      readonly type: "agent_input_transcription_delta";
      readonly item_id: string;
      readonly delta: string;
    } & Agent)
  | ({
      readonly type: "agent_input_transcription_done";
      readonly item_id: string;
      readonly transcript: string;
      readonly input_tokens: number | null;
      readonly output_tokens: number | null;
    } & Agent)
  | ({
      readonly type: "agent_error";
      readonly error_type: "invalid_request_error" | "server_error";
      readonly code: string;
      readonly message: string;
    } & Agent);

/** Facts of a connection in this dialect that its socket keeps, also while its object sleeps. */
export interface RealtimeConnection {
  readonly session_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** The client has been told that its session is there. */
  readonly has_session: boolean;
  readonly audio_event: AudioEventType;
  /** The client has named that event; else the form of its own audio says it. */
  readonly is_audio_chosen: boolean;
  /** Added to those of the agent for what is said over this connection. */
  readonly instructions: string | null;
  /** The response that is open, by the seq of its model call; null for none. */
  readonly open: { readonly reply_id: string; readonly seq: number } | null;
}

type AgentOfConnection = Pick<RealtimeConnection, "agent_id" | "agent_name">;

export function agentOf({ agent_id, agent_name }: AgentOfConnection): AgentOfConnection {
  return { agent_id, agent_name };
}

/** An error of ours. */
export function agentError(
  agent: AgentOfConnection,
  { code, detail }: { readonly code: ErrorCode; readonly detail: string },
): RealtimeServerEvent {
  const error_type = ERRORS[code].status < 500 ? "invalid_request_error" : "server_error";
  return { type: "agent_error", ...agentOf(agent), error_type, code, message: detail };
}

/** The last events of a connection. @param refusal The error with which it is closed; null for an end that was asked for. */
export function lastEvents(
  connection: RealtimeConnection,
  refusal: { readonly code: ErrorCode; readonly detail: string } | null,
): readonly RealtimeServerEvent[] {
  const { session_id, has_session } = connection;
  const agent = agentOf(connection);
  return [
    ...(refusal ? [agentError(agent, refusal)] : []),
    { type: "agent_ended", ...agent },
    ...(has_session ? [{ type: "server_session_ended", session_id } as const] : []),
  ];
}

/** The error of an upgrade that was refused, where no agent is known. */
export function refusedUpgrade(refusal: {
  readonly code: ErrorCode;
  readonly detail: string;
}): RealtimeServerEvent {
  return agentError({ agent_id: "", agent_name: "" }, refusal);
}
