// The state that a session's app and its agent share, and the patches that change it (RFC 6902).
import { z } from "zod";

import {
  MAX_PATCH_BYTES,
  MAX_PATCH_OPERATIONS,
  MAX_PATCH_POINTER_CHARACTERS,
} from "../limits/shared-state.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { StructuredSchemaSchema } from "./schemas/structured-schema.ts";

/** Names that reach a prototype in some programs that apply patches; no member of a state has one. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const PointerSchema = z
  .string()
  .max(MAX_PATCH_POINTER_CHARACTERS)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, { message: "a JSON pointer is empty or begins with /" })
  .refine((pointer) => !pointer.split("/").some((name) => FORBIDDEN_NAMES.has(name)), {
    message: "no member of a state may be named __proto__, constructor or prototype",
  });

const ValueSchema = z
  .unknown()
  .refine((value) => value !== undefined, { message: "this operation needs a value" })
  .refine((value) => !hasForbiddenName(value), {
    message: "no member of a state may be named __proto__, constructor or prototype",
  });

/** What comes here is bounded in depth: by the body's reader, or by the reader of a call's input. */
function hasForbiddenName(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => FORBIDDEN_NAMES.has(name) || hasForbiddenName(member),
  );
}

/** Members that an operation does not know are ignored, as the standard says. */
export const ValueOperationSchema = z.object({
  op: z.enum(["add", "replace", "test"]),
  path: PointerSchema,
  value: ValueSchema,
});
export const RemoveOperationSchema = z.object({ op: z.literal("remove"), path: PointerSchema });
export const MoveOperationSchema = z.object({
  op: z.enum(["move", "copy"]),
  from: PointerSchema,
  path: PointerSchema,
});

export const PatchOperationSchema = z.discriminatedUnion("op", [
  ValueOperationSchema,
  RemoveOperationSchema,
  MoveOperationSchema,
]);

export const JsonPatchSchema = z
  .array(PatchOperationSchema)
  .min(1)
  .max(MAX_PATCH_OPERATIONS)
  .refine((patch) => utf8Bytes(JSON.stringify(patch)) <= MAX_PATCH_BYTES, {
    message: `a patch may take ${MAX_PATCH_BYTES} bytes as JSON at most`,
  });
export type JsonPatch = z.infer<typeof JsonPatchSchema>;

export const SharedStateSchema = z.object({
  /** `{}` until it is first changed. */
  state: z.record(z.string(), z.unknown()),
  /** How often it was changed. */
  version: z.number().int().nonnegative(),
  /** The stream position that it is folded to: later events change it. */
  cursor: z.number().int().nonnegative(),
});
export type SharedState = z.infer<typeof SharedStateSchema>;

/** What an agent has to do with the state of its sessions. */
export const SharedStateSettingsSchema = z.strictObject({
  /** The model may change it, with a tool of the platform's. It is shown to the model in any case. */
  enabled: z.boolean(),
  /** JSON Schema that every changed state has to fit, whoever changes it. */
  schema: StructuredSchemaSchema.optional(),
});
