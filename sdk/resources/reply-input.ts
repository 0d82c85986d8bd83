// Input of a reply, with message ids that make retries idempotent.
import type { ReplyModelOptions } from "../../protocol/models/model-options.ts";
import type { InputMessageSchema, ReplyCreateSchema } from "../../protocol/replies/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ContentBlockInput } from "../../protocol/messages/blocks.ts";
import type { InputOf } from "../transport/input-of.ts";
import { randomId } from "../transport/random-id.ts";

/** A message as the API accepts it; `UserMsg(…)` creates a complete one. */
export type MessageInput = InputOf<typeof InputMessageSchema>;

/** A JSON Schema of an object. The result is in the message's `structured_output`. */
export type StructuredSchema = NonNullable<InputOf<typeof ReplyCreateSchema>["structured_schema"]>;

type TextOrDataInput = Extract<ContentBlockInput, { type: "text" | "data" }>;

/** A text, the blocks of one message, a message, or several. */
export type ReplyInput =
  | string
  | readonly TextOrDataInput[]
  | MessageInput
  | Msg
  | readonly (MessageInput | Msg)[];

export interface ReplyRequestOptions {
  /** Handling of this request while another reply runs or waits; default `reject`. */
  readonly onBusy?: "reject" | "queue" | "interrupt";
  /** Output schema of the reply; null for plain text where the agent has a default schema. */
  readonly structuredSchema?: StructuredSchema | null;
  /** The name of one of the agent's models. */
  readonly model?: string;
  /** Such as `temperature` and `max_tokens`. */
  readonly parameters?: ReplyModelOptions["parameters"];
  /** Choice of the tools that the model may or has to call. */
  readonly toolChoice?: ReplyModelOptions["tool_choice"];
  /** False: at most one call in a turn. */
  readonly parallelToolCalls?: boolean;
  readonly reasoningEffort?: ReplyModelOptions["reasoning_effort"];
}

/** Request body that starts a reply; its messages have ids. */
export type ReplyBody = Pick<
  InputOf<typeof ReplyCreateSchema>,
  "input" | "on_busy" | "structured_schema" | keyof ReplyModelOptions
>;

export function toReplyBody(
  input: ReplyInput,
  {
    onBusy,
    structuredSchema,
    model,
    parameters,
    toolChoice,
    parallelToolCalls,
    reasoningEffort,
  }: ReplyRequestOptions,
): ReplyBody {
  return {
    input: withMessageIds(input),
    on_busy: onBusy,
    structured_schema: structuredSchema,
    model,
    parameters,
    tool_choice: toolChoice,
    parallel_tool_calls: parallelToolCalls,
    reasoning_effort: reasoningEffort,
  };
}

/**
 * The messages of an input, each with an id. For a message id that it knows the platform returns the reply that this
 * message started, so a request can be retried without starting another reply.
 */
export function withMessageIds(input: ReplyInput): InputOf<typeof ReplyCreateSchema>["input"] {
  if (typeof input === "string") return withId({ content: input });
  if (!Array.isArray(input)) return withId(input as MessageInput);
  if (input.every(isBlock)) return withId({ content: [...input] });
  return (input as readonly MessageInput[]).map(withId);
}

function withId(message: MessageInput): MessageInput {
  return { ...message, id: message.id ?? randomId("msg") };
}

function isBlock(item: object): item is TextOrDataInput {
  return "type" in item && !("role" in item);
}
