// The output schema of a reply, as requests and agents set it.
import * as z from "zod";

import { MAX_STRUCTURED_SCHEMA_BYTES } from "./limits.ts";
import { utf8Bytes } from "../utf8-bytes.ts";
import { findSchemaProblem } from "./find-schema-problem.ts";

/** JSON Schema 2020-12 of an object. Errors point to the whole schema; their text names the position within. */
export const StructuredSchemaSchema = z
  .record(z.string(), z.json())
  .superRefine((schema, context) => {
    const message = findUse(schema);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

function findUse(schema: Readonly<Record<string, unknown>>): string | null {
  if (utf8Bytes(JSON.stringify(schema)) > MAX_STRUCTURED_SCHEMA_BYTES) {
    return `the schema may take ${MAX_STRUCTURED_SCHEMA_BYTES} bytes as JSON at most`;
  }
  if (schema["type"] !== "object") {
    return 'the schema has to be one of an object: give it "type": "object" at its root';
  }
  const problem = findSchemaProblem(schema);
  return problem === null ? null : `the schema cannot be used: ${problem}`;
}
