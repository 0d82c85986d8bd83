import type { JsonSchema } from "./document-types.ts";
export const SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {};
export function describeFields(_: string, s: JsonSchema): JsonSchema { return s; }
