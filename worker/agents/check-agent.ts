// Checks an agent: asks each model for one token and each tool's server whether it is there. Runs no tool.
import { describeLeftOut } from "../../agent/mcp/describe-left-out.ts";
import { selectTools } from "../../agent/mcp/select-tools.ts";
import { hintFor, describeFailure } from "../../agent/explain-failure.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { probeModel } from "../../model/probe-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing, type OutgoingFetch } from "../../outgoing/outgoing.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import { createSecretSource, type SecretSource } from "../../outgoing/secret-source.ts";
import type { AgentCheck, ModelCheck, ToolCheck } from "../../protocol/agents/agent-check.ts";
import type { ToolDefinition } from "../../protocol/agents/contract.ts";
import type { McpTool } from "../../protocol/tools/mcp-tool.ts";
import { baseUrlOf, type ModelDefinition } from "../../protocol/models/contract.ts";
import {
  CHECK_MS,
  CHECK_PROBE_MS,
  MAX_PARALLEL_PROBES,
} from "../../protocol/diagnostics/limits.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { CODE_TOOLS } from "../../tools/code-tools.ts";
import { probeHttpTool } from "../../tools/probe-http-tool.ts";
import type { AppContext } from "../app-env.ts";
import type { CallLease } from "../auth/call-lease.ts";
import { openMcpServer } from "../mcp/open-mcp-server.ts";
import { tenantOf } from "../principal.ts";

