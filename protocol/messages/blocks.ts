// Content blocks, the parts of a message. Unknown keys are dropped on input, except in thinking blocks, where providers
// store signatures.
import * as z from "zod";

import { currentTimestamp, generateId } from "./defaults.ts";
import { PermissionRuleSchema } from "./permission.ts";

const blockId = z.string().default(generateId);
const lifetime = {
  created_at: z.string().default(currentTimestamp),
  finished_at: z.string().nullable().default(null),
};

export const Base64SourceSchema = z
  .object({
    type: z.literal("base64"),
    data: z.string(),
    media_type: z.string(),
  })
  .meta({ id: "Base64Source", description: "Bytes, in the block itself." });
export type Base64Source = z.infer<typeof Base64SourceSchema>;

/**
 * `url` must be absolute and is normalised. Any scheme is accepted, because older logs contain any; requests are
 * validated by `protocol/files/media-blocks.ts`.
 */
export const UrlSourceSchema = z
  .object({
    type: z.literal("url"),
    url: z.url({ normalize: true }),
    media_type: z.string(),
  })
  .meta({ id: "UrlSource" });
export type UrlSource = z.infer<typeof UrlSourceSchema>;

export const TextBlockSchema = z
  .object({
    type: z.literal("text"),
    text: z.string(),
    id: blockId,
    ...lifetime,
  })
  .meta({ id: "TextBlock" });
export type TextBlock = z.infer<typeof TextBlockSchema>;

/** @public */
export const ThinkingBlockSchema = z
  .looseObject({
    type: z.literal("thinking"),
    thinking: z.string(),
    id: blockId,
    ...lifetime,
  })
  .meta({ id: "ThinkingBlock", only: "answer" });
export type ThinkingBlock = z.infer<typeof ThinkingBlockSchema>;

export const DataBlockSchema = z
  .object({
    type: z.literal("data"),
    id: blockId,
    source: z.discriminatedUnion("type", [Base64SourceSchema, UrlSourceSchema]),
    name: z.string().nullable().default(null),
    ...lifetime,
  })
  .meta({ id: "DataBlock" });
export type DataBlock = z.infer<typeof DataBlockSchema>;

/** The content of tool results and hints. */
export const TextOrDataBlockSchema = z
  .discriminatedUnion("type", [TextBlockSchema, DataBlockSchema])
  .meta({ id: "TextOrDataBlock", only: "answer" });
export type TextOrDataBlock = z.infer<typeof TextOrDataBlockSchema>;

/** @public */
export const HintBlockSchema = z
  .object({
    type: z.literal("hint"),
    hint: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
    id: blockId,
    source: z.string().nullable().default(null),
    created_at: lifetime.created_at,
    finished_at: z.string().nullable().default(currentTimestamp),
    /** Facts about the hint, such as the ids of the memories that it tells; left out when there are none. */
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    id: "HintBlock",
    only: "answer",
    description: "Text for the model that is not from the end user.",
  });
export type HintBlock = z.infer<typeof HintBlockSchema>;

/** @public */
export const ToolCallStateSchema = z.enum([
  "pending",
  "asking",
  "allowed",
  "submitted",
  "finished",
]);
export type ToolCallState = z.infer<typeof ToolCallStateSchema>;

/** `input` is the raw JSON text that the model wrote; it may be incomplete or invalid. */
export const ToolCallBlockSchema = z
  .object({
    type: z.literal("tool_call"),
    id: z.string(),
    name: z.string(),
    input: z.string(),
    state: ToolCallStateSchema.default("pending"),
    suggested_rules: z.array(PermissionRuleSchema).default([]),
    ...lifetime,
    /** The provider's proof of the thinking behind this call, one opaque string; most providers give none. */
    signature: z.string().optional(),
  })
  .meta({
    id: "ToolCallBlock",
    only: "answer",
    description: "A call that the model made. `input` is the JSON text that it wrote.",
  });
export type ToolCallBlock = z.infer<typeof ToolCallBlockSchema>;

export const ToolResultStateSchema = z.enum([
  "success",
  "error",
  "interrupted",
  "denied",
  "running",
]);
export type ToolResultState = z.infer<typeof ToolResultStateSchema>;

/** `id` is the id of the call that it answers. */
export const ToolResultBlockSchema = z
  .object({
    type: z.literal("tool_result"),
    id: z.string(),
    name: z.string(),
    output: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
    state: ToolResultStateSchema.default("running"),
    metadata: z.record(z.string(), z.unknown()).default({}),
    ...lifetime,
  })
  .meta({
    id: "ToolResultBlock",
    only: "answer",
    description: "The result of a call; its id is the call's.",
  });
export type ToolResultBlock = z.infer<typeof ToolResultBlockSchema>;

export const ContentBlockSchema = z
  .discriminatedUnion("type", [
    TextBlockSchema,
    ThinkingBlockSchema,
    DataBlockSchema,
    HintBlockSchema,
    ToolCallBlockSchema,
    ToolResultBlockSchema,
  ])
  .meta({ id: "ContentBlock", only: "answer", description: "What a message is made of." });
export type ContentBlock = z.infer<typeof ContentBlockSchema>;
/** The input type: ids, times and states are optional. */
export type ContentBlockInput = z.input<typeof ContentBlockSchema>;
export type ContentBlockType = ContentBlock["type"];
