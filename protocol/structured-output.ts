// What a reply with structured output is known by: the tool that the model fills the schema in with, and the place
// in the log where the schema stands.
import type { EventOf } from "./events.ts";

/** The name of the one more tool that the model gets; no agent's tool may have it. */
export const STRUCTURED_OUTPUT_TOOL = "GenerateStructuredOutput";

/** A JSON Schema as it is, parsed. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The metadata of a `REPLY_START` whose reply has to fill in `schema`. */
export function structuredReplyMetadata(schema: JsonSchema): Record<string, unknown> {
  return { structured_schema: schema };
}

/** The schema that a reply has to fill in, or null when it ends with text. */
export function structuredSchemaOf(start: EventOf<"REPLY_START">): JsonSchema | null {
  const schema = start.metadata["structured_schema"];
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null;
  return schema as JsonSchema;
}
