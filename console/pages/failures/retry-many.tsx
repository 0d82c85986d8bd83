import { useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";

import { useMay, useReprise } from "../../access/access-context.ts";
import { formatMoney } from "../../components/charts/format-number.ts";
import type { FailedSession } from "../../components/group-failures.ts";
import { ManyDialog } from "../../components/many/many-dialog.tsx";
import { useExpectedCost } from "../../components/many/use-expected-cost.ts";
import { retryFailed } from "./retry-failed.ts";

interface RetryManyProps {
  readonly sessions: readonly FailedSession[];
  readonly onOpen: (isOpen: boolean) => void;
}

/** Retries of all failures of one cause. */
export function RetryMany({ sessions, onOpen }: RetryManyProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const cost = useExpectedCost(sessions.map(({ agent_id }) => agent_id));
  if (!useMay("replies:write")) return null;
  const count = sessions.length.toLocaleString();
  return (
    <ManyDialog
      icon={RotateCcw}
      button={`Retry ${count}`}
      title={sessions.length === 1 ? "Retry 1 reply?" : `Retry ${count} replies?`}
      action="Retry"
      items={sessions}
      run={(session) => retryFailed(reprise, session)}
      onOpen={onOpen}
      onDone={() => void queries.invalidateQueries({ queryKey: ["failures"] })}
    >
      <p>
        In each session a new reply begins with the input of the failed one, one after another. A
        session that has gone on since is left as it is, and a second retry of the same failure
        starts nothing.
      </p>
      <p>
        {cost === null
          ? "What they may cost is not known: a model has no known price, or no reply has ended lately."
          : `By the mean of the last thirty days they may cost ${formatMoney(cost)} together.`}
      </p>
    </ManyDialog>
  );
}