interface Probing {
  readonly context: AppContext;
  readonly lease: CallLease;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

type Finding = Pick<
  ModelCheck,
  "status" | "host" | "http_status" | "kind" | "code" | "message" | "note" | "hint"
> & {
  /** The name of the MCP server that was asked. */
  readonly server?: string;
};

const NOT_SENT = { host: null, http_status: null, kind: null, code: null, message: null } as const;
const NO_TIME: Finding = {
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
): Promise<AgentCheck> {
  const { env } = context;
  const tenant_id = tenantOf(context);
  const { definition, version } = snapshot;
  const opened = await openPinnedCredentials({ ...snapshot, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const trace = context.get("trace");
  const probing: Probing = {
    context,
    lease,
    outgoing: createOutgoing({ ...egressRules(env), fetch, trace }),
    secrets: createSecretSource(opened),
  };
  const { compression_model: summariser } = definition.context ?? {};
  const models = [
    definition.model,
    ...(definition.fallback_models ?? []),
    ...(summariser ? [summariser] : []),
  ];
  const untilMs = Date.now() + CHECK_MS;
  let tokens = 0;
  const probes = [
    ...models.map((model) => async (stop: StopSignal) => {
      const found = await checkModel(model, probing, stop);
      tokens += found.tokens;
      return found.finding;
    }),
    ...definition.tools.map((tool) => (stop: StopSignal) => checkTool(tool, probing, stop)),
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
    const name = tool.type === "mcp" ? (finding.server ?? tool.server_id) : tool.name;
    const { server: _server, ...found } = finding;
    return { name, type: tool.type, method: methodOf(tool, finding), ...found };
  });
  if (!model) throw new Error("an agent has a model");
  const ok = [model, ...others, ...tools].every(({ status }) => status !== "failed");
  const fallbacks = summariser ? others.slice(0, -1) : others;
  const compression_model = (summariser && others.at(-1)) ?? null;
  return { agent_id: agentId, version, ok, model, fallbacks, compression_model, tools, tokens };
}

type Probe = (stop: StopSignal) => Promise<Finding>;
type TimedFinding = Finding & { readonly duration_ms: number };

/** Null for a probe that had no turn. */
async function runProbes(
  probes: readonly Probe[],
  untilMs: number,
): Promise<readonly (TimedFinding | null)[]> {
  const findings: (TimedFinding | null)[] = probes.map(() => null);
  const waiting = probes.entries();
  await Promise.all(Array.from({ length: MAX_PARALLEL_PROBES }, work));
  return findings;

  async function work(): Promise<void> {
    for (const [index, probe] of waiting) {
      const beganMs = Date.now();
      const leftMs = untilMs - beganMs;
      if (leftMs <= 0) return;
      const stop = AbortSignal.timeout(Math.min(CHECK_PROBE_MS, leftMs));
      const finding = await probe(stop);
      findings[index] = { ...finding, duration_ms: Math.max(Date.now() - beganMs, 0) };
    }
  }
}

async function checkModel(
  definition: ModelDefinition,
  probing: Probing,
  stop: StopSignal,
): Promise<{ readonly finding: Finding; readonly tokens: number }> {
  if (definition.provider === "scripted") {
    const note = "The embedded model needs no network.";
    return { finding: { ...NOT_SENT, status: "ok", note, hint: null }, tokens: 0 };
  }
  const host = hostOf(baseUrlOf(definition));
  const decideTurn = () => ({ parts: [] });
  const probe = await probeModel(definition, { ...probing, decideTurn }, stop);
  const isLate = stop.aborted && !probe.hasSaid && !probe.failure;
  const failure = isLate ? ({ kind: "timeout" } as const) : probe.failure;
  if (!failure) {
    const note = probe.hasSaid
      ? "The model answered."
      : "The model answered without a word: it may think first, for which one token is too few.";
    const finding: Finding = { ...NOT_SENT, host, status: "ok", note, hint: null };
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
  const finding: Finding = { status, host, http_status, kind, code, message, note, hint };
  return { finding, tokens: probe.tokens };
}

async function checkTool(
  tool: ToolDefinition,
  probing: Probing,
  stop: StopSignal,
): Promise<Finding> {
  if (tool.type === "external") {
    const note = "An external system runs it: nothing is sent to it.";
    return { ...NOT_SENT, status: "ok", note, hint: null };
  }
  if (tool.type === "code") {
    return CODE_TOOLS.some(({ name }) => name === tool.name)
      ? { ...NOT_SENT, status: "ok", note: "It is deployed with the platform.", hint: null }
      : {
          ...NOT_SENT,
          status: "failed",
          kind: "not_found",
          note: "It is not deployed with the platform any more.",
          hint: "Leave it out, or ask the operator to deploy it.",
        };
  }
  if (tool.type === "mcp") return checkMcp(tool, probing, stop);
  const { address, method: _, ...found } = await probeHttpTool(tool, { ...probing, stop });
  const credential_id = tool.credential_id ?? Object.values(tool.secret_headers ?? {})[0] ?? null;
  const party = { name: `The tool ${tool.name}`, isModel: false, credential_id };
  const hint = found.kind && hintFor({ kind: found.kind }, party);
  return { ...found, host: hostOf(address), code: null, message: null, hint };
}

/** Asks the server for its tools, as a reply would, and whatever it did a moment ago. */
async function checkMcp(
  tool: McpTool,
  { context, lease }: Probing,
  stop: StopSignal,
): Promise<Finding> {
  const opened = await openMcpServer(context, tool.server_id, { lease, endUserId: null });
  if (!opened) {
    const note = "The MCP server does not exist any more.";
    const hint = "Leave it out, or name another one.";
    return { ...NOT_SENT, status: "failed", kind: "not_found", note, hint };
  }
  const { server } = opened;
  const asked = { ...NOT_SENT, host: hostOf(server.url), server: server.name };
  const listed = await opened.list(stop);
  opened.link?.close();
  if (!listed.ok) {
    const { kind, http_status = null, message = null, reason } = listed.failure;
    const credential_id = server.credential_id ?? null;
    const party = { name: `The MCP server ${server.name}`, isModel: false, credential_id };
    const hint = hintFor({ kind }, party);
    return { ...asked, status: "failed", http_status, kind, message, note: reason, hint };
  }
  const { tools, rest } = listed.catalogue;
  const offered = selectTools(tool, tools).length;
  const note = `It lists ${tools.length} tools, and ${offered} of them are offered.`;
  const left = describeLeftOut(rest);
  if (left) return { ...asked, status: "warning", note, hint: left.detail };
  if (offered > 0) return { ...asked, status: "ok", note, hint: null };
  const hint = "See GET /v1/mcp-servers/{id}/tools for why; compare `enable` with the names there.";
  return { ...asked, status: "warning", note, hint };
}

function credentialOf(model: ModelDefinition): string | null {
  return model.provider === "scripted" ? null : (model.credential_id ?? null);
}

/** The method of the request that was sent, or would have been. */
function methodOf(tool: ToolDefinition, { host }: Finding): ToolCheck["method"] {
  if (host === null) return null;
  if (tool.type === "mcp") return "POST";
  if (tool.type !== "http") return null;
  return tool.check_url === undefined ? "OPTIONS" : "GET";
}
