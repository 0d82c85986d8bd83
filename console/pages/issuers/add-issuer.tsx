import { useState } from "react";

import type { TokenIssuer } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CheckFields, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { useVerbs } from "../../components/schema-form/use-verbs.ts";
import { wordsOfVerb } from "../../components/words/verb-words.ts";

const VERBS = ["reply", "interrupt", "confirm", "edit", "tool_result", "memory"] as const;

const NEW = {
  name: "",
  issuer: "",
  jwks_url: "",
  audience: "",
  end_user_claim: "sub",
  end_user_prefix: "",
  verbs: ["reply", "interrupt"] as readonly string[],
  agents: "",
  origins: "",
};

interface AddIssuerProps {
  readonly onAdded: () => void;
  readonly onCancel: () => void;
}

/** A new issuer. It cannot be changed later, only deleted. */
export function AddIssuer({ onAdded, onCancel }: AddIssuerProps) {
  const reprise = useReprise();
  const [draft, setDraft] = useState(NEW);
  const verbs = useVerbs("TokenIssuerCreate", VERBS);
  const change = (more: Partial<typeof NEW>) => setDraft({ ...draft, ...more });
  const text = (name: keyof Omit<typeof NEW, "verbs">) => ({
    value: draft[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <DialogForm
      action="Add"
      onCancel={onCancel}
      onSubmit={async () => {
        if (draft.verbs.length === 0) throw new Error("Choose what its end users may do.");
        await reprise.tokenIssuers.create({
          name: draft.name.trim(),
          issuer: draft.issuer.trim(),
          jwks_url: draft.jwks_url.trim(),
          audience: draft.audience.trim() || null,
          end_user_claim: draft.end_user_claim.trim(),
          end_user_prefix: draft.end_user_prefix.trim(),
          verbs: draft.verbs as TokenIssuer["verbs"],
          agent_ids: wordsOf(draft.agents),
          allowed_origins: wordsOf(draft.origins),
        });
        onAdded();
      }}
    >
      <TextField label="Name" isRequired {...text("name")} />
      <TextField
        label="Issuer"
        hint="The claim iss of its tokens, character by character."
        type="url"
        isRequired
        isCode
        {...text("issuer")}
      />
      <TextField
        label="Address of its keys"
        hint="Its JSON Web Key Set."
        type="url"
        isRequired
        isCode
        {...text("jwks_url")}
      />
      <TextField
        label="Audience"
        hint="What aud has to contain; the address of the MCP endpoint when empty."
        isCode
        {...text("audience")}
      />
      <div className="field-row">
        <TextField label="Claim of the end user" isRequired isCode {...text("end_user_claim")} />
        <TextField label="Put before it" isCode {...text("end_user_prefix")} />
      </div>
      <CheckFields
        label="Its end users may"
        options={verbs}
        chosen={draft.verbs}
        onChange={(chosen) => change({ verbs: chosen })}
        textOf={wordsOfVerb}
      />
      <TextField
        label="Agents"
        hint="Ids, with spaces or lines between them; all when empty."
        lines={2}
        isCode
        {...text("agents")}
      />
      <TextField
        label="Origins of pages"
        hint="Such as https://app.example, for MCP clients in browsers; none when empty."
        lines={2}
        isCode
        {...text("origins")}
      />
    </DialogForm>
  );
}

/** Null for an empty text. */
function wordsOf(text: string): string[] | null {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  return words.length > 0 ? words : null;
}
