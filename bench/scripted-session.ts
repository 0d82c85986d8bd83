// A session on the embedded model, over the public API.
import { openApi, readString } from "../scripts/local-api.ts";
import type { Runtime } from "./runtime.ts";

export interface BenchSession {
  /** Waits for the reply's end. @returns its last position. */
  reply(input: string): Promise<{ cursor: number }>;
  /** @param path Below the session's own, read to the end. */
  get(path: string): Promise<void>;
  /** Reads the stream after a position to its end. */
  stream(after: number): Promise<void>;
}

export async function openSessionOf(runtime: Runtime): Promise<BenchSession> {
  const operator = openApi(runtime.platformUrl, runtime.operatorKey);
  const tenant = await operator.call("POST", "/v1/tenants", { name: "Bench" });
  const key = readString(tenant, "api_key");
  const api = openApi(runtime.platformUrl, key);
  const agent_id = readString(await api.call("POST", "/v1/agents", { name: "Bench" }), "id");
  const id = readString(await api.call("POST", "/v1/sessions", { agent_id }), "id");
  const base = `/v1/sessions/${id}`;
  return {
    async reply(input) {
      const { body, status } = await api.call("POST", `${base}/replies`, { input });
      if (status !== 200) throw new Error(`a reply was answered with ${status}`);
      return { cursor: Number(body?.["cursor"]) };
    },
    get: (path) => read(path, "application/json"),
    stream: (after) => read(`/events?after=${after}`, "text/event-stream"),
  };

  async function read(path: string, accept: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, accept };
    const response = await fetch(`${runtime.platformUrl}${base}${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`);
    for await (const _ of response.body ?? []) {
      // Only the reading is measured.
    }
  }
}
