import { resolveSchema } from "./json-schema.ts";
import { useDefinitions } from "./use-definitions.ts";

/**
 * The verbs that a request of this schema may have, on the platform that runs.
 * @param known Those of this release of the page: shown until the schema was read, and where it cannot be.
 */
export function useVerbs(schema: string, known: readonly string[]): readonly string[] {
  const { data: definitions } = useDefinitions();
  const items = definitions?.[schema]?.properties?.["verbs"]?.items;
  if (!definitions || !items) return known;
  const { enum: verbs = [] } = resolveSchema(items, definitions);
  const named = verbs.filter((verb): verb is string => typeof verb === "string");
  return named.length > 0 ? named : known;
}
