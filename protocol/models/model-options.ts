// Options that one reply may set for its model calls.
import * as z from "zod";

import type { EventOf } from "../events.ts";
import { MAX_CALL_TOKENS, MAX_STOP_TEXTS } from "./limits.ts";

/** From none to as much as the model can. A provider that knows fewer steps gets the nearest one. @public */
export const ReasoningEffortSchema = z.enum([
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
]);
export type ReasoningEffort = z.infer<typeof ReasoningEffortSchema>;

/** By one name for all providers; each gets those that it knows, under its own name. */
const ModelParametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  /** Output tokens of one model call. */
  max_tokens: z.number().int().min(1).max(MAX_CALL_TOKENS).optional(),
  /** Texts at which the model stops. */
  stop: z.array(z.string().min(1).max(256)).min(1).max(MAX_STOP_TEXTS).readonly().optional(),
  seed: z.number().int().optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
});

/**
 * The tools that the model may or has to call. `required` and a name hold until the reply has made a call, since with
 * them it would never end; `auto` and `none` hold throughout.
 */
export const ToolChoiceSchema = z.union([
  z.enum(["auto", "none", "required"]),
  z.strictObject({ name: z.string().min(1).max(64) }),
]);
export type ToolChoice = z.infer<typeof ToolChoiceSchema>;

/** The members of a request. */
export const modelOptions = {
  /** The name of one of the agent's models: its own, an allowed one, or a fallback. */
  model: z.string().min(1).max(256).optional(),
  parameters: ModelParametersSchema.optional(),
  tool_choice: ToolChoiceSchema.optional(),
  /** False: at most one call in a turn. The provider decides when left out. */
  parallel_tool_calls: z.boolean().optional(),
  reasoning_effort: ReasoningEffortSchema.optional(),
};

export const ReplyModelOptionsSchema = z.strictObject(modelOptions);
/** As a reply keeps them. */
export type ReplyModelOptions = z.infer<typeof ReplyModelOptionsSchema>;

/** The options among the members of a request; undefined when it sets none. */
export function pickModelOptions(request: ReplyModelOptions): ReplyModelOptions | undefined {
  const { model, parameters, tool_choice, parallel_tool_calls, reasoning_effort } = request;
  const options = { model, parameters, tool_choice, parallel_tool_calls, reasoning_effort };
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** Metadata of the `REPLY_START` of a reply with these options. */
export function modelOptionsMetadata(model_options: ReplyModelOptions): Record<string, unknown> {
  return { model_options };
}

/** The options of a reply, or null when it has none. */
export function modelOptionsOf(start: EventOf<"REPLY_START">): ReplyModelOptions | null {
  const parsed = ReplyModelOptionsSchema.safeParse(start.metadata["model_options"]);
  return parsed.success ? parsed.data : null;
}
