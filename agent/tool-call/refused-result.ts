// The result of a call that did not run: its three events, from START to END.
import type { ToolCallBlock, ToolResultState } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { UntrustedSource } from "../../protocol/messages/untrusted-content.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";

/** The platform's own decision, as `TOOL_RESULT_START.metadata.decision` records it. */
export interface DecisionRecord {
  readonly behavior: "allow" | "deny";
  readonly reason: string | null;
  /** The rule that decided; null when the tool or the mode did. */
  readonly rule: PermissionRule | null;
}

export interface CallRefusal {
  readonly state: Extract<ToolResultState, "error" | "denied">;
  /** A text for the model: why, or what to do differently. */
  readonly text: string;
  /** Null when a person decided, or no decision was needed. */
  readonly decision: DecisionRecord | null;
  /** Why a person denied it, as they said it; for the END's metadata. */
  readonly denial_reason?: string;
  /** Whether its tool is not there at the moment; for the END's metadata. */
  readonly withheld?: true;
}

/** The events of a result that has not begun. */
export function refusedResult(
  state: ReplyState,
  call: ToolCallBlock,
  { denial_reason, withheld, ...refusal }: CallRefusal,
): EventDraft[] {
  const target = { reply_id: state.message.id, tool_call_id: call.id };
  return [
    startOfResult(state, call, refusal.decision),
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: refusal.text },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: refusal.state,
      metadata: {
        ...resultMetadata(state, call.id),
        ...(denial_reason !== undefined && { denial_reason }),
        ...(withheld && { withheld }),
      },
    },
  ];
}

/** @param untrusted Where content that is not trusted is from; null for a result that is. */
export function startOfResult(
  { message }: ReplyState,
  call: ToolCallBlock,
  decision: DecisionRecord | null,
  untrusted: UntrustedSource | null = null,
): EventDraft {
  const metadata = { ...(decision && { decision }), ...(untrusted && { untrusted }) };
  return {
    type: "TOOL_RESULT_START",
    reply_id: message.id,
    tool_call_id: call.id,
    tool_call_name: call.name,
    ...((decision || untrusted) && { metadata }),
  };
}
