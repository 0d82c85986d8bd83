import type { ModelOrigin } from "../../agent/failure-report.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import { baseUrlOf, type RemoteModelDefinition } from "../../protocol/models/contract.ts";

/** The destination of a model's calls: no path, no query, no secret. */
export function originOf(definition: RemoteModelDefinition): ModelOrigin {
  const { provider, credential_id } = definition;
  return { provider, host: hostOf(baseUrlOf(definition)), credential_id: credential_id ?? null };
}
