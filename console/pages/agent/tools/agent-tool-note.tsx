import { Bot } from "lucide-react";

import { EmptyState } from "../../../components/empty-state.tsx";

/** In place of a form: a reply alone calls an agent. */
export function AgentToolNote() {
  return (
    <EmptyState icon={Bot} title="Another agent works on it">
      <p>
        Each call of an agent is a session of its own, which a reply waits for, so there is nothing
        to call here. Talk to the agent itself, or try this one in the playground.
      </p>
    </EmptyState>
  );
}
