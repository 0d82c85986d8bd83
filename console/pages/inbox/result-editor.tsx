import { useState } from "react";

import type { Confirmation } from "../../../sdk/index.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import type { CallAnswer } from "./answer-calls.ts";

interface ResultEditorProps {
  readonly call: Confirmation;
  readonly isDisabled: boolean;
  readonly onSend: (answer: CallAnswer) => void;
}

/** The result of a call that runs elsewhere, given by hand. */
export function ResultEditor({ call, isDisabled, onSend }: ResultEditorProps) {
  const [output, setOutput] = useState("");
  const [state, setState] = useState("success");
  return (
    <>
      {call.tool_call && <pre className="plain-text">{call.tool_call.input}</pre>}
      <TextField
        label="Result"
        hint="What the tool has answered, as text or JSON. The model reads it."
        lines={4}
        isCode
        isDisabled={isDisabled}
        value={output}
        onChange={setOutput}
      />
      <ChoiceField
        label="Outcome"
        value={state}
        options={[
          ["success", "It worked"],
          ["error", "It failed"],
        ]}
        onChange={setState}
      />
      <div className="button-row">
        <button
          type="button"
          className="button button-primary"
          data-answers
          disabled={isDisabled || output === ""}
          onClick={() =>
            onSend({
              call,
              result: { output, state: state === "error" ? "error" : "success" },
            })
          }
        >
          Send the result
        </button>
      </div>
    </>
  );
}
