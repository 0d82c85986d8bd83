import { useState } from "react";

import type { ClientToken, Verb } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CheckFields, ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { useVerbs } from "../../components/schema-form/use-verbs.ts";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { wordsOfVerb } from "../../components/words/verb-words.ts";

interface MintTokenProps {
  readonly sessionId: string;
  readonly onMinted: () => void;
  readonly onClose: () => void;
}

const VERBS: readonly Verb[] = [
  "read",
  "reply",
  "confirm",
  "edit",
  "tool_result",
  "interrupt",
  "upload",
  "memory",
];

/** A token for one session, for an app that must not hold a key. */
export function MintToken({ sessionId, onMinted, onClose }: MintTokenProps) {
  const reprise = useReprise();
  const known = useVerbs("ClientTokenCreate", VERBS);
  const [verbs, setVerbs] = useState<readonly string[]>(["read", "reply", "interrupt"]);
  const [ttl, setTtl] = useState("900");
  const [origins, setOrigins] = useState("");
  const [minted, setMinted] = useState<ClientToken | null>(null);
  if (minted) {
    return (
      <SecretOnce what="client token" secret={minted.token} onClose={onClose}>
        <p className="quiet">
          It expires <TimeStamp at={minted.expires_at} />.
        </p>
      </SecretOnce>
    );
  }
  return (
    <DialogForm
      action="Make"
      onCancel={onClose}
      onSubmit={async () => {
        if (verbs.length === 0) throw new Error("Choose at least one thing that it may do.");
        const allowed_origins = origins.split(/[\s,]+/).filter((origin) => origin !== "");
        const token = await reprise.session(sessionId).tokens.create({
          verbs: verbs as Verb[],
          ttl_seconds: Number(ttl),
          ...(allowed_origins.length > 0 && { allowed_origins }),
        });
        setMinted(token);
        onMinted();
      }}
    >
      <CheckFields
        label="It may"
        options={known}
        chosen={verbs}
        onChange={setVerbs}
        textOf={wordsOfVerb}
      />
      <ChoiceField
        label="It is valid for"
        value={ttl}
        options={[
          ["300", "5 minutes"],
          ["900", "15 minutes"],
          ["3600", "an hour"],
        ]}
        onChange={setTtl}
      />
      <TextField
        label="Allowed origins"
        hint="Such as https://app.example; any, when left empty."
        value={origins}
        onChange={setOrigins}
      />
    </DialogForm>
  );
}
