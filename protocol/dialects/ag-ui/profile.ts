// The profiles of the dialect: AG-UI 1.0, and what released clients of before it take. A profile is chosen by a
// request and changes how its answer is written; the log, the runs and the frames' ids are the same in all of them.
import { NEWEST_PROFILE, type AgUiProfile } from "../../ag-ui/ag-ui-profile.ts";
import type { AgUiEvent, AgUiFrame, AgUiInterrupt, AgUiOutcome, AgUiUsage } from "./wire/events.ts";
import type { AgUiMessage } from "./wire/messages.ts";
import type { AgUiContentPart } from "./wire/to-content-part.ts";

/**
 * Pure. The frames that the profile has, with the positions that they have in every profile: a frame that it leaves out
 * is a gap in the numbers `k`.
 *
 * In the profile 0.0 that is the snapshot directly before an interrupt. Its reader has received every message of the
 * run, and clients of the time discard what they show about open calls when a snapshot arrives. What a called agent says
 * and does is not in it either: the agent is a step.
 */
export function framesInProfile(
  profile: AgUiProfile,
  frames: readonly AgUiFrame[],
): readonly AgUiFrame[] {
  if (profile === NEWEST_PROFILE) return frames;
  return frames.flatMap((frame, index) => {
    const next = frames[index + 1]?.event;
    const isBeforeInterrupt = frame.event.type === "MESSAGES_SNAPSHOT" && isInterrupt(next);
    const event = isBeforeInterrupt ? null : eventInProfile(profile, frame.event);
    return event ? [{ ...frame, event }] : [];
  });
}

/** Pure. The event as the profile writes it; null for one that it leaves out. */
export function eventInProfile(profile: AgUiProfile, event: AgUiEvent): AgUiEvent | null {
  if (profile === NEWEST_PROFILE) return event;
  const { timestamp, rawEvent } = event;
  const common = { ...(timestamp !== undefined && { timestamp }), ...(rawEvent && { rawEvent }) };
  switch (event.type) {
    case "SUBAGENT_STARTED":
      return { type: "STEP_STARTED", stepName: stepOf(event), ...common };
    case "SUBAGENT_FINISHED":
    case "SUBAGENT_ERROR":
      return { type: "STEP_FINISHED", stepName: stepOf(event), ...common };
    case "RUN_STARTED": {
      const { protocolVersion: _, input, ...started } = event;
      if (!input) return started;
      return { ...started, input: { ...input, messages: input.messages.map(plainMessage) } };
    }
    case "RUN_FINISHED": {
      const { outcome, usage, ...finished } = event;
      return { ...finished, ...plainOutcome(outcome), ...plainUsage(usage) };
    }
    case "RUN_ERROR": {
      const { usage, ...failed } = event;
      return { ...failed, ...plainUsage(usage) };
    }
    case "TOOL_CALL_RESULT":
      return isCalled(event) ? null : { ...event, content: plainContent(event.content) };
    case "MESSAGES_SNAPSHOT": {
      const own = event.messages.filter((message) => !isCalled(message));
      return { ...event, messages: own.map(plainMessage) };
    }
    default:
      return isCalled(event) ? null : event;
  }
}

/** The step of a called agent; the name of one agent may be open twice. */
function stepOf({ subagentRunId }: { readonly subagentRunId: string }): string {
  return `agent:${subagentRunId}`;
}

/** Whether a called agent has said or done it. */
function isCalled(told: object): boolean {
  return "subagentRunId" in told;
}

/** Pure. The message as the profile writes it. */
export function messageInProfile(profile: AgUiProfile, message: AgUiMessage): AgUiMessage {
  return profile === NEWEST_PROFILE ? message : plainMessage(message);
}

function isInterrupt(event: AgUiEvent | undefined): boolean {
  return event?.type === "RUN_FINISHED" && event.outcome?.type === "interrupt";
}

/**
 * `success` without the pending calls, which clients find themselves: they have no result. A cancelled run has no
 * outcome: there are two, and it is neither.
 */
function plainOutcome(outcome: AgUiOutcome | undefined): { readonly outcome?: AgUiOutcome } {
  switch (outcome?.type) {
    case "success":
      return { outcome: { type: "success" } };
    case "interrupt":
      return { outcome: { ...outcome, interrupts: outcome.interrupts.map(plainInterrupt) } };
    default:
      return {};
  }
}

/** The question of a called agent is one about the call that it works for: its own calls are not told. */
function plainInterrupt({ subagentRunId, ...interrupt }: AgUiInterrupt): AgUiInterrupt {
  const { callId } = interrupt.metadata["agentscope"] as { readonly callId?: unknown };
  return subagentRunId !== undefined && typeof callId === "string"
    ? { ...interrupt, toolCallId: callId }
    : interrupt;
}

/** Without the tokens written to a provider's cache, which the parser drops. */
function plainUsage(usage: readonly AgUiUsage[] | undefined): {
  readonly usage?: readonly AgUiUsage[];
} {
  return usage ? { usage: usage.map(({ cacheWriteInputTokens: _, ...counted }) => counted) } : {};
}

function plainMessage(message: AgUiMessage): AgUiMessage {
  return message.role === "tool" ? { ...message, content: plainContent(message.content) } : message;
}

/** A result is a string: one with pictures or files is the JSON of its parts. */
function plainContent(content: string | readonly AgUiContentPart[]): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
