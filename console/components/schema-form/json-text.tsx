import { Field } from "@base-ui/react/field";
import { useState } from "react";

import { parseJsonText } from "./parse-json-text.ts";
import { useBroken, useSchemaForm } from "./form-context.ts";

interface JsonTextProps {
  /** Place of the value, for the form's list of broken texts. */
  readonly pointer: string;
  readonly value: unknown;
  /** Whether an empty text takes the member out. */
  readonly isOptional: boolean;
  readonly rows: number;
  readonly onChange: (next: unknown) => void;
  readonly className?: string;
  /** Fault of a value that is JSON; null when there is none. A faulty value is not given on. */
  readonly findProblem?: (value: unknown) => string | null;
}

/** JSON as text, for values without a form of their own. The text stays as it is typed while it means the value. */
export function JsonText(props: JsonTextProps) {
  const { pointer, value, isOptional, rows, onChange, className, findProblem } = props;
  const { isReadOnly } = useSchemaForm();
  const [known, setKnown] = useState(value);
  const [text, setText] = useState(() => textOf(value));
  if (known !== value) {
    setKnown(value);
    setText(textOf(value));
  }
  const parsed = parseJsonText(text, isOptional);
  const problem = parsed.ok ? (findProblem?.(parsed.value) ?? null) : parsed.problem;
  useBroken(pointer, problem);
  return (
    <>
      <Field.Control
        render={<textarea rows={rows} spellCheck={false} autoComplete="off" />}
        className={`input input-lines code ${className ?? ""}`}
        readOnly={isReadOnly}
        value={text}
        onValueChange={(next) => {
          setText(next);
          const result = parseJsonText(next, isOptional);
          if (!result.ok || (findProblem?.(result.value) ?? null) !== null) return;
          setKnown(result.value);
          onChange(result.value);
        }}
      />
      {problem !== null && (
        <p role="alert" className="field-error">
          {problem}
        </p>
      )}
    </>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}
