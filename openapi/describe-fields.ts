// Adds descriptions to the fields of a schema. A field has its own in the schema; else it is found by the schema's family
// and its path (`Agent.permission.mode`), then by the field's name.
import type { JsonSchema } from "./document-types.ts";
import { FIELD_DESCRIPTIONS } from "./contracts.ts";

/** The common name of a resource and of its schemas for creation, change, requests and the answers to writes. */
function familyOf(schemaName: string): string {
  return schemaName
    .replace(/^(?:AgentScope1|Java(?!Event(?:Page)?$))/, "")
    .replace(/^(?:Created|Written|Invited|Removed|(?:Subagent|Room)(?=Pending))/, "")
    .replace(/(?:Input|Create|Update|Rotate|Revoke|Version|Summary|Definition)$/, "");
}

/** The key of a field's description in `FIELD_DESCRIPTIONS`, or null when it has none. */
export function findDescriptionKey(schemaName: string, path: readonly string[]): string | null {
  const keys = [`${familyOf(schemaName)}.${path.join(".")}`, path.at(-1) ?? ""];
  return keys.find((key) => FIELD_DESCRIPTIONS[key] !== undefined) ?? null;
}

/** The schema with descriptions on its fields, at every level, each before the other keywords of its field. */
export function describeFields(
  schemaName: string,
  schema: JsonSchema,
  path: readonly string[] = [],
): JsonSchema {
  const described: Record<string, unknown> = { ...schema };
  const { properties, items } = schema as { properties?: Fields; items?: JsonSchema };
  if (items) described["items"] = describeFields(schemaName, items, path);
  if (properties) {
    described["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => {
        const fieldPath = [...path, name];
        const key = findDescriptionKey(schemaName, fieldPath);
        const { description = key === null ? undefined : FIELD_DESCRIPTIONS[key], ...shape } =
          field;
        const described = describeFields(schemaName, shape, fieldPath);
        return [name, description === undefined ? described : { description, ...described }];
      }),
    );
  }
  return described;
}

type Fields = Readonly<Record<string, JsonSchema>>;
