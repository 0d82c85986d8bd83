import { Trash2 } from "lucide-react";

import type { Connection } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";

interface DeleteConnectionProps {
  readonly connection: Connection;
  /** The server's name, or its id. */
  readonly server: string;
  readonly onDeleted: () => void;
}

/** Forgets a grant, after a question. */
export function DeleteConnection({ connection, server, onDeleted }: DeleteConnectionProps) {
  const reprise = useReprise();
  const { id, end_user_id } = connection;
  const whose = end_user_id === null ? "the tenant" : end_user_id;
  return (
    <DangerDialog
      button={{
        icon: Trash2,
        name: `Delete the connection of ${whose} at ${server}`,
        look: "small icon",
      }}
      title={`Delete the connection of ${whose} at ${server}?`}
      action="Delete"
      onConfirm={async () => {
        await reprise.connections.delete(id);
        onDeleted();
      }}
    >
      <p>
        Its tokens are forgotten at once, and revoked at the authorization server as far as that can
        be done. The next call of a tool of this server asks{" "}
        {end_user_id === null ? "for a sign-in" : "this end user to sign in"} again.
      </p>
    </DangerDialog>
  );
}
