// Names of structured output: the tool with which the model submits it, and the metadata that stores the schema.
import type { EventOf } from "../events.ts";

/** Name of the tool that the model gets in addition; reserved. */
export const STRUCTURED_OUTPUT_TOOL = "GenerateStructuredOutput";

/** A parsed JSON Schema, not validated. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Metadata of the `REPLY_START` of a reply with this output schema. */
export function structuredReplyMetadata(schema: JsonSchema): Record<string, unknown> {
  return { structured_schema: schema };
}

/** The output schema of a reply, or null when it ends with text. */
export function structuredSchemaOf(start: EventOf<"REPLY_START">): JsonSchema | null {
  const schema = start.metadata["structured_schema"];
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null;
  return schema as JsonSchema;
}
