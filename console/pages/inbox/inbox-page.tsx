import { Inbox, RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";

import type { Confirmation, ConfirmationFilter } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { FilterBar, type FilterField } from "../../components/filter-bar.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useFilters } from "../../components/use-filters.ts";
import { answerCalls, keyOfCall, type CallAnswer, type CallOutcome } from "./answer-calls.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CallCard } from "./call-card.tsx";
import { InboxTabs } from "./inbox-tabs.tsx";
import { OutcomeList } from "./outcome-list.tsx";
import { useWaitingCalls } from "./use-waiting-calls.ts";

const FIELDS: readonly FilterField[] = [
  {
    name: "kind",
    label: "Waits for",
    kind: "choice",
    options: [
      ["permission", "Permission"],
      ["external_result", "A result"],
    ],
  },
  { name: "tool_name", label: "Tool", kind: "text" },
  { name: "end_user_id", label: "End user", kind: "text" },
  { name: "agent_id", label: "Agent id", kind: "text" },
  { name: "session_id", label: "Session id", kind: "text" },
];
/** Milliseconds after which ages and expiries are written anew. */
const CLOCK_MS = 15_000;

/** Everything that waits across the tenant, as it comes and goes, to be answered one by one or together. */
export function InboxPage() {
  const reprise = useReprise();
  const filters = useFilters();
  const filter = toFilter(filters.values);
  const { calls, isLoading, error, loadMore, look } = useWaitingCalls(filter);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<Confirmation | null>(null);
  const [outcomes, setOutcomes] = useState<readonly CallOutcome[]>([]);
  const mayAnswer = useMay("confirmations:write");
  useClock();

  const openedKey = opened && keyOfCall(opened);
  const isGone = openedKey !== null && !calls.some((call) => keyOfCall(call) === openedKey);
  // A call that a person is about to answer stays in view when it stops waiting.
  const shown = isGone && opened ? [opened, ...calls] : calls;
  const choosable = mayAnswer ? calls.filter(({ kind }) => kind === "permission") : [];
  const chosenCalls = choosable.filter((call) => chosen.has(keyOfCall(call)));

  async function answer(answers: readonly CallAnswer[]): Promise<void> {
    const told = await answerCalls(reprise, answers);
    // The form of a question stays with what was typed when its answer is refused: the call still waits.
    const closing = told.filter(({ kind, call }) => kind !== "refused" || !call.elicitation);
    const keys = new Set(closing.map(({ call }) => keyOfCall(call)));
    setOutcomes((before) => [...told, ...before]);
    setChosen((before) => new Set([...before].filter((key) => !keys.has(key))));
    setOpened((before) => (before && keys.has(keyOfCall(before)) ? null : before));
    await look();
  }

  async function tellSignedIn(call: Confirmation): Promise<void> {
    const intent = "signed in";
    setOutcomes((before) => [{ call, intent, kind: "done", detail: intent }, ...before]);
    setOpened(null);
    await look();
  }

  return (
    <div className="detail-page">
      <PageHeader
        title="Approvals"
        subtitle="Calls of all sessions that wait for a person or a result, oldest first"
      >
        <button type="button" className="button" onClick={() => void look()}>
          <RefreshCw size={16} aria-hidden />
          Refresh
        </button>
      </PageHeader>
      <InboxTabs shown="waiting" />
      <FilterBar fields={FIELDS} filters={filters} />
      {outcomes.length > 0 && <OutcomeList outcomes={outcomes} onClear={() => setOutcomes([])} />}
      {isLoading && <LoadingState label="Loading what waits…" />}
      {error && calls.length === 0 && <ErrorState error={error} onRetry={() => void look()} />}
      {error && calls.length > 0 && (
        <p role="status" className="notice" data-tone="waiting">
          The platform does not answer. This list may be old; it is asked for again.
        </p>
      )}
      {!isLoading && !error && shown.length === 0 && (
        <NothingWaits isFiltered={Object.keys(filter).length > 0} />
      )}
      {choosable.length > 1 && (
        <label className="check-field">
          <input
            type="checkbox"
            checked={chosenCalls.length === choosable.length}
            onChange={({ currentTarget }) =>
              setChosen(new Set(currentTarget.checked ? choosable.map(keyOfCall) : []))
            }
          />
          Choose all {choosable.length} that ask for permission
        </label>
      )}
      <ul className="card-list" aria-label="Waiting calls">
        {shown.map((call) => {
          const key = keyOfCall(call);
          return (
            <CallCard
              key={key}
              call={call}
              isGone={isGone && key === openedKey}
              isOpen={key === openedKey}
              onOpen={(isOpen) => setOpened(isOpen ? call : null)}
              isChosen={chosen.has(key)}
              onChoose={(isChosen) => {
                const next = new Set(chosen);
                if (isChosen) next.add(key);
                else next.delete(key);
                setChosen(next);
              }}
              onAnswer={(one) => answer([one])}
              onSignedIn={() => void tellSignedIn(call)}
            />
          );
        })}
      </ul>
      {loadMore && (
        <button type="button" className="button" onClick={loadMore}>
          Show more
        </button>
      )}
      {chosenCalls.length > 0 && (
        <BulkBar calls={chosenCalls} onAnswer={answer} onClear={() => setChosen(new Set())} />
      )}
    </div>
  );
}

function NothingWaits({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={Inbox} title="Nothing that waits fits these filters">
        <p>Take one off, or check the spelling: filters compare whole names and ids.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Inbox} title="Nothing waits">
      <p>
        Calls appear here by themselves when a permission rule asks a person, or when a tool waits
        for a result from elsewhere.
      </p>
      <p>
        <a href="/docs/permissions">Read how permissions decide</a>
      </p>
    </EmptyState>
  );
}

/** Draws the page anew from time to time, since ages and expiries are of the moment. */
function useClock(): void {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, []);
}

function toFilter(values: Readonly<Record<string, string>>): ConfirmationFilter {
  const names = FIELDS.map(({ name }) => name).filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as ConfirmationFilter;
}
