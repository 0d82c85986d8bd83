// Shared state: a JSON object that a session's app and agent both read and patch (RFC 6902).
import * as z from "zod";

import { MAX_PATCH_BYTES, MAX_PATCH_OPERATIONS, MAX_PATCH_POINTER_CHARACTERS } from "./limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";

/** Member names that reach an object's prototype in some patch libraries; refused everywhere in a state. */
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
  // The result's type is written down, else the compiler takes it for a guard that narrows the type.
  .refine((value): boolean => value !== undefined, { message: "this operation needs a value" })
  .refine((value) => !hasForbiddenName(value), {
    message: "no member of a state may be named __proto__, constructor or prototype",
  });

/** Recursive; the depth was bounded by the reader of the body or of the call's input. */
function hasForbiddenName(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => FORBIDDEN_NAMES.has(name) || hasForbiddenName(member),
  );
}

/** Unknown members of an operation are ignored, as RFC 6902 says. @public */
export const ValueOperationSchema = z
  .object({
    op: z.enum(["add", "replace", "test"]),
    path: PointerSchema,
    value: ValueSchema,
  })
  .meta({ id: "PatchValue", description: "Adds or replaces a value, or tests it." });
/** @public */
export const RemoveOperationSchema = z
  .object({ op: z.literal("remove"), path: PointerSchema })
  .meta({ id: "PatchRemoval", description: "Takes a value away." });
/** @public */
export const MoveOperationSchema = z
  .object({
    op: z.enum(["move", "copy"]),
    from: PointerSchema,
    path: PointerSchema,
  })
  .meta({ id: "PatchMove", description: "Moves or copies a value to another place." });

/** @public */
export const PatchOperationSchema = z
  .discriminatedUnion("op", [ValueOperationSchema, RemoveOperationSchema, MoveOperationSchema])
  .meta({ id: "PatchOperation", description: "One operation: a change or a test." });

export const JsonPatchSchema = z
  .array(PatchOperationSchema)
  .min(1)
  .max(MAX_PATCH_OPERATIONS)
  .refine((patch) => utf8Bytes(JSON.stringify(patch)) <= MAX_PATCH_BYTES, {
    message: `a patch may take ${MAX_PATCH_BYTES} bytes as JSON at most`,
  })
  .meta({
    id: "JsonPatch",
    description:
      "Operations of RFC 6902, in order; all of them are applied or none. 128 KB at most.",
  });
export type JsonPatch = z.infer<typeof JsonPatchSchema>;

export const SharedStateSchema = z
  .object({
    /** `{}` before the first change. */
    state: z.record(z.string(), z.unknown()),
    /** Number of changes so far. */
    version: z.number().int().nonnegative(),
    /** The stream position of this state; later events may change it. */
    cursor: z.number().int().nonnegative(),
  })
  .meta({ id: "SharedState", description: "The state that a session's app and its agent share." });
export type SharedState = z.infer<typeof SharedStateSchema>;

/** An agent's settings for the shared state of its sessions. */
export const SharedStateSettingsSchema = z.strictObject({
  /** Whether the model gets a tool to change the state. It always sees the state. */
  enabled: z.boolean(),
  /** JSON Schema that the state must fit after every change, by the app or the model. */
  schema: StructuredSchemaSchema.optional(),
});
