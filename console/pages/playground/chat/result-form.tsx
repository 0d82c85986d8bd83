import { Field } from "@base-ui/react/field";
import { Send } from "lucide-react";
import { useState } from "react";

import type { SessionCall } from "../../../../sdk/react/index.ts";
import { useMay } from "../../../access/access-context.ts";
import { FormField } from "../../../components/forms/form-field.tsx";
import { usePlayground } from "../playground-context.ts";

/** The result of an external call, which the external system would post. */
export function ResultForm({ call }: { readonly call: SessionCall }) {
  const { actions } = usePlayground();
  const mayAnswer = useMay("tool_results:write");
  const [text, setText] = useState("");
  const [state, setState] = useState<"success" | "error">("success");
  const { name } = call.tool_call;
  if (!mayAnswer) return <p className="quiet">Waits for a result from outside.</p>;
  return (
    <form
      className="approval approval-form"
      aria-label={`Result of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        // A refusal is shown as the call's error.
        void actions.submitResult(call, { output: text, state }).catch(() => undefined);
      }}
    >
      <FormField label="Result" hint="Text or JSON, as your system would post it.">
        <Field.Control
          className="input input-code"
          render={<textarea rows={3} spellCheck={false} />}
          value={text}
          onValueChange={setText}
        />
      </FormField>
      <div className="approval-actions">
        <select
          className="input input-short"
          aria-label="Outcome"
          value={state}
          onChange={(event) => setState(event.target.value === "error" ? "error" : "success")}
        >
          <option value="success">Success</option>
          <option value="error">Error</option>
        </select>
        <button type="submit" className="button button-primary" disabled={call.isAnswering}>
          <Send size={16} aria-hidden />
          {call.isAnswering ? "Submitting…" : "Submit the result"}
        </button>
      </div>
      {call.error && (
        <p role="alert" className="field-error">
          {call.error.message}
        </p>
      )}
    </form>
  );
}
