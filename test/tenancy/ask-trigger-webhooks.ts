// Answers of the door of a trigger's webhooks, each of which the API's document promises.
import type { CreatedTrigger } from "../../protocol/triggers/contract.ts";
import { BODY_BYTES } from "../../protocol/routes.ts";
import { ask, type Call } from "../worker/support/api.ts";
import type { DocumentedApi } from "../worker/support/documented-api.ts";

const SECRET = "a-secret-of-the-sender";
const JSON_TYPE = { "Content-Type": "application/json" };

/** @param key A key of the tenant whose agent this is. */
export async function askTriggerWebhooks(
  api: DocumentedApi,
  key: Call,
  agent_id: string,
): Promise<void> {
  const github = await makeHook("github", key, agent_id);
  const slack = await makeHook("slack", key, agent_id);
  const send = (headers: object, body: string, place: object = github.place) =>
    api.ask("receiveTriggerWebhook", { ...place }, { headers: { ...headers }, body });
  const named = { ...JSON_TYPE, "X-GitHub-Delivery": "delivery-1" };
  const signed = async (body: string) => ({
    ...named,
    "X-Hub-Signature-256": `sha256=${await hmac(body)}`,
  });

  await send(await signed("{}"), "{}");
  await send({ ...(await signed("{}")), "X-GitHub-Event": "ping" }, "{}");
  await send(named, "{}");
  await send(await signed("{}"), "{}", { trigger_token: "tw_made.up" });
  const deep = `{"a":${"[".repeat(64)}${"]".repeat(64)}}`;
  for (const body of ["{", deep]) await send(await signed(body), body);
  await send({ ...(await signed("{}")), "X-GitHub-Delivery": "" }, "{}");
  await send(named, `{"a":"${"x".repeat(BODY_BYTES.delivery)}"}`);
  await send({ "Content-Type": "text/plain" }, "{}");

  const challenge = JSON.stringify({ type: "url_verification", challenge: "abc" });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const proof = {
    ...JSON_TYPE,
    "X-Slack-Request-Timestamp": seconds,
    "X-Slack-Signature": `v0=${await hmac(`v0:${seconds}:${challenge}`)}`,
  };
  await send(proof, challenge, slack.place);

  await ask("POST", `${github.path}/pause`, key);
  await send({ ...(await signed("{}")), "X-GitHub-Delivery": "delivery-2" }, "{}");
  await ask("DELETE", github.path, key);
  await send(await signed("{}"), "{}");
}

async function makeHook(form: "github" | "slack", key: Call, agent_id: string) {
  const json = {
    name: "Hooked",
    agent_id,
    input: "/say Hello.",
    webhook: { form, secret: SECRET },
  };
  const { id, webhook } = (await ask<CreatedTrigger>("POST", "/v1/triggers", { ...key, json }))
    .json;
  const trigger_token = webhook?.url.split("/").at(-1) ?? "";
  return { path: `/v1/triggers/${id}`, place: { trigger_token } };
}

async function hmac(content: string): Promise<string> {
  const [secret, bytes] = [SECRET, content].map((text) => new TextEncoder().encode(text));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret!, algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes!));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
