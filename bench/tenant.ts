// The tenant that the bench runs as, over the public API.
import { openApi, readString, type LocalApi } from "../scripts/local-api.ts";
import type { Runtime } from "./runtime.ts";

export interface BenchTenant {
  readonly id: string;
  readonly key: string;
  /** @returns the id of a fresh session on the agent. */
  openSession(): Promise<string>;
}

/** @param baseUrl Of the model that the tenant's agent speaks to. */
export async function createTenant(runtime: Runtime, baseUrl: string): Promise<BenchTenant> {
  const operator = openApi(runtime.platformUrl, runtime.operatorKey);
  const id = await create(operator, "/v1/tenants", { name: "Bench" });
  const answer = await operator.call("POST", "/v1/api-keys", { tenant_id: id });
  const key = readString(answer, "api_key");
  const api = openApi(runtime.platformUrl, key);
  const agent_id = await create(api, "/v1/agents", {
    name: "Bench",
    model: { provider: "openai", name: "fake", base_url: baseUrl },
  });
  return { id, key, openSession: () => create(api, "/v1/sessions", { agent_id }) };
}

async function create(api: LocalApi, path: string, body: object): Promise<string> {
  return readString(await api.call("POST", path, body), "id");
}
