import { Play } from "lucide-react";
import { useState, type ReactNode } from "react";

import { InputEditor } from "./input-editor.tsx";
import { initialValue, isJsonObject, type JsonObject } from "./json-schema.ts";
import { readSchema } from "./read-schema.ts";

interface ToolCallFormProps {
  readonly name: string;
  /** Schema of the arguments; undefined where it is not known: the platform checks them. */
  readonly schema: unknown;
  readonly isPending: boolean;
  readonly onCall: (input: JsonObject) => void;
  /** Effect of the call, in a sentence. */
  readonly children: ReactNode;
}

/** A tool's arguments as a form of its schema, with the button that calls it. */
export function ToolCallForm({ name, schema, isPending, onCall, children }: ToolCallFormProps) {
  const [start] = useState(() => startOf(schema));
  const [input, setInput] = useState<JsonObject | null>(start);
  return (
    <form
      className="panel"
      aria-label={`Arguments of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (input) onCall(input);
      }}
    >
      <InputEditor schema={schema} value={start} onChange={setInput} isDisabled={isPending} />
      <p className="quiet">{children}</p>
      <div className="button-row">
        <button
          type="submit"
          className="button button-primary"
          disabled={isPending || input === null}
        >
          <Play size={16} aria-hidden />
          {isPending ? "Calling…" : "Call the tool"}
        </button>
      </div>
    </form>
  );
}

/** The smallest object that has the required members. */
function startOf(schema: unknown): JsonObject {
  const value = initialValue(readSchema(schema), {});
  return isJsonObject(value) ? value : {};
}
