import { useState } from "react";

import type { TenantSession } from "../../../sdk/index.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { useWarnings } from "../../components/use-warnings.ts";
import { WarningList } from "../../components/warning-list.tsx";

interface AddRuleProps {
  readonly session: TenantSession;
  readonly onAdded: () => Promise<void>;
  readonly onClose: () => void;
}

type Behavior = "deny" | "ask" | "allow";

/** Fields by the last word of a pointer. */
const FIELDS: Readonly<Record<string, string>> = { tool_name: "Tool", rule_content: "Content" };

/** A rule of the session's own, with the reason that it would decide about no call while it is typed. */
export function AddRule({ session, onAdded, onClose }: AddRuleProps) {
  const [behavior, setBehavior] = useState<Behavior>("ask");
  const [toolName, setToolName] = useState("");
  const [content, setContent] = useState("");
  const tool_name = toolName.trim();
  const rule = { tool_name, behavior, rule_content: content === "" ? null : content };
  const warnings = useWarnings(tool_name === "" ? null : [rule], {
    name: `rule of ${session.id}`,
    check: (rules, options) => session.permissionRules.validate(rules, options),
  });
  return (
    <DialogForm
      action="Add"
      onCancel={onClose}
      onSubmit={async () => {
        await session.permissionRules.create([rule]);
        await onAdded();
        onClose();
      }}
    >
      <ChoiceField
        label="Decision"
        value={behavior}
        options={[
          ["ask", "ask a person"],
          ["deny", "deny the call"],
          ["allow", "allow the call"],
        ]}
        onChange={(chosen) => setBehavior(chosen as Behavior)}
      />
      <TextField label="Tool" value={toolName} onChange={setToolName} isRequired isCode />
      <TextField
        label="Content"
        hint="Compared with one argument of the call. Empty: every call of the tool."
        value={content}
        onChange={setContent}
        isCode
      />
      <WarningList
        warnings={warnings.map(({ pointer, detail }) => ({
          pointer: FIELDS[pointer.split("/").at(-1) ?? ""] ?? "Rule",
          detail,
        }))}
      />
    </DialogForm>
  );
}
