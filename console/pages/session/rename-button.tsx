import { useQueryClient } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";

import type { Session } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DialogForm, FormDialog } from "../../components/forms/form-dialog.tsx";
import { TextField } from "../../components/forms/fields.tsx";

interface RenameProps {
  readonly session: Pick<Session, "id" | "title">;
}

/** Gives the session a title, or the first words of its conversation again. */
export function RenameButton({ session }: RenameProps) {
  if (!useMay("sessions:write")) return null;
  return (
    <FormDialog
      title="Rename the session"
      trigger={
        <button type="button" className="button">
          <Pencil size={16} aria-hidden />
          Rename
        </button>
      }
    >
      {(close) => <RenameForm session={session} close={close} />}
    </FormDialog>
  );
}

function RenameForm({ session, close }: RenameProps & { readonly close: () => void }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const [title, setTitle] = useState(session.title ?? "");
  return (
    <DialogForm
      action="Rename"
      onCancel={close}
      onSubmit={async () => {
        const words = title.trim();
        const changed = await reprise.sessions.update(session.id, {
          title: words === "" ? null : words,
        });
        queries.setQueryData(["session", session.id], changed);
        close();
      }}
    >
      <TextField
        label="Title"
        hint="One line for lists. Empty: the first words of the conversation."
        value={title}
        onChange={setTitle}
      />
    </DialogForm>
  );
}
