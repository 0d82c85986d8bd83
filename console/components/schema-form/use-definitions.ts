import { useQuery } from "@tanstack/react-query";

import { isJsonObject, type Definitions } from "./json-schema.ts";

/**
 * The schemas of the API's own document: a form has the fields, bounds and words of the platform that runs, also when that is
 * another release than the page's.
 */
export function useDefinitions() {
  return useQuery({ queryKey: ["openapi"], queryFn: readDefinitions, staleTime: Infinity });
}

async function readDefinitions(): Promise<Definitions> {
  const answer = await fetch("/openapi.json", { credentials: "omit" });
  if (!answer.ok) throw new Error("the platform's own description cannot be read");
  const document: unknown = await answer.json();
  const components = isJsonObject(document) ? document["components"] : undefined;
  const schemas = isJsonObject(components) ? components["schemas"] : undefined;
  return (isJsonObject(schemas) ? schemas : {}) as Definitions;
}
