import { useMemo } from "react";

import { useKnownCredentials } from "../../access/use-known-credentials.ts";
import { failureText } from "../../components/failure-text.ts";
import {
  isJsonObject,
  resolveSchema,
  type JsonObject,
} from "../../components/schema-form/json-schema.ts";
import { ObjectFields } from "../../components/schema-form/object-fields.tsx";
import { SchemaFormScope } from "../../components/schema-form/schema-form-scope.tsx";
import { useDefinitions } from "../../components/schema-form/use-definitions.ts";

interface OAuthFieldsProps {
  /** Undefined for a server without OAuth. */
  readonly value: JsonObject | undefined;
  /** Faults of the last attempt to save, by pointer. */
  readonly errors: ReadonlyMap<string, string>;
  readonly onChange: (value: JsonObject | undefined) => void;
  readonly onBroken: (pointer: string, message: string | null) => void;
}

const MEMBERS = ["oauth"];

/** The OAuth settings of a server, as the form that the platform's own schema makes. */
export function OAuthFields({ value, errors, onChange, onBroken }: OAuthFieldsProps) {
  const { data: definitions, error } = useDefinitions();
  const { credentials } = useKnownCredentials();
  const suggestions = useMemo(() => {
    const known = (credentials ?? []).filter(({ type }) => type === "tool");
    return { client_credential_id: known.map(({ id, name }) => [id, name] as const) };
  }, [credentials]);
  if (error) return <p className="field-error">{failureText(error)}</p>;
  const schema = definitions?.["McpServerCreate"];
  if (!definitions || !schema) return <p className="quiet">Loading the OAuth settings…</p>;
  return (
    <SchemaFormScope {...{ definitions, errors, suggestions, onBroken }} isReadOnly={false}>
      <ObjectFields
        schema={resolveSchema(schema, definitions)}
        path={[]}
        names={MEMBERS}
        value={value ? { oauth: value } : {}}
        onChange={(next) => {
          const oauth = isJsonObject(next) ? next["oauth"] : undefined;
          onChange(isJsonObject(oauth) ? oauth : undefined);
        }}
      />
    </SchemaFormScope>
  );
}
