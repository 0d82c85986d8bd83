// The words of a field: its documentation from the schema.
import type { ReactNode } from "react";

import type { JsonSchema } from "./json-schema.ts";

/** The schema's description with its code as code, then what bounds the value, and what is taken without one. */
export function FieldDocs({ schema }: { readonly schema: JsonSchema }): ReactNode {
  const notes = [boundsOf(schema), defaultOf(schema)].filter((note) => note !== null);
  const text = schema.description ?? "";
  if (text === "" && notes.length === 0) return null;
  return (
    <>
      {withCode(text)}
      {notes.length > 0 && <span className="field-notes"> {notes.join(" · ")}</span>}
    </>
  );
}

/** Whether `FieldDocs` shows anything. */
export function hasDocs(schema: JsonSchema): boolean {
  return (
    schema.description !== undefined || boundsOf(schema) !== null || defaultOf(schema) !== null
  );
}

function withCode(text: string): ReactNode {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // The parts of a text never change their order.
      <code key={index}>{part}</code>
    ) : (
      part
    ),
  );
}

function boundsOf({ minimum, exclusiveMinimum, maximum }: JsonSchema): string | null {
  const [low, high] = [minimum ?? exclusiveMinimum, maximum];
  if (low !== undefined && high !== undefined) {
    return `${low.toLocaleString()} to ${high.toLocaleString()}`;
  }
  return null;
}

function defaultOf({ default: given }: JsonSchema): string | null {
  if (typeof given === "number") return `default ${given.toLocaleString()}`;
  return typeof given === "string" && given !== "" ? `default ${given}` : null;
}
