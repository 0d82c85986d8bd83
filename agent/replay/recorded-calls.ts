// The calls of a recorded reply: what was asked of a person, what the answer was, and the result. Pure.
import type { LoggedEvent } from "../../protocol/events.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";

/** A person's answer to a call that asked. */
export interface RecordedAnswer {
  readonly confirmed: boolean;
  /** The JSON text that ran. */
  readonly input: string;
  readonly rules: readonly PermissionRule[];
  /** The reason of a denial. */
  readonly reason: string | null;
}

export interface RecordedCall {
  readonly reply_id: string;
  readonly id: string;
  readonly name: string;
  /** The JSON text as it was before a person edited it. */
  readonly input: string;
  /** The JSON text that ran. */
  readonly run_input: string;
  readonly was_asked: boolean;
  /** Null for a call that did not ask, or was not answered. */
  readonly answer: RecordedAnswer | null;
  /** Null for a call that got none. */
  readonly result: ToolResultBlock | null;
  /** The call was made: its result is a tool's answer, and no refusal of the platform or a person. */
  readonly has_run: boolean;
}

/**
 * The calls in the order in which they were made.
 * @param message The reply's message. @param events Those of the reply that are no deltas.
 */
export function recordedCalls(
  { id: reply_id, content }: Msg,
  events: Iterable<LoggedEvent>,
): readonly RecordedCall[] {
  const asked = new Map<string, string>();
  const answers = new Map<string, RecordedAnswer>();
  const allowed = new Set<string>();
  for (const event of events) {
    if (event.type === "REQUIRE_USER_CONFIRM") {
      for (const call of event.tool_calls) asked.set(call.id, call.input);
    } else if (event.type === "USER_CONFIRM_RESULT") {
      for (const { confirmed, tool_call, rules, reason: said } of event.confirm_results) {
        const reason = confirmed ? null : (said ?? reasonOf(event.metadata, tool_call.id));
        const given = { confirmed, input: tool_call.input, rules: rules ?? [], reason };
        answers.set(tool_call.id, given);
      }
    } else if (event.type === "TOOL_RESULT_START" && isAllowed(event.metadata)) {
      allowed.add(event.tool_call_id);
    }
  }
  const results = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block] as const] : [])),
  );
  return content.filter(isCall).map((call) => {
    const { id, name } = call;
    const answer = answers.get(id) ?? null;
    const result = results.get(id) ?? null;
    const mayRun = answer ? answer.confirmed : allowed.has(id);
    const isAnswered = result?.state === "success" || result?.state === "error";
    // The platform's own words, also where a person had confirmed the call.
    const isWithheld = result?.metadata["withheld"] === true;
    return {
      reply_id,
      id,
      name,
      input: asked.get(id) ?? call.input,
      run_input: call.input,
      was_asked: asked.has(id),
      answer,
      result,
      has_run: mayRun && isAnswered && !isWithheld,
    };
  });
}

/** Model calls of a reply that were answered or given up. */
export function countModelCalls(events: Iterable<LoggedEvent>): number {
  let count = 0;
  for (const { type } of events) if (type === "MODEL_CALL_END") count += 1;
  return count;
}

/** Whether a replay needs the event: it says what was asked, answered, allowed, or that a model was called. */
export function isReplayed(event: LoggedEvent): boolean {
  switch (event.type) {
    case "REQUIRE_USER_CONFIRM":
    case "USER_CONFIRM_RESULT":
    case "TOOL_RESULT_START":
    case "MODEL_CALL_END":
      return true;
    default:
      return false;
  }
}

function isCall(block: Msg["content"][number]): block is ToolCallBlock {
  return block.type === "tool_call";
}

function isAllowed(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
  const decision = metadata?.["decision"];
  if (typeof decision !== "object" || decision === null) return false;
  return (decision as { readonly behavior?: unknown }).behavior === "allow";
}

/** The reason in logs from before `confirm_results` had reasons. */
function reasonOf(
  metadata: Readonly<Record<string, unknown>> | undefined,
  id: string,
): string | null {
  const reasons = metadata?.["reasons"];
  if (typeof reasons !== "object" || reasons === null || !Object.hasOwn(reasons, id)) return null;
  const reason = (reasons as Readonly<Record<string, unknown>>)[id];
  return typeof reason === "string" ? reason : null;
}
