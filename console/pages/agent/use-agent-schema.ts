import { useMemo } from "react";

import { resolveSchema } from "../../components/schema-form/json-schema.ts";
import { useDefinitions } from "../../components/schema-form/use-definitions.ts";

const MISSING = new Error("the platform's own description has no agents");

/** The schema of an agent's definition, of one that is created. */
export function useAgentSchema() {
  const { data: definitions, error, refetch } = useDefinitions();
  const data = useMemo(() => {
    const schema = definitions?.["AgentCreate"];
    return definitions && schema
      ? { schema: resolveSchema(schema, definitions), definitions }
      : undefined;
  }, [definitions]);
  return { data, error: error ?? (definitions && !data ? MISSING : null), refetch };
}
