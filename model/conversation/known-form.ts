// The form of an endpoint's requests as it is known before it was asked: by its host, as its documents say, and by the
// definition.
import { baseUrlOf, type RemoteModelDefinition } from "../../protocol/models/contract.ts";
import type { RequestForm } from "../../protocol/models/events.ts";

/**
 * Messages after a call with its reasoning are refused without it in all later requests; of others it is ignored.
 * https://api-docs.deepseek.com/guides/thinking_mode, https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
 */
const REASONING: RequestForm = { send_reasoning: "always" };

/** https://github.com/mistralai/mistral-common: ids of nine letters and digits, and no user after a tool. */
const MISTRAL: RequestForm = { call_ids: "nine", roles: "alternating" };

const BY_HOST: Readonly<Record<string, RequestForm>> = {
  "api.deepseek.com": REASONING,
  "api.moonshot.ai": REASONING,
  "api.moonshot.cn": REASONING,
  "api.kimi.com": REASONING,
  "api.mistral.ai": MISTRAL,
};

export function knownForm(definition: RemoteModelDefinition): RequestForm {
  const { hostname } = new URL(baseUrlOf(definition));
  const { send_reasoning, parameters } = definition;
  return {
    ...(Object.hasOwn(BY_HOST, hostname) && BY_HOST[hostname]),
    ...(send_reasoning !== undefined && { send_reasoning }),
    ...(parameters["stream_options"] === null && { stream_options: "left_out" }),
  };
}
