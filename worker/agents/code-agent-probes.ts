import { hintFor } from "../../agent/explain-failure.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { HttpCodeAgent } from "../../protocol/agents/http-code-agent.ts";
import { httpAgentOf, prepareTurn } from "../../tools/agents/http-agent.ts";
import { probeHttpTool } from "../../tools/probe-http-tool.ts";
import { type CheckAccess, NOT_SENT } from "../../tools/tool-kind.ts";
import type { SpeechProbe } from "./check-speech.ts";

/** The server of an agent in code over HTTP: asked with OPTIONS whether it is there, and for no turn. */
export function codeAgentProbes(
  code_agent: AgentDefinition["code_agent"],
  access: Pick<CheckAccess, "outgoing" | "secrets">,
): readonly SpeechProbe[] {
  const definition = httpAgentOf(code_agent);
  if (!definition) return [];
  const credential_id = credentialOf(definition);
  const shown = { name: "code_agent", provider: "http", credential_id };
  return [
    {
      shown,
      async run(stop) {
        const { secrets } = access;
        const prepared = await prepareTurn(definition, { id: "check", body: "", secrets });
        const party = { name: "The agent's server", isModel: false, credential_id };
        if (!prepared.ok) {
          const kind = "setup";
          const hint = hintFor({ kind }, party);
          return { ...NOT_SENT, status: "failed", kind, note: prepared.reason, hint };
        }
        const probed = await probeHttpTool(definition, { ...access, stop, of: "code_agent" });
        const { address, status, http_status, kind, note } = probed;
        const hint = kind && hintFor({ kind }, party);
        const host = hostOf(address);
        return { ...NOT_SENT, status, host, http_status, kind, note, hint };
      },
    },
  ];
}

function credentialOf({
  signing_credential_id,
  secret_headers = {},
}: HttpCodeAgent): string | null {
  return signing_credential_id ?? Object.values(secret_headers)[0] ?? null;
}
