import { useMemo, type ReactNode } from "react";

import { SchemaFormContext, type SchemaForm } from "./form-context.ts";
import { SchemaField } from "./schema-field.tsx";

interface SchemaFormProps extends Omit<SchemaForm, "Member"> {
  /** The fields: `ObjectFields`, in sections or as they come. */
  readonly children: ReactNode;
}

const NONE = {};

/** A form whose fields, bounds and documentation come from a JSON Schema. */
export function SchemaFormScope({ children, ...shared }: SchemaFormProps) {
  const { definitions, errors, isReadOnly, suggestions, extras = NONE, onBroken } = shared;
  const form = useMemo(
    () => ({ Member: SchemaField, definitions, errors, isReadOnly, suggestions, extras, onBroken }),
    [definitions, errors, isReadOnly, suggestions, extras, onBroken],
  );
  return <SchemaFormContext value={form}>{children}</SchemaFormContext>;
}
