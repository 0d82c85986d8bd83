import { useState } from "react";

import { CopyButton } from "../../components/copy-button.tsx";
import { CredentialField } from "../../components/forms/credential-field.tsx";
import { DialogEnd } from "../../components/forms/dialog-end.tsx";
import { TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { type Provider, usePeople } from "./people.ts";

const NEW = { name: "", issuer: "", client_id: "", secret: "" };

interface AddProviderProps {
  readonly onAdded: () => void;
  readonly onClose: () => void;
}

/** A new provider, and then the address that is to be registered there. It cannot be changed later, only deleted. */
export function AddProvider({ onAdded, onClose }: AddProviderProps) {
  const people = usePeople();
  const [draft, setDraft] = useState(NEW);
  const [added, setAdded] = useState<Provider | null>(null);
  if (added) return <RegisterAddress provider={added} onClose={onClose} />;
  const text = (name: keyof typeof NEW) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  return (
    <DialogForm
      action="Add"
      onCancel={onClose}
      onSubmit={async () => {
        const provider = await people.addProvider({
          name: draft.name.trim(),
          issuer: draft.issuer.trim(),
          client_id: draft.client_id.trim(),
          secret: draft.secret.trim(),
        });
        setAdded(provider);
        onAdded();
      }}
    >
      <TextField
        label="Name"
        hint="On the sign-in page: Continue with …"
        isRequired
        {...text("name")}
      />
      <TextField
        label="Issuer"
        hint="Such as https://accounts.google.com. Its configuration is read now."
        type="url"
        isRequired
        isCode
        {...text("issuer")}
      />
      <TextField
        label="Client id"
        hint="Of the client that you have made there for this console."
        isRequired
        isCode
        {...text("client_id")}
      />
      {people.isOperators ? (
        <TextField
          label="Client secret"
          hint="Kept encrypted and never shown again. Empty for a client without one."
          type="password"
          isCode
          {...text("secret")}
        />
      ) : (
        <CredentialField
          label="Client secret"
          hint="The credential that has it, bound to the host of the provider's token endpoint."
          none="none: the client has no secret"
          {...text("secret")}
        />
      )}
    </DialogForm>
  );
}

interface RegisterAddressProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

function RegisterAddress({ provider: { name, redirect_url }, onClose }: RegisterAddressProps) {
  return (
    <div className="form-stack">
      <p role="status">
        {name} was added. Enter this address as the redirect address of your client there: nobody
        can sign in before that.
      </p>
      <div className="secret">
        <code>{redirect_url}</code>
        <CopyButton text={redirect_url} what="redirect address" />
      </div>
      <p className="quiet">
        Then invite people: each link offers “Continue with {name}”. For somebody who has a passkey,
        make a new link.
      </p>
      <DialogEnd onClose={onClose}>Done</DialogEnd>
    </div>
  );
}
