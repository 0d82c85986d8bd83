import { hintFor } from "../../agent/explain-failure.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { openRemoteAgent } from "../../a2a/open-remote-agent.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type { RemoteAgent } from "../../protocol/a2a/remote-agent.ts";
import { NOT_SENT, type CheckAccess, type ToolFinding } from "../tool-kind.ts";

/** Whether the agent's card is there. The agent itself is asked nothing. */
export async function checkRemoteAgent(
  agent: RemoteAgent & { readonly name: string },
  { outgoing, secrets }: Pick<CheckAccess, "outgoing" | "secrets">,
  stop: StopSignal,
): Promise<ToolFinding> {
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  const opened = await openRemoteAgent(agent, { outgoing, secrets }, connection.signal);
  stop.removeEventListener("abort", abort);
  if (!opened.ok) {
    const { kind, reason, http_status = null } = opened;
    const party = { name: `The agent behind ${agent.name}`, isModel: false, credential_id: null };
    const hint = hintFor({ kind }, party);
    return { ...NOT_SENT, status: "failed", http_status, kind, note: reason, hint };
  }
  const { card } = opened;
  const [{ url, version, binding }] = card.interfaces;
  const how = card.capabilities.streaming ? "its answers stream" : "it is asked for its answers";
  const note = `Its card is that of ${JSON.stringify(card.name.slice(0, 100))}, over A2A ${version} by ${binding}; ${how}. The agent itself was asked nothing.`;
  return { ...NOT_SENT, status: "ok", host: hostOf(url), note, hint: null };
}
