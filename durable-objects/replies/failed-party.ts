import type { FailedParty } from "../../agent/explain-failure.ts";
import type { StoredModelCall, StoredToolCall } from "../tables/diagnostics-table.ts";

/** The model of a call, or the server that gives the turns of an agent in code, for people. */
export function modelParty({
  model,
  provider,
  host,
  credential_id,
}: Pick<StoredModelCall, "model" | "provider" | "host" | "credential_id">): FailedParty {
  if (provider === "http") {
    return { name: `The agent's server ${host ?? ""}`.trim(), isModel: false, credential_id };
  }
  const name = host === null ? `The model ${model}` : `The model endpoint ${host}`;
  return { name, isModel: true, credential_id };
}

/** The tool of a call, for people. */
export function toolParty({ name }: Pick<StoredToolCall, "name">): FailedParty {
  return { name: `The tool ${name}`, isModel: false, credential_id: null };
}
