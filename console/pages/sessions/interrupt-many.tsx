import { useQueryClient } from "@tanstack/react-query";
import { OctagonX } from "lucide-react";

import type { SessionSummary } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { ManyDialog } from "../../components/many/many-dialog.tsx";

/** Interrupts what runs or waits in all sessions that the list has read. */
export function InterruptMany({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  if (!useMay("replies:write")) return null;
  const count = sessions.length.toLocaleString();
  return (
    <ManyDialog
      icon={OctagonX}
      button={`Interrupt ${count}`}
      title={sessions.length === 1 ? "Interrupt 1 session?" : `Interrupt ${count} sessions?`}
      action="Interrupt"
      items={sessions}
      run={async ({ id }) => {
        const { interrupted } = await reprise.session(id).interrupt();
        return interrupted ? "interrupted" : "had ended";
      }}
      onDone={() => void queries.invalidateQueries({ queryKey: ["sessions"] })}
    >
      <p>
        The reply that runs or waits in each of them ends, one after another; calls that wait are
        closed. It cannot be undone, and costs nothing further. Replies that are queued stay.
      </p>
    </ManyDialog>
  );
}
