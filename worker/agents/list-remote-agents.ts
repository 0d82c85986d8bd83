// The agents of other systems that an agent has, each with its card as it is now.
import type { RemoteFailureNote } from "../../durable-objects/api/tenant-api.ts";
import type { StopSignal } from "../../agent/ports.ts";
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import type { RemoteAgentList, RemoteAgentView } from "../../protocol/agents/remote-agents.ts";
import { CHECK_MS } from "../../protocol/diagnostics/limits.ts";
import { LEASE_WAIT_MS } from "../../protocol/quotas/limits.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { sourceOf, viewRemoteAgent } from "../../tools/a2a/view-remote-agent.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { runProbes } from "./run-probes.ts";
import type { AppContext } from "../app-env.ts";
import { CallLease } from "../auth/call-lease.ts";
import { tenantOf } from "../principal.ts";

interface Named {
  /** Null for the agent's model. */
  readonly tool_name: string | null;
  readonly agent: RemoteAgent;
}

interface Looked {
  readonly agentId: string;
  readonly snapshot: AgentSnapshot;
  readonly named: readonly Named[];
}

const LATE = {
  card: null,
  failure: {
    kind: "timeout",
    http_status: null,
    note: "It was not asked: the time was over.",
    hint: "Look again, or give the agent fewer tools.",
  },
  duration_ms: 0,
} as const satisfies Partial<RemoteAgentView>;

/** The list is made under a lease like a call of a tool, so that it obeys the tenant's quotas. */
export async function listRemoteAgents(
  context: AppContext,
  agentId: string,
  snapshot: AgentSnapshot,
): Promise<RemoteAgentList> {
  const named = remotesOf(snapshot);
  if (named.length === 0) return { data: [] };
  return {
    data: await new CallLease(context).hold(() => look(context, { agentId, snapshot, named })),
  };
}

function remotesOf({ definition: { model, tools } }: AgentSnapshot): readonly Named[] {
  const inPlaceOfModel = model.provider === "a2a" ? [{ tool_name: null, agent: model }] : [];
  const called = tools.flatMap((tool) =>
    tool.type === "a2a" ? [{ tool_name: tool.name, agent: tool }] : [],
  );
  return [...inPlaceOfModel, ...called];
}

async function look(
  context: AppContext,
  { agentId, snapshot, named }: Looked,
): Promise<readonly RemoteAgentView[]> {
  const { env } = context;
  const tenant_id = tenantOf(context);
  // A registry may want an account.
  const opened = await openPinnedCredentials({ ...snapshot, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const trace = context.get("trace");
  const ports = {
    outgoing: createOutgoing({ ...egressRules(env), fetch, trace }),
    secrets: createSecretSource(opened),
  };
  const probes = named.map(({ agent }) => async (stop: StopSignal) => {
    const connection = new AbortController();
    stop.addEventListener("abort", () => connection.abort(), { once: true });
    return viewRemoteAgent(agent, ports, connection.signal);
  });
  const [found, failures] = await Promise.all([
    runProbes(probes, Date.now() + CHECK_MS),
    lastFailures(context, agentId),
  ]);
  return named.map(({ tool_name, agent }, index) => ({
    tool_name,
    ...sourceOf(agent),
    ...(found[index] ?? LATE),
    last_failure: failureOf(failures, tool_name),
  }));
}

/** None where the tenant's object cannot be asked: the cards are worth showing without. */
async function lastFailures(
  context: AppContext,
  agentId: string,
): Promise<readonly RemoteFailureNote[]> {
  try {
    const asked = tenantStub(context.env, tenantOf(context)).readRemoteFailures(agentId);
    return await withinDeadline(asked, LEASE_WAIT_MS);
  } catch (error) {
    console.warn("the failures of remote agents could not be read", { error: String(error) });
    return [];
  }
}

function failureOf(
  failures: readonly RemoteFailureNote[],
  toolName: string | null,
): RemoteAgentView["last_failure"] {
  const found = failures.find(({ tool_name }) => tool_name === (toolName ?? ""));
  if (!found) return null;
  const { kind, http_status, failed_at } = found;
  return { kind, http_status, failed_at };
}
