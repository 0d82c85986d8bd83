import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { RuleTestResult } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { Precedence } from "./precedence.tsx";
import { TryCall } from "./try-call.tsx";
import { TryRules } from "./try-rules.tsx";

/** An agent's mode and rules, a call to try, and other rules to try on past calls. */
export function AgentRules({ agentId }: { readonly agentId: string }) {
  const reprise = useReprise();
  const [result, setResult] = useState<RuleTestResult | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["agent", agentId],
    queryFn: () => reprise.agents.get(agentId),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the agent…" />;
  const { mode, rules } = data.permission;
  const tools = data.tools.flatMap((tool) => ("name" in tool ? [tool.name] : []));
  return (
    <>
      <div className="panel-columns">
        <section className="panel" aria-label="Rules">
          <div className="panel-head">
            <h2>In order of precedence</h2>
            <span className="quiet">version {data.version}</span>
          </div>
          <Precedence
            mode={mode}
            result={result}
            rules={rules.map((rule, index) => ({ ...rule, scope: "agent", key: `${index}` }))}
          />
        </section>
        <TryCall
          tools={tools}
          result={result}
          onResult={setResult}
          onTry={(call) => reprise.agents.testPermission(agentId, call)}
        />
      </div>
      <TryRules key={data.version} agent={data} tools={tools} />
    </>
  );
}
