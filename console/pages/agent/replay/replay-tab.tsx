import { History } from "lucide-react";

import type { Agent, Replay } from "../../../../sdk/index.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { failureText } from "../../../components/failure-text.ts";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import type { Filters } from "../../../components/use-filters.ts";
import { ReplayForm } from "./replay-form.tsx";
import { ReplayReport } from "./replay-report.tsx";
import { useReplayRun, type ReplayRunState } from "./use-replay-run.ts";

interface ReplayTabProps {
  readonly agent: Agent;
  /** Definition in the editor that is not saved; null for none. */
  readonly draft: JsonObject | null;
  readonly filters: Filters;
}

/** A recorded session on another version of its agent: what would have changed. */
export function ReplayTab({ agent, draft, filters }: ReplayTabProps) {
  const { state, start, stop } = useReplayRun(agent.id);
  return (
    <div className="replay-tab">
      <ReplayForm
        agent={agent}
        draft={draft}
        filters={filters}
        isRunning={state.kind === "running"}
        onStart={start}
        onStop={stop}
      />
      <RunState
        state={state}
        onNext={({ next_reply_id }) => filters.set("replay_from", next_reply_id ?? "")}
      />
    </div>
  );
}

interface RunStateProps {
  readonly state: ReplayRunState;
  /** Chooses the replies for which this replay had no place. */
  readonly onNext: (replay: Replay) => void;
}

function RunState({ state, onNext }: RunStateProps) {
  switch (state.kind) {
    case "none":
      return (
        <EmptyState icon={History} title="What would another version have done?">
          <p>
            Choose a session that happened. Its messages are answered again by the version that you
            choose, and you see which calls, answers, approvals and costs are different.
          </p>
        </EmptyState>
      );
    case "running":
      return <Progress state={state} />;
    case "failed":
      return (
        <p role="alert" className="notice" data-tone="bad">
          {failureText(state.error)}
        </p>
      );
    case "done":
      return <ReplayReport replay={state.replay} onNext={() => onNext(state.replay)} />;
  }
}

function Progress({ state }: { readonly state: ReplayRunState & { readonly kind: "running" } }) {
  const { progress } = state;
  return (
    <div className="replay-progress">
      <p role="status">
        {progress
          ? `Reply ${progress.number} of ${progress.replies} is run again…`
          : "Reading the record…"}
      </p>
      <progress
        aria-label="Progress of the replay"
        max={progress?.replies ?? 1}
        // The reply that runs counts as half.
        value={progress ? progress.number - 0.5 : 0}
      />
      <p className="quiet">It ends when you leave this page.</p>
    </div>
  );
}
