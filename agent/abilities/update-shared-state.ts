// The tool with which a model changes the state that it shares with the app. The loop makes the change itself: it
// stands in the commit of the call's result, so that a crash leaves both or neither.
import { JsonPatchSchema } from "../../protocol/api/shared-state.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_SHARED_STATE_BYTES } from "../../protocol/limits/shared-state.ts";
import {
  SHARED_STATE_UPDATED,
  UPDATE_SHARED_STATE_TOOL,
  type PatchOperation,
} from "../../protocol/shared-state.ts";
import { applyPatch } from "../json/apply-patch.ts";
import type { SharedState, ToolDeclaration } from "../ports.ts";
import { startOfResult, type DecisionRecord } from "../tool-call/refused-result.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { resultMetadata } from "../state/result-metadata.ts";
import { isSameJson } from "../json/is-same-json.ts";

/** Let through without asking, as it touches nothing outside the session; one at a time, as patches have an order. */
export const SHARED_STATE_TOOL: ToolDeclaration = {
  name: UPDATE_SHARED_STATE_TOOL,
  description: `Changes the state that you share with the app, by a JSON Patch (RFC 6902). The state is a JSON object, {} before it is first changed, of ${MAX_SHARED_STATE_BYTES} bytes at most. Either all operations are applied or none.`,
  input_schema: {
    type: "object",
    properties: {
      patch: {
        type: "array",
        items: {
          type: "object",
          properties: {
            op: { enum: ["add", "remove", "replace", "move", "copy", "test"] },
            path: { type: "string", description: "JSON pointer, such as /items/0 or /items/-" },
            from: { type: "string", description: "JSON pointer, for move and copy" },
            value: { description: "For add, replace and test" },
          },
          required: ["op", "path"],
        },
      },
    },
    required: ["patch"],
  },
  read_only: true,
  concurrency_safe: false,
  idempotent: true,
};

/** Whether this call is the tool's: only of an agent that was given it. */
export function isSharedStateCall(
  call: Pick<ToolCallBlock, "name">,
  sharedState: SharedState,
): boolean {
  return sharedState.isWritable && call.name === UPDATE_SHARED_STATE_TOOL;
}

/** The whole result of a call that was let through, with the change that it makes: one append. */
export function sharedStateResult(
  state: ReplyState,
  call: ToolCallBlock,
  run: { readonly input: unknown; readonly decision: DecisionRecord | null },
  sharedState: SharedState,
): EventDraft[] {
  const reply_id = state.message.id;
  const target = { reply_id, tool_call_id: call.id };
  const change = readChange(run.input, sharedState);
  return [
    startOfResult(state, call, run.decision),
    ...(change.value ? [updated(reply_id, change.value)] : []),
    { type: "TOOL_RESULT_TEXT_DELTA", ...target, delta: change.text },
    {
      type: "TOOL_RESULT_END",
      ...target,
      state: change.isError ? "error" : "success",
      metadata: resultMetadata(state, call.id),
    },
  ];
}

interface Change {
  /** For the model. */
  readonly text: string;
  readonly isError?: true;
  /** Left out when nothing changes. */
  readonly value?: Readonly<Record<string, unknown>>;
}

function readChange(input: unknown, sharedState: SharedState): Change {
  const { state, version } = sharedState.read();
  const parsed = JsonPatchSchema.safeParse((input as { patch: unknown }).patch);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue ? `/${issue.path.map(String).join("/")}: ${issue.message}` : "";
    return { text: `This is no JSON Patch that can be applied. ${place}`.trim(), isError: true };
  }
  const outcome = applyPatch(state, parsed.data, sharedState.schema);
  if (!outcome.ok) {
    const place = outcome.operation === null ? "" : ` Operation ${outcome.operation}:`;
    const text = `Nothing was changed.${place} ${outcome.detail}. The state is at version ${version}.`;
    return { text, isError: true };
  }
  if (isSameJson(state, outcome.state)) {
    return { text: `The state is like that already, at version ${version}.` };
  }
  return {
    text: `The state is at version ${version + 1} now.`,
    value: stateChange(parsed.data, version + 1),
  };
}

/** The `value` of the event. Tests have passed, and change nothing. */
export function stateChange(
  patch: readonly PatchOperation[],
  version: number,
): Readonly<Record<string, unknown>> {
  return { patch: patch.filter(({ op }) => op !== "test"), version };
}

function updated(reply_id: string, value: Readonly<Record<string, unknown>>): EventDraft {
  return { type: "CUSTOM", name: SHARED_STATE_UPDATED, reply_id, value };
}
