import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import type { RuleTestResult, SessionRule, TenantSession } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { Precedence } from "./precedence.tsx";
import { TryCall } from "./try-call.tsx";

/** A session's mode, its own rules and its agent's, and a call to try. */
export function SessionRules({ sessionId }: { readonly sessionId: string }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const handle = reprise.session(sessionId);
  const mayWrite = useMay("permission_rules:write");
  const mayReadSession = useMay("sessions:read");
  const mayReadAgents = useMay("agents:read");
  const [result, setResult] = useState<RuleTestResult | null>(null);
  const key = ["session-rules", sessionId];
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => readRules(handle),
  });
  const { data: session } = useQuery({
    queryKey: ["session", sessionId],
    enabled: mayReadSession,
    queryFn: () => handle.get(),
  });
  const { data: agent } = useQuery({
    queryKey: ["agent-version", session?.agent_id, session?.agent_version],
    enabled: mayReadAgents && session !== undefined,
    queryFn: () => reprise.agents.version(session?.agent_id ?? "", session?.agent_version ?? 0),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the rules…" />;
  const mode = session?.permission.mode ?? agent?.permission.mode ?? "default";
  return (
    <div className="panel-columns">
      <section className="panel" aria-label="Rules">
        <div className="panel-head">
          <h2>In order of precedence</h2>
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            The session
          </Link>
        </div>
        <Precedence
          mode={mode}
          result={result}
          rules={data.map((rule, index) => ({
            ...rule,
            key: rule.id ?? `${index}`,
            ...(mayWrite &&
              rule.id !== null && {
                action: (
                  <DangerDialog
                    button={{ name: `Remove the rule about ${rule.tool_name}`, look: "small" }}
                    title="Remove this rule?"
                    action="Remove"
                    onConfirm={async () => {
                      await handle.permissionRules.delete(rule.id ?? "");
                      setResult(null);
                      await queries.invalidateQueries({ queryKey: key });
                    }}
                  >
                    <p>Calls that it decided are decided by what comes after it.</p>
                  </DangerDialog>
                ),
              }),
          }))}
        />
      </section>
      <TryCall
        tools={agent?.tools.flatMap((tool) => ("name" in tool ? [tool.name] : [])) ?? []}
        result={result}
        onResult={setResult}
        onTry={(call) => handle.permissionRules.test(call)}
      />
    </div>
  );
}

/** All of them: a session has 1,000 at most. */
async function readRules(handle: TenantSession): Promise<readonly SessionRule[]> {
  const rules: SessionRule[] = [];
  for await (const rule of handle.permissionRules.list({ limit: 100 })) rules.push(rule);
  return rules;
}
