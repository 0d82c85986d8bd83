// Use of a credential: the model's endpoint and the tool's server get the secret, and nobody else.
import { createHmac } from "node:crypto";

import { expect, it, onTestFinished } from "vitest";

import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import type { RecordedRequest } from "../../support/loopback-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { echo, startToolServer } from "../../support/tool-server.ts";

const SIGNING_KEY = Buffer.from("a signing key of thirty-two byte");

async function createCredential(
  key: string,
  type: "model" | "tool",
  secret: string,
  url: string,
): Promise<string> {
  const answer = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: { name: `A ${type}'s secret`, type, secret, allowed_hosts: [new URL(url).host] },
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** The signature that the receiver of a signed request computes, as Standard Webhooks 1.0 says it. */
function signatureOf({ headers, text }: RecordedRequest): string {
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`;
  return `v1,${createHmac("sha256", SIGNING_KEY).update(content).digest("base64")}`;
}

it("a reply carries the agent's secrets to its model and its tool, and shows them to no reader", async () => {
  const { key } = await createTenant();
  const tools = await startToolServer({ "/tool": echo });
  const model = await startFakeOpenAi((stream) => {
    stream.calls({ index: 0, id: "call_1", name: "tool", arguments: '{"order":"A-1"}' });
    stream.finish("tool_calls");
    stream.done();
  }, says("Done."));
  onTestFinished(() => tools.stop());
  onTestFinished(() => model.stop());
  const agent = await createAgent(key, {
    model: {
      provider: "openai",
      name: "gpt-fake",
      base_url: model.baseUrl,
      credential_id: await createCredential(key, "model", "sk-of-the-model", model.baseUrl),
    },
    tools: [
      {
        type: "http",
        name: "tool",
        url: `${tools.url}/tool`,
        read_only: true,
        credential_id: await createCredential(key, "tool", "shop-token", tools.url),
        signing_credential_id: await createCredential(
          key,
          "tool",
          `whsec_${SIGNING_KEY.toString("base64")}`,
          tools.url,
        ),
      },
    ],
  });
  const session = await createSession(key, agent);

  const response = await openRequest("POST", `/v1/sessions/${session}/replies`, {
    key,
    body: { input: "Go.", stream: true },
  });
  const stream = await response.text();

  expect(model.requests.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer sk-of-the-model",
    "Bearer sk-of-the-model",
  ]);
  const [called] = tools.requests;
  expect(tools.requests).toHaveLength(1);
  expect(called?.headers["authorization"]).toBe("Bearer shop-token");
  expect(called?.headers["webhook-signature"]).toBe(called && signatureOf(called));
  expect(stream).toContain('"finished_reason":"completed"');
  for (const secret of ["sk-of-the-model", "shop-token", "whsec_"]) {
    expect(stream).not.toContain(secret);
  }
});

it("a host that is allowed cannot pass a secret on by redirecting, nor can another port of it", async () => {
  const { key } = await createTenant();
  const other = await startToolServer({ "/stolen": echo });
  const shop = await startToolServer({
    "/tool": (response) => response.writeHead(307, { location: `${other.url}/stolen` }).end(),
  });
  onTestFinished(() => other.stop());
  onTestFinished(() => shop.stop());
  const [forTool, forModel] = [
    await createCredential(key, "tool", "shop-token", shop.url),
    await createCredential(key, "model", "sk-of-the-model", shop.url),
  ];
  const tool = { type: "http", name: "tool", read_only: true };
  const named = { credential_id: forTool, secret_headers: { "X-Api-Key": forTool } };
  const model = { provider: "openai", name: "m", credential_id: forModel };
  const agent = await createAgent(key, { tools: [{ ...tool, url: `${shop.url}/tool`, ...named }] });
  const session = await createSession(key, agent);
  const input = "/call tool {}\n/say done";
  await request("POST", `/v1/sessions/${session}/replies`, { key, body: { input } });
  const elsewhere = [
    { tools: [{ ...tool, url: `${other.url}/stolen`, ...named }] },
    { model: { ...model, base_url: `${other.url}/v1` } },
    { model: { ...model, base_url: `${shop.url.replace("http://", `${other.url}@`)}/v1` } },
  ];
  const refused = [];
  for (const stolen of elsewhere) {
    const body = { name: "Thief", ...stolen };
    refused.push((await request("POST", "/v1/agents", { key, body })).status);
  }

  const sent = shop.requests.map(({ headers }) => [headers["authorization"], headers["x-api-key"]]);
  expect(sent).toEqual([["Bearer shop-token", "shop-token"]]);
  expect([refused, other.requests]).toEqual([[400, 400, 400], []]);
});
