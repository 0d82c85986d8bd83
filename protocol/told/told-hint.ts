// Hints of tools and hooks: blocks that the model reads from its next call on. Nobody vouches for what they say.
import * as z from "zod";

import type { EventDraft } from "../events.ts";
import { TextOrMediaBlockSchema } from "../files/media-blocks.ts";
import { putRight } from "../put-right.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { TOLD_BY, type Teller } from "./events.ts";
import { MAX_HINT_BLOCKS, MAX_TOLD_EVENT_BYTES, MAX_TOLD_NAME_CHARACTERS } from "./limits.ts";

/** The part of a hint's source that its teller chooses; what tells it comes before. */
export const HintSourceSchema = z
  .string()
  .max(MAX_TOLD_NAME_CHARACTERS)
  .regex(/^[A-Za-z0-9][A-Za-z0-9 ._:-]*$/, {
    message:
      "a source is letters, digits, spaces and ._:- of ASCII, and begins with a letter or digit",
  });

/** Blocks with canonical base64. */
export const HintBlocksSchema = z
  .array(
    TextOrMediaBlockSchema.transform((block, context) => {
      if (block.type === "text") return block;
      const source = putRight(block.source);
      if (source) return { ...block, source };
      context.addIssue({ code: "custom", message: "its data cannot be read as base64" });
      return z.NEVER;
    }),
  )
  .min(1)
  .max(MAX_HINT_BLOCKS);

/** A hint as an event of a tool's answer. */
export const ToldHintSchema = z
  .strictObject({
    type: z.literal("HINT_BLOCK"),
    hint: z.union([z.string().min(1), HintBlocksSchema]),
    source: HintSourceSchema.optional(),
  })
  .refine((event) => utf8Bytes(JSON.stringify(event)) <= MAX_TOLD_EVENT_BYTES, {
    message: `an event may take ${MAX_TOLD_EVENT_BYTES} bytes as JSON at most`,
  });
export type ToldHint = z.infer<typeof ToldHintSchema>;

/** A hint as a tenant's back end gives it. Its media are settled as those of messages. */
export const TenantHintSchema = z
  .strictObject({
    type: z.literal("HINT_BLOCK"),
    hint: z.union([z.string().min(1), z.array(TextOrMediaBlockSchema).min(1).max(MAX_HINT_BLOCKS)]),
    source: HintSourceSchema,
    /** True vouches for what it says, as a message without a mark does. */
    trusted: z.boolean().default(false),
  })
  .refine((event) => utf8Bytes(JSON.stringify(event)) <= MAX_TOLD_EVENT_BYTES, {
    message: `an event may take ${MAX_TOLD_EVENT_BYTES} bytes as JSON at most`,
  })
  .meta({ id: "ToldHint", description: "Text and media for the model, not from the end user." });
export type TenantHint = z.infer<typeof TenantHintSchema>;

interface HintPlace {
  readonly reply_id: string;
  readonly block_id: string;
  /** The call whose tool gives it; left out for a hook. */
  readonly tool_call_id?: string;
}

/** The event of a hint, which counts as untrusted content. */
export function untrustedHint(
  { hint, source }: Pick<ToldHint, "hint" | "source">,
  by: Required<Teller>,
  { reply_id, block_id, tool_call_id }: HintPlace,
): EventDraft {
  const teller = `${by.kind}:${by.name}`;
  const tool_name = by.kind === "tool" ? by.name : teller;
  return {
    type: "HINT_BLOCK",
    reply_id,
    block_id,
    source: source === undefined ? teller : `${teller}/${source}`,
    hint,
    metadata: {
      [TOLD_BY]: { ...by },
      untrusted: { tool_name, tool_call_id: tool_call_id ?? block_id },
    },
  };
}
