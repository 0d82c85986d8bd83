import { Field } from "@base-ui/react/field";
import { useMemo, useState } from "react";

import { FormField } from "../forms/form-field.tsx";
import { InputEditor } from "./input-editor.tsx";
import { isJsonObject, type JsonObject } from "./json-schema.ts";

interface EditCallInputProps {
  /** As its model wrote it. */
  readonly input: string;
  /** The tool's `input_schema`, where it is known. */
  readonly schema: unknown;
  readonly editable: readonly string[] | undefined;
  readonly isDisabled?: boolean;
  /** The input to send; null while it is no JSON object. */
  readonly onChange: (next: object | string | null) => void;
}

/** Digits that JavaScript may not hold: such an input is edited as the text that it is, so that none is lost. */
const LONG_NUMBER = /\d{16}/;

/** The arguments of a waiting call, to be changed by a form, as JSON, or as text where they are no JSON object. */
export function EditCallInput(props: EditCallInputProps) {
  const { input, schema, editable, isDisabled = false, onChange } = props;
  const value = useMemo(() => (LONG_NUMBER.test(input) ? null : parseObject(input)), [input]);
  if (value === null) return <InputText {...props} />;
  return (
    <InputEditor
      schema={schema}
      value={value}
      editable={editable}
      isDisabled={isDisabled}
      onChange={onChange}
    />
  );
}

function InputText({ input, editable, isDisabled = false, onChange }: EditCallInputProps) {
  const [text, setText] = useState(input);
  const isWrong = parseObject(text) === null;
  return (
    <FormField
      label="Arguments"
      error={isWrong ? "This has to be a JSON object, in braces." : null}
      {...(editable && { hint: `The tool lets a person change ${editable.join(", ")}.` })}
    >
      <Field.Control
        className="input input-lines code"
        render={<textarea rows={Math.min(14, text.split("\n").length + 1)} spellCheck={false} />}
        disabled={isDisabled}
        value={text}
        onValueChange={(next) => {
          setText(next);
          onChange(parseObject(next) === null ? null : next);
        }}
      />
    </FormField>
  );
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
