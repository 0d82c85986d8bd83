import { Check, Pencil, ShieldCheck, X } from "lucide-react";
import { useId, useState } from "react";

import type { PermissionRule } from "../../../../sdk/index.ts";
import type { SessionCall } from "../../../../sdk/react/index.ts";
import { useMay } from "../../../access/access-context.ts";
import { AskRuleNote } from "../../../components/ask-rule-note.tsx";
import { CallReasonsText } from "../../../components/call-reasons.tsx";
import { EditCallInput } from "../../../components/schema-form/edit-call-input.tsx";
import { usePlayground } from "../playground-context.ts";

type Mode = "ask" | "edit" | "deny";

/** The question of a call: allow it, as it is or edited or always, or deny it with a reason. */
export function ApprovalForm({ call }: { readonly call: SessionCall }) {
  const [mode, setMode] = useState<Mode>("ask");
  const mayAnswer = useMay("confirmations:write");
  const mayWriteRules = useMay("permission_rules:write");
  const { actions } = usePlayground();
  const { editable } = call;
  // Shown in the state, as the call's `error`.
  const allow = (answer: Parameters<typeof actions.confirm>[1] = {}) =>
    void actions.confirm(call, answer).catch(() => undefined);

  if (!mayAnswer) return <p className="quiet">Waits for a person who may confirm calls.</p>;
  return (
    <div className="approval" role="group" aria-label={`Answer to ${call.tool_call.name}`}>
      <CallReasonsText reasons={call.reasons} />
      {mayWriteRules && call.suggested_rules.length > 0 && <AskRuleNote reasons={call.reasons} />}
      {mode === "ask" && (
        <div className="approval-actions">
          <button
            type="button"
            className="button button-primary"
            disabled={call.isAnswering}
            onClick={() => allow()}
          >
            <Check size={16} aria-hidden />
            {call.isAnswering ? "Answering…" : "Allow"}
          </button>
          {editable?.length !== 0 && (
            <button
              type="button"
              className="button"
              disabled={call.isAnswering}
              onClick={() => setMode("edit")}
            >
              <Pencil size={16} aria-hidden />
              Edit…
            </button>
          )}
          <button
            type="button"
            className="button"
            disabled={call.isAnswering}
            onClick={() => setMode("deny")}
          >
            <X size={16} aria-hidden />
            Deny…
          </button>
          {mayWriteRules &&
            call.suggested_rules.map((rule) => (
              <button
                key={JSON.stringify(rule)}
                type="button"
                className="button"
                disabled={call.isAnswering}
                title="Allows this call, and calls like it in this session from now on"
                onClick={() => allow({ rules: [rule] })}
              >
                <ShieldCheck size={16} aria-hidden />
                Always allow <RuleWords rule={rule} />
              </button>
            ))}
        </div>
      )}
      {mode === "edit" && (
        <EditForm
          call={call}
          onCancel={() => setMode("ask")}
          onAllow={(input) => {
            setMode("ask");
            allow({ input });
          }}
        />
      )}
      {mode === "deny" && (
        <DenyForm
          onCancel={() => setMode("ask")}
          onDeny={(reason) => {
            setMode("ask");
            void actions.deny(call, { reason }).catch(() => undefined);
          }}
        />
      )}
      {call.error && (
        <p role="alert" className="field-error">
          {call.error.message}
        </p>
      )}
    </div>
  );
}

function RuleWords({ rule }: { readonly rule: PermissionRule }) {
  return (
    <code>
      {rule.tool_name}
      {rule.rule_content === null || rule.rule_content === "" ? "" : `(${rule.rule_content})`}
    </code>
  );
}

interface EditFormProps {
  readonly call: SessionCall;
  readonly onAllow: (input: string | object) => void;
  readonly onCancel: () => void;
}

function EditForm({ call, onAllow, onCancel }: EditFormProps) {
  const { name, input } = call.tool_call;
  const tool = usePlayground().agent?.tools.find((one) => "name" in one && one.name === name);
  const [edited, setEdited] = useState<string | object | null>(call.input ?? input);
  return (
    <form
      className="approval-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (edited !== null) onAllow(edited);
      }}
    >
      <EditCallInput
        input={input}
        schema={tool && "input_schema" in tool ? tool.input_schema : null}
        editable={call.editable}
        onChange={setEdited}
      />
      <div className="approval-actions">
        <button type="submit" className="button button-primary" disabled={edited === null}>
          Allow with these arguments
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface DenyFormProps {
  readonly onDeny: (reason: string | undefined) => void;
  readonly onCancel: () => void;
}

function DenyForm({ onDeny, onCancel }: DenyFormProps) {
  const [reason, setReason] = useState("");
  const id = useId();
  return (
    <form
      className="approval-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDeny(reason.trim() === "" ? undefined : reason.trim());
      }}
    >
      <label className="field-label" htmlFor={id}>
        Reason, for the model
      </label>
      <input
        id={id}
        autoFocus
        className="input"
        value={reason}
        maxLength={1_000}
        autoComplete="off"
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="approval-actions">
        <button type="submit" className="button button-danger">
          Deny
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
