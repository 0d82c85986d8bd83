// A message of A2A as blocks of an input, or as answers to calls that wait. Answers, and the schema of an output, are in data
// parts under our extension's name, and nowhere else: words of a person are never taken for an approval.
import * as z from "zod";

import { StructuredSchemaSchema } from "../schemas/structured-schema.ts";
import { A2A_EXTENSION, extensionData } from "./extension.ts";
import { MAX_A2A_ANSWERS, MAX_A2A_ID_CHARACTERS } from "./limits.ts";
import type { ReceivedPart } from "./read-requests.ts";

const CallIdSchema = z.string().min(1).max(MAX_A2A_ID_CHARACTERS);

const AnswerSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("confirmation"),
    call_id: CallIdSchema,
    confirmed: z.boolean(),
    reason: z
      .string()
      .nullish()
      .transform((reason) => reason ?? undefined),
    /** The hash of the input that was shown, which some credentials have to give back. */
    input_hash: z
      .string()
      .nullish()
      .transform((hash) => hash ?? undefined),
  }),
  z.object({
    kind: z.literal("external_result"),
    call_id: CallIdSchema,
    output: z.unknown(),
    is_error: z.boolean().nullish(),
  }),
  z.object({
    kind: z.literal("input"),
    call_id: CallIdSchema,
    action: z.enum(["accept", "decline", "cancel"]),
    content: z.unknown(),
  }),
]);
/** An answer that a client has sent. */
export type ReceivedAnswer = z.output<typeof AnswerSchema>;

export const ReceivedAnswersSchema = z.object({
  answers: z.array(AnswerSchema).min(1).max(MAX_A2A_ANSWERS),
});

/** A part with a schema has nothing else. */
export const ReceivedSchemaSchema = z.strictObject({ output_schema: StructuredSchemaSchema });

/** A block of an input, before media are checked. */
export type InputBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "data";
      readonly name?: string;
      readonly source:
        | { readonly type: "base64"; readonly data: string; readonly media_type: string }
        | { readonly type: "url"; readonly url: string; readonly media_type: string };
    };

/** The value under the extension's name of a part, with the part's place. */
interface PlacedValue {
  readonly index: number;
  readonly value: unknown;
}

/** Data under the extension's name: schemas of outputs, and answers, which all else is taken for. */
export function extensionParts(parts: readonly ReceivedPart[]): {
  readonly schemas: readonly PlacedValue[];
  readonly answers: readonly PlacedValue[];
} {
  const found = parts.flatMap((part, index): readonly PlacedValue[] => {
    const value = part.kind === "data" ? extensionData({ data: part.data }) : undefined;
    return value === undefined ? [] : [{ index, value }];
  });
  return {
    schemas: found.filter(({ value }) => isSchema(value)),
    answers: found.filter(({ value }) => !isSchema(value)),
  };
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "output_schema");
}

/** A part as a block. JSON is told to the model as text. */
export function toBlock(part: ReceivedPart): InputBlock {
  const name = part.filename === undefined ? {} : { name: part.filename };
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "data":
      return { type: "text", text: JSON.stringify(part.data) };
    case "raw": {
      const media_type = part.mediaType ?? "";
      return { type: "data", ...name, source: { type: "base64", data: part.raw, media_type } };
    }
    case "url": {
      const media_type = part.mediaType ?? "";
      return { type: "data", ...name, source: { type: "url", url: part.url, media_type } };
    }
    default:
      return part satisfies never;
  }
}

/** The name by which refusals call the place of what is under the extension's name. */
export function extensionField(index: number): string {
  return `message.parts[${index}].data["${A2A_EXTENSION}"]`;
}
