// Host names that the Internet does not have, at each place where a tenant writes an address. The platform here allows
// none of them; the other tests' platform allows `example`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { SPECIAL_NAMES } from "../../../outgoing/special-names.ts";
import type { McpServer } from "../../../protocol/mcp/contract.ts";
import type { WebhookEndpoint } from "../../../protocol/webhooks/contract.ts";
import { ask, openSession, refusalOf, type Call } from "../support/api.ts";

const BINDINGS = { ...env, ENVIRONMENT: "production", ALLOWED_SPECIAL_NAMES: undefined };
const PUBLIC = "https://shop.example.com";

type Opened = Awaited<ReturnType<typeof openSession>>;

/** Everything of an agent that has an address. */
function agentOf(url: string) {
  const model = { provider: "openai", name: "m", base_url: `${url}/v1` };
  return {
    name: "Desk",
    model,
    fallback_models: [model],
    allowed_models: [model],
    context: { compression_model: model },
    tools: [{ type: "http", name: "refund", url: `${url}/refund`, check_url: `${url}/check` }],
    hooks: hooksOf(url),
  };
}

function hooksOf(url: string) {
  const signing_credential_id = "crd_01kaj2w4m2p6s0v4y8b2e6h0k4";
  const hook = { type: "http", name: "guard", point: "pre_reply", signing_credential_id };
  return [{ ...hook, url: `${url}/hook` }];
}

const AGENT_POINTERS = [
  "#/model/base_url",
  "#/fallback_models/0/base_url",
  "#/allowed_models/0/base_url",
  "#/context/compression_model/base_url",
  "#/tools/0/url",
  "#/tools/0/check_url",
  "#/hooks/0/url",
];
const TOOLS = ["#/tools/0/url", "#/tools/0/check_url"];

interface Door {
  readonly method: "POST" | "PATCH" | "PUT";
  readonly path: (opened: Opened) => string | Promise<string>;
  readonly body: (url: string, opened: Opened) => object;
  readonly pointers: readonly string[];
}

const DOORS: Readonly<Record<string, Door>> = {
  "an agent": {
    method: "POST",
    path: () => "/v1/agents",
    body: agentOf,
    pointers: AGENT_POINTERS,
  },
  "an agent that is only checked": {
    method: "POST",
    path: () => "/v1/agents?validate_only=true",
    body: agentOf,
    pointers: AGENT_POINTERS,
  },
  "a change of an agent": {
    method: "PATCH",
    path: ({ agent }) => `/v1/agents/${agent.id}`,
    body: agentOf,
    pointers: AGENT_POINTERS,
  },
  "the definition of a replay": {
    method: "POST",
    path: ({ agent }) => `/v1/agents/${agent.id}/replays`,
    body: (url, { session }) => ({ session_id: session.id, definition: agentOf(url) }),
    pointers: AGENT_POINTERS,
  },
  "the tools of a new session": {
    method: "POST",
    path: () => "/v1/sessions",
    body: (url, { agent }) => ({ agent_id: agent.id, tools: agentOf(url).tools }),
    pointers: TOOLS,
  },
  "the tools of a session": {
    method: "PATCH",
    path: ({ path }) => path,
    body: (url) => ({ tools: agentOf(url).tools }),
    pointers: TOOLS,
  },
  "the hooks of a session": {
    method: "PUT",
    path: ({ path }) => `${path}/hooks`,
    body: (url) => ({ hooks: hooksOf(url) }),
    pointers: ["#/hooks/0/url"],
  },
  "an MCP server and its issuer": {
    method: "POST",
    path: () => "/v1/mcp-servers",
    body: (url) => ({ name: "wh", url, oauth: { grant: "authorization_code", issuer: url } }),
    pointers: ["#/url", "#/oauth/issuer"],
  },
  "a change of an MCP server": {
    method: "PATCH",
    path: async ({ call }) => {
      const json = { name: "wh", url: PUBLIC };
      const made = await ask<McpServer>("POST", "/v1/mcp-servers", { ...call, json });
      return `/v1/mcp-servers/${made.json.id}`;
    },
    body: (url) => ({ url, oauth: { grant: "authorization_code", issuer: url } }),
    pointers: ["#/url", "#/oauth/issuer"],
  },
  "a webhook endpoint": {
    method: "POST",
    path: () => "/v1/webhook-endpoints",
    body: (url) => ({ url, events: ["*"] }),
    pointers: ["#/url"],
  },
  "a change of a webhook endpoint": {
    method: "PATCH",
    path: async ({ call }) => {
      const json = { url: PUBLIC, events: ["*"] };
      const made = await ask<WebhookEndpoint>("POST", "/v1/webhook-endpoints", { ...call, json });
      return `/v1/webhook-endpoints/${made.json.id}`;
    },
    body: (url) => ({ url }),
    pointers: ["#/url"],
  },
  "a token issuer and its keys": {
    method: "POST",
    path: () => "/v1/token-issuers",
    body: (url) => ({ name: "Sign-in", issuer: url, jwks_url: `${url}/keys` }),
    pointers: ["#/issuer", "#/jwks_url"],
  },
  "a sign-in provider": {
    method: "POST",
    path: () => "/v1/sign-in-providers",
    body: (url) => ({ name: "Sign-in", issuer: url, client_id: "c" }),
    pointers: ["#/issuer"],
  },
};

describe.each(Object.entries(DOORS))("the address of %s", (_, { method, path, body, pointers }) => {
  test("has none of the names that the Internet does not have", async () => {
    const opened = await openSession();
    const place = await path(opened);
    const hosts = SPECIAL_NAMES.flatMap((name) => [name, `Shop.${name}.`]);
    const asked = hosts.map(async (host) => {
      const url = `https://${host}`;
      const call: Call = { ...opened.call, json: body(url, opened), bindings: BINDINGS };
      return refusalOf(await ask(method, place, call));
    });

    expect(await Promise.all(asked)).toEqual(
      hosts.map(() => ({ status: 400, code: "validation_failed", pointers })),
    );
  });

  test("may have a name that the deployment allows", BROAD, async () => {
    const opened = await openSession();
    const ALLOWED_SPECIAL_NAMES = "corp";
    const answer = await ask(method, await path(opened), {
      ...opened.call,
      json: body("https://shop.corp", opened),
      bindings: { ...BINDINGS, ALLOWED_SPECIAL_NAMES },
    });

    expect(answer.text).not.toContain("the Internet has no names");
  });
});
