import { Link } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useState } from "react";

import type { SessionSummary } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { formatMoney } from "../../components/charts/format-number.ts";
import { ManyDialog } from "../../components/many/many-dialog.tsx";
import { outcomeOf, SAME } from "./replay-outcome.ts";

interface ReplayManyProps {
  readonly sessions: readonly SessionSummary[];
}

/** Replays of all sessions that the list has read, each on the newest version of its agent. */
export function ReplayMany({ sessions }: ReplayManyProps) {
  const reprise = useReprise();
  const [others, setOthers] = useState<readonly SessionSummary[]>([]);
  const mayWrite = useMay("agents:write");
  const mayRead = useMay("sessions:read");
  if (!mayWrite || !mayRead || sessions.length === 0) return null;
  const count = sessions.length.toLocaleString();
  const cost = costOf(sessions);

  async function run(session: SessionSummary): Promise<string> {
    const { id: session_id, agent_id } = session;
    const outcome = outcomeOf(
      await reprise.agents.replay(agent_id, { session_id, assume: "deny" }),
    );
    if (outcome !== SAME) setOthers((known) => [...known, session]);
    return outcome;
  }

  return (
    <ManyDialog
      icon={History}
      button={`Replay ${count}`}
      title={sessions.length === 1 ? "Replay 1 session?" : `Replay ${count} sessions?`}
      action="Replay"
      items={sessions}
      run={run}
      onOpen={(isOpen) => isOpen && setOthers([])}
      onDone={() => undefined}
    >
      <p>
        Each is run again on the newest version of its agent, one after another, with its first 20
        replies. Models are really called, and paid for. Tools and people are answered from the
        record, and a question without a recorded answer is denied; nothing is sent, stored or
        changed.
      </p>
      <p>
        {cost === null
          ? "What it may cost is not known: the recorded cost of a session is not."
          : `When they were recorded they have cost ${formatMoney(cost)} together.`}
      </p>
      {others.length > 0 && (
        <ul aria-label="Sessions that did not come out the same">
          {others.map(({ id, title, agent_id }) => (
            <li key={id}>
              <Link
                to="/agents/$agentId"
                params={{ agentId: agent_id }}
                search={{ tab: "replay", replay_session: id } as never}
              >
                <bdi>{title ?? id}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </ManyDialog>
  );
}

/** Null where a part of it is not known. */
function costOf(sessions: readonly SessionSummary[]): number | null {
  return sessions.reduce<number | null>(
    (sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd),
    0,
  );
}
