import type { ModelOrigin } from "../../agent/failure-report.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import { DEFAULT_OPENAI_BASE_URL, type ModelDefinition } from "../../protocol/api/agents.ts";

/** Where the calls of an OpenAI-compatible model go: no path, no query, no secret. */
export function originOf({
  base_url = DEFAULT_OPENAI_BASE_URL,
  credential_id,
}: Extract<ModelDefinition, { provider: "openai" }>): ModelOrigin {
  return { provider: "openai", host: hostOf(base_url), credential_id: credential_id ?? null };
}
