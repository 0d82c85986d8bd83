import { useQuery, useQueryClient } from "@tanstack/react-query";
import { History, RotateCcw } from "lucide-react";
import { useMemo } from "react";

import type { Agent } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { JsonViewer } from "../../components/json-viewer.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import type { Filters } from "../../components/use-filters.ts";
import { PAGE_ROWS, usePaged } from "../../components/use-paged.ts";
import { ChangeList } from "./change-list.tsx";
import { changesBetween, definitionIn } from "./definition.ts";
import { RetireVersion } from "./retire-version.tsx";

interface VersionsViewProps {
  readonly agent: Agent;
  /** State of the address, which names the version that is shown, and the one that it is compared with. */
  readonly filters: Filters;
}

/** All versions, what each has changed, and the way back to one. */
export function VersionsView({ agent, filters }: VersionsViewProps) {
  const reprise = useReprise();
  const { rows, isLoading, error, loadMore, reload } = usePaged(
    ["agent-versions", agent.id],
    reprise.agents.versions(agent.id, { limit: PAGE_ROWS }),
  );
  if (isLoading) return <LoadingState label="Loading the versions…" />;
  if (error && rows.length === 0) return <ErrorState error={error} onRetry={reload} />;
  const shown = Number(filters.values["version"] ?? agent.version);
  const against = filters.values["against"] === "newest" ? agent.version : shown - 1;
  return (
    <div className="versions">
      <ol className="version-list" aria-label="Versions">
        {rows.map(({ version, created_at, retired_at }) => (
          <li key={version}>
            <button
              type="button"
              className="version-row"
              aria-pressed={version === shown}
              onClick={() => filters.set("version", String(version))}
            >
              <strong>v{version}</strong>
              {version === agent.version && <span className="badge">newest</span>}
              {retired_at && <span className="badge">retired</span>}
              <TimeStamp at={created_at} />
            </button>
          </li>
        ))}
        {loadMore && (
          <li>
            <button type="button" className="button" onClick={loadMore}>
              Older versions
            </button>
          </li>
        )}
      </ol>
      <Comparison
        key={`${shown} ${against}`}
        agent={agent}
        shown={shown}
        against={against}
        filters={filters}
        isRetired={rows.some(({ version, retired_at }) => version === shown && Boolean(retired_at))}
      />
    </div>
  );
}

interface ComparisonProps {
  readonly agent: Agent;
  readonly shown: number;
  readonly against: number;
  readonly filters: Filters;
  readonly isRetired: boolean;
}

function Comparison({ agent, shown, against, filters, isRetired }: ComparisonProps) {
  const after = useVersion(agent.id, shown);
  const before = useVersion(agent.id, against);
  const error = after.error ?? before.error;
  if (error) return <ErrorState error={error} />;
  if (!after.data || (against > 0 && !before.data)) {
    return <LoadingState label="Loading the version…" />;
  }
  const isNewest = shown === agent.version;
  return (
    <section className="version-detail" aria-label={`Version ${shown}`}>
      <header className="version-head">
        <h2>Version {shown}</h2>
        {!isNewest && (
          <select
            className="input version-against"
            aria-label="Compare with"
            value={filters.values["against"] ?? ""}
            onChange={(event) => filters.set("against", event.target.value)}
          >
            <option value="">changes since v{shown - 1}</option>
            <option value="newest">compared with the newest, v{agent.version}</option>
          </select>
        )}
        {!isNewest && <RetireVersion agentId={agent.id} version={shown} isRetired={isRetired} />}
        {!isNewest && <RollBack agent={agent} version={shown} definition={after.data} />}
      </header>
      {before.data ? (
        <ChangeList before={before.data} after={after.data} />
      ) : (
        <EmptyState icon={History} title="The first version">
          <p>There is nothing before it to compare with.</p>
        </EmptyState>
      )}
      <details>
        <summary>The whole definition</summary>
        <JsonViewer value={after.data} label={`definition of version ${shown}`} />
      </details>
    </section>
  );
}

/** A version's definition. Versions never change. */
function useVersion(agentId: string, version: number) {
  const reprise = useReprise();
  const isOne = Number.isInteger(version) && version > 0;
  const { data, error } = useQuery({
    queryKey: ["agent-version", agentId, version],
    queryFn: () => reprise.agents.version(agentId, version),
    enabled: isOne,
    staleTime: Infinity,
  });
  return { data: useMemo(() => data && definitionIn(data), [data]), error };
}

interface RollBackProps {
  readonly agent: Agent;
  readonly version: number;
  readonly definition: Readonly<Record<string, unknown>>;
}

function RollBack({ agent, version, definition }: RollBackProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  if (!useMay("agents:write")) return null;
  return (
    <DangerDialog
      button={{ text: `Go back to v${version}`, icon: RotateCcw }}
      title={`Go back to version ${version}?`}
      action="Go back"
      onConfirm={async () => {
        // The definition that is stored by now: another tab may have saved since.
        const current = await reprise.agents.get(agent.id);
        const changes = changesBetween(definitionIn(current), definition);
        const changed = await reprise.agents.update(agent.id, changes);
        queries.removeQueries({ queryKey: ["agents"] });
        await queries.resetQueries({ queryKey: ["agent-versions", agent.id] });
        queries.setQueryData(["agent", agent.id], changed);
      }}
    >
      <p>
        A new version {agent.version + 1} is made with its definition; no version is lost. New
        sessions, and those that follow the latest, take it.
      </p>
    </DangerDialog>
  );
}
