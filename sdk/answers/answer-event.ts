// Builds the events that answer waiting calls.
import type { TextOrDataBlockSchema } from "../../protocol/messages/blocks.ts";
import type {
  PostedConfirmationSchema,
  PostedEventInput,
  PostedExecutionSchema,
} from "../../protocol/events/contract.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { InputOf } from "../transport/input-of.ts";

/** A person's decision on a call. Defaults to approval. */
export interface ConfirmAnswer {
  /** Default true. */
  readonly confirmed?: boolean;
  /** Edited input that replaces the call's: JSON text, or an object. */
  readonly input?: string | object;
  /** Rules of the call's `suggested_rules` to add to the session: they decide similar calls from now on. */
  readonly rules?: readonly PermissionRule[];
  /** Why, in 2,000 characters at most. The model is told the reason of a denial; both are in the log of decisions. */
  readonly reason?: string;
}

type ToolText = string | readonly InputOf<typeof TextOrDataBlockSchema>[];

/** The output of an external tool: a text, content blocks, or either with a state. */
export type ToolOutput =
  | ToolText
  | {
      readonly output: ToolText;
      /** Default `success`. */
      readonly state?: "success" | "error";
      readonly metadata?: Readonly<Record<string, unknown>>;
    };

/** An event to post. */
export type AnswerEvent = Extract<PostedEventInput, { reply_id: string }>;

/** The event that answers these calls of one reply. The hash of each input goes back with its answer. */
export function confirmEvent(
  replyId: string,
  answers: readonly (readonly [PendingCall, ConfirmAnswer])[],
): InputOf<typeof PostedConfirmationSchema> {
  const hashes = answers.map(([call]) => [call.tool_call.id, call.input_hash ?? undefined]);
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id: replyId,
    metadata: { input_hashes: Object.fromEntries(hashes) },
    confirm_results: answers.map(([call, { confirmed = true, input, rules, reason }]) => ({
      confirmed,
      tool_call: {
        id: call.tool_call.id,
        input: typeof input === "object" ? JSON.stringify(input) : input,
      },
      rules: rules as PermissionRule[] | undefined,
      reason,
    })),
  } as InputOf<typeof PostedConfirmationSchema>;
}

/** The event with the results of these external calls of one reply. */
export function toolResultEvent(
  replyId: string,
  results: readonly (readonly [PendingCall, ToolOutput])[],
): InputOf<typeof PostedExecutionSchema> {
  return {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: replyId,
    execution_results: results.map(([call, result]) => ({
      id: call.tool_call.id,
      ...(typeof result === "object" && "output" in result ? result : { output: result }),
    })),
  } as InputOf<typeof PostedExecutionSchema>;
}
