import { useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore } from "lucide-react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";

interface RetireVersionProps {
  readonly agentId: string;
  readonly version: number;
  readonly isRetired: boolean;
}

/** Retires a version that is not the newest, or brings it back. */
export function RetireVersion({ agentId, version, isRetired }: RetireVersionProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  if (!useMay("agents:write")) return null;
  const act = isRetired ? "Bring back" : "Retire";
  const Icon = isRetired ? ArchiveRestore : Archive;
  return (
    <DangerDialog
      button={{ text: `${act} v${version}`, icon: Icon }}
      title={`${act} version ${version}?`}
      action={act}
      onConfirm={async () => {
        await reprise.agents.updateVersion(agentId, version, { retired: !isRetired });
        await queries.resetQueries({ queryKey: ["agent-versions", agentId] });
      }}
    >
      <p>
        {isRetired
          ? "New sessions may name it again. Sessions that have left it stay where they are."
          : "No session is given it any more. Those that have it finish the reply that runs, and get the newest version with their next one."}
      </p>
    </DangerDialog>
  );
}
