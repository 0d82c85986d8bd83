import { useState } from "react";

import type { Confirmation } from "../../../sdk/index.ts";
import { AskRuleNote } from "../../components/ask-rule-note.tsx";
import { TextField } from "../../components/forms/fields.tsx";
import { EditCallInput } from "../../components/schema-form/edit-call-input.tsx";
import { RuleText } from "../../components/rule-text.tsx";
import { ShortcutButton } from "./shortcut-button.tsx";
import type { CallAnswer } from "./answer-calls.ts";
import { parseInput } from "./parse-input.ts";

interface ConfirmEditorProps {
  readonly call: Confirmation;
  /** The newest schema of the tool, for the form; null where it is not known. The platform checks by that of the session's version. */
  readonly schema: unknown;
  readonly isDisabled: boolean;
  readonly onSend: (answer: CallAnswer) => void;
}

/** The arguments to be changed, a reason, and rules that decide such calls from now on. */
export function ConfirmEditor({ call, schema, isDisabled, onSend }: ConfirmEditorProps) {
  const written = call.tool_call?.input ?? null;
  /** Arguments in place of the call's own; null while the text is no JSON object. */
  const [input, setInput] = useState<object | string | null>(written ?? "");
  const [reason, setReason] = useState("");
  const [accepted, setAccepted] = useState<readonly number[]>([]);
  const isWrong = input === null;
  const isEdited = written !== null && input !== null && !isSameInput(written, input);
  const rules = call.suggested_rules.filter((_, index) => accepted.includes(index));
  const text = reason.trim();

  return (
    <>
      {written === null ? (
        <p className="quiet">
          Its input is too large to be edited here. Approving takes it as it is; its session shows
          it.
        </p>
      ) : call.editable?.length === 0 ? (
        <p className="quiet">
          The tool lets nobody change its arguments: it runs as it is, or not.
        </p>
      ) : (
        <EditCallInput
          input={written}
          schema={schema}
          editable={call.editable}
          isDisabled={isDisabled}
          onChange={setInput}
        />
      )}
      {call.suggested_rules.length > 0 && (
        <fieldset className="check-fields">
          <legend className="field-label">Always allow in this session</legend>
          {call.suggested_rules.map((rule, index) => (
            <label key={`${rule.tool_name} ${rule.rule_content ?? ""}`} className="check-field">
              <input
                type="checkbox"
                disabled={isDisabled}
                checked={accepted.includes(index)}
                onChange={({ currentTarget }) =>
                  setAccepted(
                    currentTarget.checked
                      ? [...accepted, index]
                      : accepted.filter((other) => other !== index),
                  )
                }
              />
              <RuleText rule={rule} />
            </label>
          ))}
          <AskRuleNote reasons={call.reasons} />
        </fieldset>
      )}
      <TextField
        label="Reason of a denial"
        hint="The model is told."
        isDisabled={isDisabled}
        value={reason}
        onChange={setReason}
      />
      <div className="button-row">
        <ShortcutButton
          shortcut="a"
          isAnswer
          isPrimary
          isDisabled={isDisabled || isWrong}
          onPress={() =>
            onSend({
              call,
              confirm: {
                confirmed: true,
                ...(isEdited && { input }),
                ...(rules.length > 0 && { rules }),
              },
            })
          }
        >
          {isEdited ? "Approve with the change" : "Approve"}
          {rules.length > 0 && " and always allow"}
        </ShortcutButton>
        <ShortcutButton
          shortcut="d"
          isAnswer
          isDisabled={isDisabled}
          onPress={() =>
            onSend({
              call,
              confirm: { confirmed: false, ...(text !== "" && { reason: text }) },
            })
          }
        >
          {text === "" ? "Deny" : "Deny with the reason"}
        </ShortcutButton>
      </div>
    </>
  );
}

/** Whether two inputs mean the same, however they are written. */
function isSameInput(written: string, input: object | string): boolean {
  const value = parseInput(written);
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return text === written || (value !== undefined && JSON.stringify(value) === text);
}
