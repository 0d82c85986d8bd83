// Members that definitions of several kinds of tools share.
import * as z from "zod";

import { MAX_WAITING_SECONDS } from "../confirmations/limits.ts";
import { RuleSyntaxSchema } from "../messages/permission.ts";
import { ConfirmationMessageSchema } from "./confirmation-message.ts";
import { MAX_EDITABLE_POINTERS } from "./limits.ts";

/** The tool names that model providers accept. `__proto__` is excluded because it is lost as an object key. */
export const ToolNameSchema = z.string().regex(/^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/, {
  message: "a tool's name is 1 to 64 letters, digits, _ and -, and not __proto__",
});

/** Seconds in which a person or an external system has to answer. */
export const WaitingSecondsSchema = z.number().int().min(1).max(MAX_WAITING_SECONDS);

const InputPointerSchema = z
  .string()
  .max(256)
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { message: "a JSON pointer begins with /" });

/** Members of all tools whose calls the platform decides about. */
export const toolFlags = {
  /** Has no side effects: runs without a confirmation. */
  read_only: z.boolean().default(false),
  /** May run in parallel with other calls of the same turn. */
  concurrency_safe: z.boolean().default(false),
  /** Safe to repeat with the same idempotency key. */
  idempotent: z.boolean().default(false),
  /** Changes files: mode `accept_edits` allows it within the working directories. */
  edits_files: z.boolean().optional(),
  /** JSON pointer of the input member that a rule's content is matched against. */
  rule_argument: InputPointerSchema.optional(),
  /** The matching syntax of those rules; `exact` when left out. */
  rule_syntax: RuleSyntaxSchema.optional(),
  /**
   * JSON pointers of the input members that a person may edit before the call runs; all when left out, none when empty.
   */
  editable: z.array(InputPointerSchema).max(MAX_EDITABLE_POINTERS).optional(),
  /** The tool's results are untrusted content, such as web pages and mails. */
  returns_untrusted: z.boolean().optional(),
  /** The tool lets something out or cannot be undone: once the model was sent an untrusted result, its calls ask. */
  sink: z.boolean().optional(),
  /** A successful result is the answer: the reply ends with it, without another model call. */
  return_direct: z.boolean().optional(),
  /**
   * The sentence with which a person is asked about a call, such as `Refund order {order_id}?`; placeholders name
   * members of the input. The platform's own sentence when left out.
   */
  confirmation_message: ConfirmationMessageSchema.optional(),
};
