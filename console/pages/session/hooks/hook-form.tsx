import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { Credential, HookDefinition, SessionHooks } from "../../../../sdk/index.ts";
import { useMay, useReprise } from "../../../access/access-context.ts";
import { ChoiceField, TextField } from "../../../components/forms/fields.tsx";
import { DialogForm } from "../../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../../components/forms/secret-once.tsx";
import { ALL_POINTS, HTTP_POINTS, POINT_WORDS } from "../../../components/words/hook-words.ts";
import { readAll } from "../../../components/read-all.ts";
import { PAGE_ROWS } from "../../../components/use-paged.ts";
import {
  draftOfHook,
  hookOf,
  makeSigningSecret,
  NEW_HOOK,
  NEW_SECRET,
  problemAt,
  UNSIGNED,
  type HookDraft,
} from "./hook-draft.ts";

interface HookFormProps {
  readonly sessionId: string;
  readonly current: SessionHooks;
  /** Its place in the session's list; the list's length for a new one. */
  readonly index: number;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** A hook of the session, new or changed. It is written over the version that was read alone. */
export function HookForm({ sessionId, current, index, onSaved, onClose }: HookFormProps) {
  const reprise = useReprise();
  // The state that was read when the form was opened, however often the page reads it again.
  const [{ hooks, version }] = useState(current);
  const before = hooks[index];
  const [draft, setDraft] = useState<HookDraft>(before ? draftOfHook(before) : NEW_HOOK);
  const [error, setError] = useState<unknown>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const set = (change: Partial<HookDraft>) => setDraft({ ...draft, ...change });
  const problem = (member: string) => problemAt(error, index, member);

  async function save(): Promise<void> {
    setError(null);
    const made = draft.type === "http" && draft.signing === NEW_SECRET ? makeSigningSecret() : null;
    const credential =
      made === null
        ? null
        : await reprise.credentials.create({
            name: `Hook ${draft.name.trim()}`,
            type: "tool",
            secret: made,
            allowed_hosts: [new URL(draft.url).host],
          });
    const id = credential?.id ?? (draft.signing === UNSIGNED ? null : draft.signing);
    try {
      const next = hookOf(draft, id);
      const list: Parameters<typeof write>[0] = before
        ? hooks.with(index, next as HookDefinition)
        : [...hooks, next];
      await write(list);
    } catch (failure) {
      if (credential) await reprise.credentials.delete(credential.id).catch(() => undefined);
      setError(failure);
      throw failure;
    }
    onSaved();
    if (made === null) onClose();
    else setSecret(made);
  }

  function write(list: Parameters<ReturnType<typeof hooksOfSession>["set"]>[0]) {
    return hooksOfSession().set(list, { ifVersion: version });
  }
  const hooksOfSession = () => reprise.session(sessionId).hooks;

  if (secret !== null) {
    return (
      <SecretOnce what="signing secret" secret={secret} onClose={onClose}>
        <p className="quiet">
          Your server verifies the hook’s questions with it, as it does with webhooks. It is kept as
          the credential “Hook {draft.name.trim()}”, for this address’s host alone.
        </p>
      </SecretOnce>
    );
  }
  return (
    <DialogForm action={before ? "Save" : "Add"} onSubmit={save} onCancel={onClose}>
      <div className="form-row">
        <ChoiceField
          label="Who is asked"
          value={draft.type}
          options={[
            ["http", "a server of yours"],
            ["code", "a function of the deployment"],
          ]}
          onChange={(type) =>
            set(type === "code" ? { type } : { type: "http", point: httpPoint(draft.point) })
          }
        />
        <TextField
          label="Name"
          error={problem("name")}
          value={draft.name}
          onChange={(name) => set({ name })}
          isRequired
          isCode
        />
      </div>
      <ChoiceField
        label="Point"
        value={draft.point}
        options={(draft.type === "http" ? HTTP_POINTS : ALL_POINTS).map((point) => [
          point,
          `${point}: ${POINT_WORDS[point]}`,
        ])}
        onChange={(point) => set({ point: point as HookDraft["point"] })}
      />
      {draft.type === "http" && (
        <>
          <TextField
            label="URL"
            hint="https; on your own machine also http."
            type="url"
            error={problem("url")}
            value={draft.url}
            onChange={(url) => set({ url })}
            isRequired
            isCode
          />
          <SigningField
            draft={draft}
            error={problem("signing_credential_id")}
            onChange={(signing) => set({ signing })}
          />
        </>
      )}
      <div className="form-row">
        <TextField
          label="Timeout in milliseconds"
          hint="5,000 when left empty; 30,000 at most."
          error={problem("timeout_ms")}
          value={draft.timeoutMs}
          onChange={(timeoutMs) => set({ timeoutMs })}
        />
        <ChoiceField
          label="Without an answer"
          hint="In time, and valid."
          value={draft.onFailure}
          options={[
            ["closed", "closed: ends with an error"],
            ["open", "open: it goes on"],
          ]}
          onChange={(onFailure) => set({ onFailure: onFailure === "open" ? "open" : "closed" })}
        />
      </div>
    </DialogForm>
  );
}

/** Points of the middleware around the loop are for functions of the deployment alone. */
function httpPoint(point: HookDraft["point"]): HookDraft["point"] {
  return HTTP_POINTS.includes(point) ? point : NEW_HOOK.point;
}

interface SigningFieldProps {
  readonly draft: HookDraft;
  readonly error: string | null;
  readonly onChange: (signing: string) => void;
}

/** Pages of credentials to choose from. */
const MOST_PAGES = 5;

/** Secret that signs the questions: one of the tenant's, or a new one where the console may make it. */
function SigningField({ draft, error, onChange }: SigningFieldProps) {
  const reprise = useReprise();
  const mayRead = useMay("credentials:read");
  const mayWrite = useMay("credentials:write");
  const { data } = useQuery({
    queryKey: ["tool-credentials"],
    queryFn: () =>
      readAll((page) => reprise.credentials.list({ limit: PAGE_ROWS }).page(page), MOST_PAGES),
    enabled: mayRead,
  });
  const known: readonly Credential[] = data?.rows.filter(({ type }) => type === "tool") ?? [];
  const isListed =
    [UNSIGNED, NEW_SECRET].includes(draft.signing) || known.some(({ id }) => id === draft.signing);
  return (
    <>
      <ChoiceField
        label="Signed with"
        hint="As in Standard Webhooks: with a secret whsec_…, so that your server knows who asks."
        value={draft.signing}
        options={[
          [UNSIGNED, "nothing"],
          ...(mayWrite ? [[NEW_SECRET, "a new secret, shown once"] as const] : []),
          ...known.map(({ id, name }) => [id, name] as const),
          ...(isListed ? [] : [[draft.signing, draft.signing] as const]),
        ]}
        onChange={onChange}
      />
      {error !== null && <p className="field-error">{error}</p>}
    </>
  );
}
