// Checks an agent: asks each model for one token and each tool's server whether it is there. Runs no tool.
import { hintFor, describeFailure } from "../../agent/explain-failure.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { probeModel } from "../../model/probe-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { AgentCheck, ModelCheck, ToolCheck } from "../../protocol/agents/agent-check.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";
import { baseUrlOf, type ModelDefinition } from "../../protocol/models/contract.ts";
import { CHECK_MS } from "../../protocol/diagnostics/limits.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { CODE_TOOLS } from "../../tools/code-tools.ts";
import { NOT_SENT, type CheckAccess, type ToolFinding } from "../../tools/tool-kind.ts";
import { checkRemoteAgent } from "../../tools/a2a/check-remote-agent.ts";
import { checkTool } from "../../tools/tool-kinds.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import type { CallLease } from "../auth/call-lease.ts";
import { speechProbes } from "./check-speech.ts";
import { codeAgentProbes } from "./code-agent-probes.ts";
import { openMcpServer } from "../mcp/open-mcp-server.ts";
import { tenantOf } from "../principal.ts";
import { runProbes, type Probe } from "./run-probes.ts";

type ModelFinding = Omit<ToolFinding, "name" | "method">;

const NO_TIME: ModelFinding = {
  ...NOT_SENT,
  status: "warning",
  note: "It was not checked: the time of the check was over.",
  hint: "Check the agent again, or give it fewer tools.",
};

/**
 * A few probes at a time; one that takes too long has failed, and those that had no turn before the time was over are
 * warnings. @throws when the master key does not fit.
 */
export async function checkAgent(
  context: AppContext,
  {
    agentId,
    snapshot,
    lease,
  }: {
    readonly agentId: string;
    readonly snapshot: AgentSnapshot;
    /** Held meanwhile. */
    readonly lease: CallLease;
  },
): Promise<Omit<AgentCheck, "warnings">> {
  const { env } = context;
  const tenant_id = tenantOf(context);
  const { definition, version } = snapshot;
  const opened = await openPinnedCredentials({ ...snapshot, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const trace = context.get("trace");
  const access: CheckAccess = {
    codeTools: CODE_TOOLS,
    findAgent: async (id, named) => {
      const { agents } = tenantStorage(env.DB, tenant_id);
      const found = await (named === undefined ? agents.read(id) : agents.readVersion(id, named));
      return found?.name ?? null;
    },
    openServer: (serverId) => openMcpServer(context, serverId, { lease, endUserId: null }),
    outgoing: createOutgoing({ ...egressRules(env), fetch, trace }),
    secrets: createSecretSource(opened),
  };
  const { compression_model: summariser } = definition.context ?? {};
  const models = [
    definition.model,
    ...(definition.fallback_models ?? []),
    ...(summariser ? [summariser] : []),
  ];
  const speech = speechProbes(definition.voice, access);
  const served = codeAgentProbes(definition.code_agent, access);
  const untilMs = Date.now() + CHECK_MS;
  let tokens = 0;
  const probes: readonly Probe<ToolFinding>[] = [
    ...models.map((model) => async (stop: StopSignal) => {
      const found = await checkModel(model, access, stop);
      tokens += found.tokens;
      return found.finding;
    }),
    ...definition.tools.map((tool) => (stop: StopSignal) => checkTool(tool, access, stop)),
    ...[...speech, ...served].map(({ run }) => run),
  ];
  const findings = await runProbes(probes, untilMs);
  const [model, ...others] = models.map((one, index): ModelCheck => ({
    name: one.name,
    provider: one.provider,
    credential_id: credentialOf(one),
    ...(findings[index] ?? { ...NO_TIME, duration_ms: 0 }),
  }));
  const tools = definition.tools.map((tool, index): ToolCheck => {
    const finding = findings[models.length + index] ?? { ...NO_TIME, duration_ms: 0 };
    const { name = nameOfTool(tool), method = null, ...found } = finding;
    return { name, type: tool.type, method, ...found };
  });
  if (!model) throw new Error("an agent has a model");
  const endpoints = [...speech, ...served].map(({ shown }, index): ModelCheck => ({
    ...shown,
    ...(findings[models.length + tools.length + index] ?? { ...NO_TIME, duration_ms: 0 }),
  }));
  const voice = endpoints.slice(0, speech.length);
  const code_agent = endpoints[speech.length];
  const ok = [model, ...others, ...tools, ...endpoints].every(({ status }) => status !== "failed");
  const fallbacks = summariser ? others.slice(0, -1) : others;
  const compression_model = (summariser && others.at(-1)) ?? null;
  const spoken = { ...(voice.length > 0 && { voice }), ...(code_agent && { code_agent }) };
  const found = { agent_id: agentId, version, ok, model, fallbacks, compression_model };
  return { ...found, ...spoken, tools, tokens };
}

async function checkModel(
  definition: ModelDefinition,
  access: Pick<CheckAccess, "outgoing" | "secrets">,
  stop: StopSignal,
): Promise<{ readonly finding: ModelFinding; readonly tokens: number }> {
  if (definition.provider === "scripted") {
    const note = "The embedded model needs no network.";
    return { finding: { ...NOT_SENT, status: "ok", note, hint: null }, tokens: 0 };
  }
  if (definition.provider === "a2a") {
    return { finding: await checkRemoteAgent(definition, access, stop), tokens: 0 };
  }
  const host = hostOf(baseUrlOf(definition));
  const decideTurn = () => ({ parts: [] });
  const probe = await probeModel(definition, { ...access, decideTurn }, stop);
  const isLate = stop.aborted && !probe.hasSaid && !probe.failure;
  const failure = isLate ? ({ kind: "timeout" } as const) : probe.failure;
  if (!failure) {
    const note = probe.hasSaid
      ? "The model answered."
      : "The model answered without a word: it may think first, for which one token is too few.";
    const finding: ModelFinding = { ...NOT_SENT, host, status: "ok", note, hint: null };
    return { finding, tokens: probe.tokens };
  }
  const { kind, http_status = null, code = null, message = null } = failure;
  const party = {
    name: `The model endpoint ${host}`,
    isModel: true,
    credential_id: credentialOf(definition),
  };
  const note = `${describeFailure({ kind, http_status, code }, party)}.`;
  const hint = hintFor({ kind }, party);
  // The provider takes requests and this credential, only not now.
  const status = kind === "rate_limited" ? "warning" : "failed";
  const finding: ModelFinding = { status, host, http_status, kind, code, message, note, hint };
  return { finding, tokens: probe.tokens };
}

function credentialOf(model: ModelDefinition): string | null {
  return model.provider === "scripted" ? null : (model.credential_id ?? null);
}

/** The name of a tool that was not asked. */
function nameOfTool(tool: ToolDefinition): string {
  return tool.type === "mcp" ? tool.server_id : tool.name;
}
