// Translates the event log into the stream of AgentScope for Java. Pure: the output does not depend on where the stream
// is resumed.
import { appendEvent, startMessage } from "../fold/append-event.ts";
import type { ToolCallBlock } from "../messages/blocks.ts";
import type { AgentEvent, EventOf, LoggedEvent } from "../events.ts";
import { REQUEST_STOP, type StopRequest } from "../hooks/events.ts";
import type { Msg } from "../messages/messages.ts";
import type { EventTranslator } from "./event-translator.ts";
import type { GenerateReason } from "./generate-reason.ts";
import type { JsonObject } from "../json-object.ts";
import { JavaSubagents } from "./java-subagents.ts";
import { toToolUse } from "./to-agentscope-java-block.ts";
import { toJavaEvent, type JavaLogEvent } from "./to-java-event.ts";
import { toJavaMessage } from "./to-agentscope-java-message.ts";

const STOP_TEXTS = {
  PERMISSION_ASKING: "a person has to confirm a tool call",
  TOOL_SUSPENDED: "a tool runs outside",
  INTERRUPTED: "interrupted",
} as const satisfies Partial<Record<GenerateReason, string>>;
type StopReason = keyof typeof STOP_TEXTS;

/** One translator per reader. Its memory is the newest reply's message. Each event of the log becomes at least one. */
export function createJavaTranslator(): EventTranslator<JavaLogEvent> {
  let message: Msg | null = null;
  let iterations = 0;
  /** Tool names by call id. */
  let names = new Map<string, string>();
  /** Ids of the calls of the last model call. */
  let calls = new Set<string>();
  /** Stop reasons already sent since the reply last resumed. */
  let stops = new Set<StopReason>();
  let subagents = new JavaSubagents();
  /** The reason with which a hook has stopped the reply. */
  let requested: GenerateReason | null = null;

  function translate(event: LoggedEvent): readonly JavaLogEvent[] {
    advance(event);
    const toolCallName = (callId: string) => names.get(callId);
    const translated = toJavaEvent(event, { toolCallName, iterations });
    const { before, after } = companions(event);
    return [...before, null, ...after].map((companion, index) =>
      companion ? companionEvent(event, index + 1, companion) : translated,
    );
  }

  function advance(event: AgentEvent): void {
    if (event.type === "REPLY_START") {
      message = startMessage(event);
      iterations = 0;
      names = new Map();
      calls = new Set();
      stops = new Set();
      subagents = new JavaSubagents();
      requested = null;
      return;
    }
    if (event.reply_id === undefined) return;
    if (message) message = appendEvent(message, event);
    switch (event.type) {
      case "CUSTOM":
        if (event.name === REQUEST_STOP) requested = requestedReason(event) ?? requested;
        break;
      case "MODEL_CALL_START":
        calls = new Set();
        stops = new Set();
        break;
      case "MODEL_CALL_END":
        if (event.finished_reason === "completed") iterations += 1;
        break;
      case "TOOL_CALL_START":
        calls.add(event.tool_call_id);
        names.set(event.tool_call_id, event.tool_call_name);
        break;
      case "TOOL_RESULT_START":
        names.set(event.tool_call_id, event.tool_call_name);
        break;
      case "USER_CONFIRM_RESULT":
      case "EXTERNAL_EXECUTION_RESULT":
        stops = new Set();
        break;
      default:
    }
  }

  /** Additional Java events, before and after the translated one, for what Java reports separately. */
  function companions(event: AgentEvent): {
    readonly before: readonly JsonObject[];
    readonly after: readonly JsonObject[];
  } {
    switch (event.type) {
      case "REQUIRE_USER_CONFIRM":
        return { before: [], after: requestStop("PERMISSION_ASKING") };
      case "REQUIRE_EXTERNAL_EXECUTION":
        return { before: [], after: requestStop("TOOL_SUSPENDED") };
      case "TOOL_RESULT_END":
        return { before: [], after: allDenied(event) };
      case "CUSTOM":
        return { before: [], after: subagents.companions(event, (id) => names.get(id)) };
      case "REPLY_END": {
        const stop = event.finished_reason === "interrupted" ? requestStop("INTERRUPTED") : [];
        const result = message
          ? [{ type: "AGENT_RESULT", result: toJavaMessage(message, requested) }]
          : [];
        return { before: [...stop, ...result], after: [] };
      }
      default:
        return { before: [], after: [] };
    }
  }

  /** Sent once per reason, until the reply resumes. */
  function requestStop(generateReason: StopReason): readonly JsonObject[] {
    if (stops.has(generateReason)) return [];
    stops.add(generateReason);
    return [{ type: "REQUEST_STOP", reason: STOP_TEXTS[generateReason], generateReason }];
  }

  /** Sent with the result that completes the condition: every call of the model's turn was denied. */
  function allDenied(event: EventOf<"TOOL_RESULT_END">): readonly JsonObject[] {
    if (event.state !== "denied" || !calls.has(event.tool_call_id) || !message) return [];
    const denied = new Set(
      message.content.flatMap((block) =>
        block.type === "tool_result" && block.state === "denied" ? [block.id] : [],
      ),
    );
    const turn = message.content.filter(
      (block): block is ToolCallBlock => block.type === "tool_call" && calls.has(block.id),
    );
    if (!turn.every(({ id }) => denied.has(id))) return [];
    return [{ type: "ALL_TOOLS_DENIED", deniedToolCalls: turn.map(toToolUse) }];
  }

  return { translate };
}

function requestedReason({ value }: EventOf<"CUSTOM">): GenerateReason | null {
  const { generateReason } = value;
  return REQUESTED_REASONS.find((reason) => reason === generateReason) ?? null;
}

const REQUESTED_REASONS: readonly StopRequest[] = [
  "REASONING_STOP_REQUESTED",
  "ACTING_STOP_REQUESTED",
  "MIDDLEWARE_STOP_REQUESTED",
];

/** @param index Its position among the events of this seq, from 1. */
function companionEvent(event: AgentEvent, index: number, members: JsonObject): JavaLogEvent {
  return {
    id: `${event.id}.${index}`,
    createdAt: event.created_at,
    type: String(members["type"]),
    ...(event.reply_id !== undefined && { replyId: event.reply_id }),
    ...members,
  };
}
