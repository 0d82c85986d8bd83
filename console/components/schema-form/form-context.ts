import { createContext, useContext, useEffect, type ComponentType } from "react";

import type { Definitions, JsonObject, JsonSchema } from "./json-schema.ts";
import type { Path } from "./pointers.ts";

export interface SchemaFieldProps {
  readonly schema: JsonSchema;
  readonly path: Path;
  readonly label: string;
  readonly value: unknown;
  readonly isRequired: boolean;
  /** Undefined takes the member out. */
  readonly onChange: (next: unknown) => void;
}

interface ExtraProps {
  readonly entry: JsonObject;
  readonly onChange: (entry: unknown) => void;
}

/** Context of all fields of one form. */
export interface SchemaForm {
  readonly definitions: Definitions;
  /** Draws a member of any schema: groups and lists hold fields, which are groups and lists. */
  readonly Member: ComponentType<SchemaFieldProps>;
  /** Faults by pointer, such as `#/tools/0/url`. */
  readonly errors: ReadonlyMap<string, string>;
  /** Nothing can be changed: the reader may not, or the version is an old one. */
  readonly isReadOnly: boolean;
  /** Values to choose from for the member with this name, such as the tenant's credentials; others can be typed. */
  readonly suggestions: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Additions below the members of one kind of object, such as of one kind of tool, by the kind. */
  readonly extras?: Readonly<Record<string, ComponentType<ExtraProps>>>;
  /** Text that is no JSON has no value: the form must not be sent as if it had the last one. Null when it is repaired. */
  readonly onBroken: (pointer: string, message: string | null) => void;
}

export const SchemaFormContext = createContext<SchemaForm | null>(null);

export function useSchemaForm(): SchemaForm {
  const form = useContext(SchemaFormContext);
  if (!form) throw new Error("outside of a schema form");
  return form;
}

/** Tells the form while the text of a field is broken; also when the field goes away. */
export function useBroken(pointer: string, message: string | null): void {
  const { onBroken } = useSchemaForm();
  useEffect(() => {
    if (message === null) return undefined;
    onBroken(pointer, message);
    return () => onBroken(pointer, null);
  }, [pointer, message, onBroken]);
}
