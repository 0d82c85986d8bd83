// Calls a tool of an agent by hand, outside any session.
import { keepMedia } from "../../agent/tool-call/keep-media.ts";
import type { StopSignal, ToolChunk } from "../../agent/ports.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import { CALLED_BY_HAND, type CalledTool } from "../../protocol/tools/tool-calls.ts";
import { MAX_HAND_CALL_CHARACTERS, HAND_CALL_MS } from "../../protocol/diagnostics/limits.ts";
import { DEFAULT_TOOL_MAX_BYTES } from "../../protocol/tools/limits.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { createToolRunner } from "../../tools/tool-runner.ts";
import type { AppContext } from "../app-env.ts";
import type { CallLease } from "../auth/call-lease.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";

export interface HandCall {
  readonly tool_call_id: string;
  readonly name: string;
  /** Valid against the tool's schema. */
  readonly input: unknown;
  /** Null for a call in no session's name. */
  readonly session_id: string | null;
  readonly end_user_id: string | null;
  /** Held meanwhile. */
  readonly lease: CallLease;
}

type Outcome = Pick<CalledTool, "result" | "is_truncated" | "http_status" | "duration_ms">;

/**
 * Ends after {@link HAND_CALL_MS}, whatever the tool's own time. A failure of the tool is a result with state `error`.
 * @throws when the master key does not fit.
 */
export async function callTool(
  context: AppContext,
  snapshot: AgentSnapshot,
  call: HandCall,
): Promise<Outcome> {
  const { env } = context;
  const tenant_id = tenantOf(context);
  const opened = await openPinnedCredentials({ ...snapshot, tenant_id }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const { tool_call_id, name, input, session_id, end_user_id, lease } = call;
  const { tools } = snapshot.definition;
  const tool = tools.find((one) => one.type === "http" && one.name === name);
  const maxBytes = tool?.type === "http" ? tool.max_bytes : DEFAULT_TOOL_MAX_BYTES;
  const trace = context.get("trace");
  const outgoing = createOutgoing({ ...egressRules(env), fetch, trace });
  const runner = createToolRunner({
    tools,
    outgoing: lease.throttle(outgoing, maxBytes),
    secrets: createSecretSource(opened),
  });
  const created_at = nowTimestamp();
  const beganMs = Date.now();
  let http_status: number | null = null;
  const stop = AbortSignal.any([AbortSignal.timeout(HAND_CALL_MS), lease.stop]);
  const request = {
    tool_call_id,
    name,
    input,
    session_id: session_id ?? CALLED_BY_HAND,
    reply_id: CALLED_BY_HAND,
    end_user_id,
  };
  const chunks = runner.run(request, stop, (found) => {
    if ("http_status" in found) http_status = found.http_status ?? http_status;
  });
  const { output, state, metadata, is_truncated } = await collect(chunks, stop);
  const duration_ms = Math.max(Date.now() - beganMs, 0);
  const finished_at = nowTimestamp();
  const result = { id: tool_call_id, name, output, state, metadata, created_at, finished_at };
  return {
    result: { type: "tool_result", ...result },
    is_truncated,
    http_status,
    duration_ms,
  };
}

type Collected = Pick<CalledTool["result"], "output" | "state" | "metadata"> & {
  readonly is_truncated: boolean;
};

/** The blocks of a result, as far as they are small enough to be shown. */
async function collect(chunks: AsyncIterable<ToolChunk>, stop: StopSignal): Promise<Collected> {
  const output: CalledTool["result"]["output"] = [];
  let state: CalledTool["result"]["state"] = "success";
  let metadata: Record<string, unknown> = {};
  let left = MAX_HAND_CALL_CHARACTERS;
  let is_truncated = false;
  let hasEnded = false;
  for await (const chunk of chunks) {
    // No tool that is called by hand asks a person.
    if (chunk.type === "ask") continue;
    if (chunk.type === "end") {
      hasEnded = true;
      state = chunk.state;
      metadata = chunk.metadata ?? {};
      continue;
    }
    // Tools that need a sign-in are those of MCP servers, which have a route of their own.
    if (chunk.type === "authorization_required" || chunk.type === "task") continue;
    // An agent is called by a reply alone, and a call by hand is not let go.
    if (chunk.type === "subagent") continue;
    if (chunk.type === "progress" || chunk.type === "background") continue;
    // A call by hand has no log.
    if (chunk.type === "told") continue;
    // No media is stored: media of any size is shown, or left out.
    const right = await keepMedia(chunk, undefined, output.at(-1)?.type === "text");
    if (right.type === "text") {
      const text = right.delta.slice(0, left);
      if (text.length < right.delta.length) is_truncated = true;
      left -= text.length;
      addText(output, text);
      continue;
    }
    const size = right.type === "data" ? right.data.length : right.url.length;
    if (size > left) {
      is_truncated = true;
      continue;
    }
    left -= size;
    output.push({
      type: "data",
      id: newId("blk"),
      name: null,
      ...lifetime(),
      source: sourceOf(right),
    });
  }
  if (stop.aborted && !hasEnded) {
    state = "error";
    addText(
      output,
      `The tool did not answer within ${HAND_CALL_MS} ms, which a call by hand may take.`,
    );
  }
  return { output, state, metadata, is_truncated };
}

function addText(output: CalledTool["result"]["output"], text: string): void {
  if (text === "") return;
  const last = output.at(-1);
  if (last?.type === "text") last.text += text;
  else output.push({ type: "text", id: newId("blk"), text, ...lifetime() });
}

function lifetime() {
  const now = nowTimestamp();
  return { created_at: now, finished_at: now };
}

function sourceOf(chunk: Extract<ToolChunk, { type: "data" | "url" }>) {
  return chunk.type === "data"
    ? ({ type: "base64", media_type: chunk.media_type, data: chunk.data } as const)
    : ({ type: "url", media_type: chunk.media_type, url: chunk.url } as const);
}
