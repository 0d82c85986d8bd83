// The tool with which the model changes the state that it shares with the app. The change is in the same commit as the
// call's result, so that a crash leaves both or neither.
import { JsonPatchSchema } from "../../protocol/shared-state/contract.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_SHARED_STATE_BYTES } from "../../protocol/shared-state/limits.ts";
import {
  SHARED_STATE_UPDATED,
  UPDATE_SHARED_STATE_TOOL,
} from "../../protocol/shared-state/events.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import { describeIssue } from "../../protocol/words/describe-issue.ts";
import type { Settlement } from "../ability.ts";
import { applyPatch } from "../json/apply-patch.ts";
import type { ToolDeclaration } from "../ports.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { isSameJson } from "../json/is-same-json.ts";
import type { SharedStateAccess } from "./shared-state-access.ts";

/**
 * Read-only, so that no confirmation is needed: it changes nothing outside the session. Not concurrency-safe: patches
 * apply in order.
 */
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

/** Applies an allowed call to the current state. */
export function updateSharedState(
  { message }: ReplyState,
  input: unknown,
  sharedState: SharedStateAccess,
): Settlement {
  const { value, ...settlement } = readChange(input, sharedState);
  return value ? { ...settlement, events: [updated(message.id, value)] } : settlement;
}

interface Change extends Pick<Settlement, "text" | "isError"> {
  /** Left out when the patch changes nothing. */
  readonly value?: Readonly<Record<string, unknown>>;
}

function readChange(input: unknown, sharedState: SharedStateAccess): Change {
  const { state, version } = sharedState.read();
  const parsed = JsonPatchSchema.safeParse((input as { patch: unknown }).patch, {
    error: describeIssue,
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue ? `/${issue.path.map(String).join("/")}: ${issue.message}` : "";
    return { text: `This is not a valid JSON Patch. ${place}`.trim(), isError: true };
  }
  const outcome = applyPatch(state, parsed.data, sharedState.schema);
  if (!outcome.ok) {
    const place = outcome.operation === null ? "" : ` Operation ${outcome.operation}:`;
    const text = `Nothing was changed.${place} ${outcome.detail}. The state is at version ${version}.`;
    return { text, isError: true };
  }
  if (isSameJson(state, outcome.state)) {
    return { text: `The state has this value already, at version ${version}.` };
  }
  return {
    text: `The state is at version ${version + 1} now.`,
    value: stateChange(parsed.data, version + 1),
  };
}

/** The `value` of the event, without `test` operations: they have passed and change nothing. */
export function stateChange(
  patch: readonly PatchOperation[],
  version: number,
): Readonly<Record<string, unknown>> {
  return { patch: patch.filter(({ op }) => op !== "test"), version };
}

function updated(reply_id: string, value: Readonly<Record<string, unknown>>): EventDraft {
  return { type: "CUSTOM", name: SHARED_STATE_UPDATED, reply_id, value };
}
