import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";

import type { RuleTestResult, SessionRule, TenantSession, Warning } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { useWarnings } from "../../components/use-warnings.ts";
import { WarningList } from "../../components/warning-list.tsx";
import { AddRule } from "./add-rule.tsx";
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
  const own = data?.filter(({ id }) => id !== null) ?? [];
  const warnings = useWarnings(mayWrite && own.length > 0 ? own.map(toInput) : null, {
    name: `rules of ${sessionId}`,
    check: (rules, options) => handle.permissionRules.validate(rules, options),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the rules…" />;
  const reload = async () => {
    setResult(null);
    await queries.invalidateQueries({ queryKey: key });
  };
  const mode = session?.permission.mode ?? agent?.permission.mode ?? "default";
  return (
    <div className="panel-columns">
      <section className="panel" aria-label="Rules">
        <div className="panel-head">
          <h2>In order of precedence</h2>
          <Link to="/sessions/$sessionId" params={{ sessionId }}>
            The session
          </Link>
          {mayWrite && (
            <AddDialog label="Add a rule" title="Add a rule to this session" isSecondary>
              {(close) => <AddRule session={handle} onAdded={reload} onClose={close} />}
            </AddDialog>
          )}
        </div>
        <WarningList warnings={warnings.map((warning) => ofRule(own, warning))} />
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
                      await reload();
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

function toInput({ tool_name, rule_content, behavior, source }: SessionRule) {
  return { tool_name, rule_content, behavior: behavior as "allow" | "ask" | "deny", source };
}

/** The warning with the rule's words in place of its pointer. */
function ofRule(rules: readonly SessionRule[], { pointer, detail }: Warning): Warning {
  const [, index = ""] = /^#\/rules\/(\d+)/.exec(pointer) ?? [];
  const rule = rules[Number(index)];
  if (!rule) return { pointer, detail };
  const content = rule.rule_content ? `(${rule.rule_content})` : "";
  return { pointer: `${rule.behavior} ${rule.tool_name}${content}`, detail };
}

/** All of them: a session has 1,000 at most. */
async function readRules(handle: TenantSession): Promise<readonly SessionRule[]> {
  const rules: SessionRule[] = [];
  for await (const rule of handle.permissionRules.list({ limit: 100 })) rules.push(rule);
  return rules;
}
