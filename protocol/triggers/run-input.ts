// The beginning of a run: its input, the session that goes on with it, and the end user whose it is.
import * as z from "zod";

import { MAX_END_USER_ID_CHARACTERS } from "../end-users/limits.ts";
import { TextBlockSchema } from "../messages/blocks.ts";
import { MAX_MESSAGE_BLOCKS } from "../requests/limits.ts";
import { MAX_SESSION_KEY_CHARACTERS, MAX_TRIGGER_INPUT_CHARACTERS } from "./limits.ts";

/** A JSON pointer into the payload of a signed webhook. */
const PayloadPointerSchema = z
  .string()
  .max(MAX_SESSION_KEY_CHARACTERS)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { message: "a JSON pointer, such as /issue/number" });

export const TriggerSessionSchema = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("new") }),
  z.strictObject({ mode: z.literal("kept") }),
  z.strictObject({
    mode: z.literal("keyed"),
    key: z.union([
      z.strictObject({ value: z.string().min(1).max(MAX_SESSION_KEY_CHARACTERS) }),
      z.strictObject({ pointer: PayloadPointerSchema }),
    ]),
  }),
]);

/** A pointer needs a prefix of the trigger's own: a payload must not name any end user of the tenant. */
export const TriggerEndUserSchema = z.union([
  z.string().min(1).max(MAX_END_USER_ID_CHARACTERS),
  z.strictObject({
    pointer: PayloadPointerSchema,
    prefix: z
      .string()
      .min(1)
      .max(MAX_SESSION_KEY_CHARACTERS / 2),
  }),
]);

/** A text, or one in several blocks. Media are the business of a tool: what a schedule sends daily is not stored daily. @public */
export const TriggeredInputSchema = z.union([
  z.string().min(1).max(MAX_TRIGGER_INPUT_CHARACTERS),
  z
    .array(TextBlockSchema)
    .min(1)
    .max(MAX_MESSAGE_BLOCKS)
    .refine(
      (blocks) =>
        blocks.reduce((sum, { text }) => sum + text.length, 0) <= MAX_TRIGGER_INPUT_CHARACTERS,
      { message: `the texts may have ${MAX_TRIGGER_INPUT_CHARACTERS} characters at most` },
    ),
]);
export type TriggeredInput = z.infer<typeof TriggeredInputSchema>;
