// The calls that a run waits for, as AG-UI's interrupts.
import type { ToolCallBlock } from "../../blocks.ts";
import type { EventOf } from "../../events.ts";
import type { AgUiInterrupt } from "./events.ts";

export type Announcement = EventOf<"REQUIRE_USER_CONFIRM" | "REQUIRE_EXTERNAL_EXECUTION">;

/** The calls of one reply that somebody was asked for, with what was said about them. */
type Announcements = ReadonlyMap<string, Announcement>;

const ANSWER_TO_CALL = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    editedArgs: { type: "object" },
    rules: { type: "array", items: { type: "object" } },
  },
  required: ["approved"],
} as const;

/** @param waiting Calls that ask or are outside. */
export function toInterrupts(
  replyId: string,
  waiting: readonly ToolCallBlock[],
  announcements: Announcements,
): AgUiInterrupt[] {
  return waiting.map((call) => {
    const metadata = announcements.get(call.id)?.metadata ?? {};
    const expiresAt = ofCall(metadata["expires_at"], call.id);
    const base = {
      id: `${replyId}:${call.id}`,
      toolCallId: call.id,
      ...(expiresAt !== undefined && { expiresAt }),
    };
    if (call.state === "submitted") {
      return {
        ...base,
        reason: "agentscope:external_execution",
        message: `The result of ${call.name} is awaited.`,
        metadata: { agentscope: { kind: "external_execution", replyId } },
      };
    }
    const inputHash = ofCall(metadata["input_hashes"], call.id);
    return {
      ...base,
      reason: "tool_call",
      message: ofCall(metadata["reasons"], call.id) ?? `May ${call.name} be called?`,
      responseSchema: ANSWER_TO_CALL,
      metadata: {
        agentscope: {
          kind: "user_confirm",
          replyId,
          suggestedRules: call.suggested_rules,
          ...(inputHash !== undefined && { inputHash }),
        },
      },
    };
  });
}

/** A record by call id, as the announcements carry them. */
function ofCall(record: unknown, callId: string): string | undefined {
  if (!record || typeof record !== "object" || !Object.hasOwn(record, callId)) return undefined;
  const value = (record as Record<string, unknown>)[callId];
  return typeof value === "string" ? value : undefined;
}
