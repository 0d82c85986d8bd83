import { useMutation } from "@tanstack/react-query";
import { Stethoscope } from "lucide-react";

import type { AgentCheck, ModelCheck, ToolCheck } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { sentenceOf } from "../../components/failure-text.ts";
import { LoadingState } from "../../components/loading-state.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { WarningList } from "../../components/warning-list.tsx";

interface CheckViewProps {
  readonly agentId: string;
  readonly version: number;
}

/** Asks the agent's models for one token each, and its tools' servers whether they are there. */
export function CheckView({ agentId, version }: CheckViewProps) {
  const reprise = useReprise();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => reprise.agents.check(agentId, { version }),
  });
  const start = () => mutate();
  if (isPending) return <LoadingState label="Asking the models and the tools' servers…" />;
  if (error) return <ErrorState error={error} onRetry={start} />;
  if (!data) {
    return (
      <EmptyState icon={Stethoscope} title="Do its models and tools answer?">
        <p>
          Each model is asked for one token, which counts for the day's quota; each tool's server is
          asked whether it is there. No tool runs.
        </p>
        <button type="button" className="button button-primary" onClick={start}>
          Check version {version}
        </button>
      </EmptyState>
    );
  }
  return <Found check={data} onAgain={start} />;
}

function Found({ check, onAgain }: { readonly check: AgentCheck; readonly onAgain: () => void }) {
  const { model, fallbacks, compression_model, voice = [], tools, tokens, ok, version } = check;
  return (
    <section className="check" aria-label="Check">
      <header className="version-head">
        <h2>{ok ? `Version ${version} can run` : `Version ${version} would fail`}</h2>
        <span className="quiet">{tokens.toLocaleString()} tokens used</span>
        <button type="button" className="button" onClick={onAgain}>
          Check again
        </button>
      </header>
      <WarningList warnings={check.warnings} />
      <ul className="check-list" aria-label="Findings">
        <Finding finding={model} what="Model" />
        {fallbacks.map((one, index) => (
          // Two fallbacks may be the same model.
          <Finding key={index} finding={one} what={`Fallback ${index + 1}`} />
        ))}
        {compression_model && <Finding finding={compression_model} what="Summaries" />}
        {voice.map((finding, index) => (
          <Finding key={index} finding={finding} what="Voice" />
        ))}
        {tools.map((one) => (
          <Finding key={one.name} finding={one} what={`Tool, ${one.type}`} />
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  readonly finding: ModelCheck | ToolCheck;
  readonly what: string;
}

function Finding({ finding, what }: FindingProps) {
  const { name, status, host, http_status, message, duration_ms, note, hint } = finding;
  return (
    <li className="check-finding">
      <div className="check-head">
        <StatusBadge status={status} />
        <strong className="code">{name}</strong>
        <span className="quiet">
          {what}
          {host !== null && ` · ${host}`}
          {http_status !== null && ` · ${http_status}`} · {duration_ms.toLocaleString()} ms
        </span>
      </div>
      <p>{sentenceOf(note)}</p>
      {message !== null && <p className="quiet">{message}</p>}
      {hint !== null && <p className="check-hint">{hint}</p>}
    </li>
  );
}
