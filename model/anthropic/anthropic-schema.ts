// Schemas of tools as the Messages API takes them.
import type { Tool } from "@anthropic-ai/sdk/resources/messages";

import type { ToolDeclaration } from "../../agent/ports.ts";
import {
  propertyNames,
  withSentNames,
  type NameRule,
  type PropertyNames,
} from "../conversation/property-names.ts";
import type { NamesOfTools } from "../conversation/renamed-inputs.ts";
import { sentSchema } from "../conversation/sent-schema.ts";
import type { JsonFields } from "../stream/json-fields.ts";

/**
 * As its refusals say: `Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`. At the top alone, by reports; names
 * further down get the same, since compatible endpoints look further.
 */
const RULE: NameRule = {
  accepted: /^[a-zA-Z0-9_.-]{1,64}$/,
  notIn: /[^a-zA-Z0-9_.-]/g,
  maxCharacters: 64,
};

interface SentSchema {
  readonly input_schema: Tool.InputSchema;
  readonly names: PropertyNames | null;
}

/** By the schema as it was given: each request has all of the agent's. */
const made = new WeakMap<JsonFields, SentSchema>();

export function anthropicSchema(schema: JsonFields): SentSchema {
  const known = made.get(schema);
  if (known) return known;
  const plain = sentSchema(schema);
  const names = propertyNames(plain, RULE);
  const sent: SentSchema = {
    input_schema: { ...(names ? withSentNames(plain, names) : plain), type: "object" },
    names,
  };
  made.set(schema, sent);
  return sent;
}

export function namesOfTools(tools: readonly ToolDeclaration[]): NamesOfTools {
  return new Map(
    tools.flatMap(({ name, input_schema }) => {
      const { names } = anthropicSchema(input_schema);
      return names ? [[name, names] as const] : [];
    }),
  );
}
