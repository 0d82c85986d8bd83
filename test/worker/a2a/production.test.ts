// A deployment in production: the addresses of cards, and what its log has of A2A.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

import type { A2aCard } from "../../../protocol/a2a/wire.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";

const PRODUCTION = { ...env, ENVIRONMENT: "production", PUBLIC_URL: "https://agents.example" };

async function openAgent() {
  const { call } = await makeTenant();
  const { id } = await makeAgent(call, { name: "Desk", a2a: { enabled: true } });
  return { call, path: `/v1/agents/${id}/a2a` };
}

test("7.1-1: the addresses in a production's card are those of its PUBLIC_URL, which is encrypted", async () => {
  const { call, path } = await openAgent();
  const { json } = await ask<A2aCard>("GET", `${path}/.well-known/agent-card.json`, {
    ...call,
    bindings: PRODUCTION,
  });

  expect(json.supportedInterfaces.map(({ url }) => url)).toEqual([
    `https://agents.example${path}`,
    `https://agents.example${path}`,
  ]);
});

test("13.4-1: a production without an encrypted address of its own has no card", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { call, path } = await openAgent();
  const seen = [];
  for (const PUBLIC_URL of [undefined, "http://agents.example"]) {
    const bindings = { ...PRODUCTION, PUBLIC_URL };
    const answer = await ask("GET", `${path}/.well-known/agent-card.json`, { ...call, bindings });
    seen.push([answer.status, answer.text.includes("http://agents.example")]);
  }
  log.mockRestore();

  expect(seen).toEqual([
    [503, false],
    [503, false],
  ]);
});

test("13.4-4: neither a message's text nor a credential is in the log, whether it is taken or refused", async () => {
  const names = ["log", "info", "warn", "error", "debug"] as const;
  const logs = names.map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  const { call, path } = await openAgent();
  const message = {
    messageId: "secret-message-id",
    role: "ROLE_USER",
    parts: [{ text: "/say secret-of-ada" }],
  };
  const configuration = {
    taskPushNotificationConfig: {
      url: "https://hook.example/secret-path",
      token: "secret-token",
      authentication: { scheme: "Bearer", credentials: "secret-credentials" },
    },
  };
  for (const parts of [message.parts, [{ text: "secret-of-ada", url: "secret" }]]) {
    for (const end of ["", "/message:send"]) {
      const params = { message: { ...message, parts }, configuration };
      const json = end ? params : { jsonrpc: "2.0", id: 1, method: "SendMessage", params };
      const headers = { "A2A-Version": "1.0" };
      await ask("POST", path + end, { ...call, headers, json });
      await ask("POST", path + end, { key: "rk_secret_key", headers, json });
    }
  }
  const lines = logs.flatMap(({ mock }) => mock.calls.flat().map(String));
  for (const log of logs) log.mockRestore();

  expect(lines.filter((line) => line.includes("secret"))).toEqual([]);
});
