import type { RunAgentInput } from "../../protocol/ag-ui/contract.ts";
import { profileOf } from "../../protocol/ag-ui/ag-ui-profile.ts";
import { RUN_REFUSALS } from "../../protocol/ag-ui/run-refusals.ts";
import {
  AG_UI_PROTOCOL_VERSION,
  type AgUiEvent,
} from "../../protocol/dialects/ag-ui/wire/events.ts";
import { eventInProfile } from "../../protocol/dialects/ag-ui/profile.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { encodeFrame } from "../../protocol/sse.ts";
import { EVENT_STREAM_HEADERS } from "../sessions/event-stream.ts";

export function isRunRefusal({ code }: Refusal): boolean {
  return RUN_REFUSALS.includes(code);
}

interface RefusedAnswer {
  /** The end of the session's log: the id of each frame, after which its events continue. */
  readonly cursor: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The AG-UI stream of a run that fails before it starts: RUN_STARTED and RUN_ERROR. It is not in the log. */
export function refusedRun(
  { threadId, runId, parentRunId, protocolVersion }: RunAgentInput,
  { code, detail }: Refusal,
  { cursor, headers }: RefusedAnswer,
): Response {
  const timestamp = Date.now();
  const events: readonly AgUiEvent[] = [
    {
      type: "RUN_STARTED",
      threadId,
      runId,
      ...(parentRunId != null && { parentRunId }),
      protocolVersion: AG_UI_PROTOCOL_VERSION,
      timestamp,
    },
    { type: "RUN_ERROR", message: detail, code, timestamp },
  ];
  const profile = profileOf(protocolVersion);
  const frames = events
    .flatMap((event) => eventInProfile(profile, event) ?? [])
    .map((event) => encodeFrame(cursor, event.type, JSON.stringify(event)));
  return new Response(frames.join(""), { headers: { ...headers, ...EVENT_STREAM_HEADERS } });
}
