// One stream of tokens, by the floor and by the platform: how to ask for it.
import type { Runtime } from "./runtime.ts";
import type { BenchTenant } from "./tenant.ts";

/** @param baseUrl Of the model. */
export function openFloor(runtime: Runtime, baseUrl: string): Promise<Response> {
  const model = encodeURIComponent(`${baseUrl}/chat/completions`);
  return fetch(`${runtime.floorUrl}/?model=${model}`, {
    method: "POST",
    body: JSON.stringify({ model: "fake", messages: [], stream: true }),
  });
}

/** A reply of the session, as a stream in one of the dialects. */
export function openReply(
  runtime: Runtime,
  tenant: BenchTenant,
  session: string,
  format = "agentscope",
): Promise<Response> {
  return fetch(`${runtime.platformUrl}/v1/sessions/${session}/replies?format=${format}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
    body: JSON.stringify({ input: "Count.", stream: true }),
  });
}
