// Every route that takes an Idempotency-Key: a request to it, another one, and what doing it has brought about.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { CONTEXT_COMPRESSED } from "../../../protocol/context/events.ts";
import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import type { RouteName } from "../../../protocol/routes.ts";
import { makeEndpoint, makeShop, readDeliveries } from "../webhooks/endpoint.ts";
import { ask, makeTenant, openSession, OPERATOR, type Call } from "./api.ts";
import { keyedCallback } from "./keyed-callback.ts";
import { KEYED_MCP } from "./keyed-mcp.ts";
import { confirmation, openParked, provenConfirmation } from "./parked-session.ts";
import { keyedSkill, keyedSkillVersion } from "./keyed-skills.ts";
import { cell, countRows } from "./read-cell.ts";
import { SUMMARISED } from "./summarised-agent.ts";

export interface KeyedRequest {
  readonly path: string;
  readonly call: Call;
  /** Of a platform whose queue the test looks into. */
  readonly bindings?: Env;
  /** Left out where the route takes no body. */
  readonly json?: object;
  /** A body or, with a question mark, a query that asks for something else; left out where there is none. */
  readonly other?: object | `?${string}`;
  /** Members that only the first answer has. */
  readonly secrets?: readonly string[];
  /** Number of times that it was done. */
  readonly count: () => Promise<number>;
}

export const KEYED_REQUESTS: Partial<Record<RouteName, () => Promise<KeyedRequest>>> = {
  async createTenant() {
    const name = `Shop ${crypto.randomUUID()}`;
    return {
      path: "/v1/tenants",
      call: OPERATOR,
      json: { name },
      other: { name: `${name} & sons` },
      secrets: ["api_key"],
      count: () => countRows("SELECT count(*) AS found FROM tenants WHERE name = ?", name),
    };
  },

  async createApiKey() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/api-keys",
      call,
      json: { name: "till" },
      other: { name: "other till" },
      secrets: ["api_key"],
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM api_keys WHERE name = 'till' AND tenant_id = ?",
          id,
        ),
    };
  },

  async createConsoleLink() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/console-links",
      call,
      json: { scopes: ["sessions:read"] },
      other: { scopes: ["agents:read"] },
      secrets: ["url"],
      count: () =>
        countRows("SELECT count(*) AS found FROM console_sessions WHERE tenant_id = ?", id),
    };
  },

  async rotateApiKey() {
    const { call } = await makeTenant();
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    const hash = await cell("SELECT hash AS value FROM api_keys WHERE id = ?", key.id);
    return {
      path: `/v1/api-keys/${key.id}/rotate`,
      call,
      json: { overlap_ms: 60_000 },
      other: { overlap_ms: 1_000 },
      secrets: ["api_key"],
      // A second rotation would have ended the first secret.
      count: async () =>
        (await cell("SELECT old_hash AS value FROM api_keys WHERE id = ?", key.id)) === hash
          ? 1
          : 2,
    };
  },

  async revokeApiKeys() {
    const { call } = await makeTenant();
    const { json: key } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    return {
      path: `/v1/api-keys/${key.id}/revoke`,
      call,
      json: { reason: "leaked" },
      other: { cascade: true },
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM audit_entries WHERE action = 'api_key.revoked' AND target_id = ?",
          key.id,
        ),
    };
  },

  async createCredential() {
    const { call } = await makeTenant();
    const allowed_hosts = ["api.openai.com"];
    return {
      path: "/v1/credentials",
      call,
      json: { name: "model", type: "model", secret: "sk-the-secret-of-the-test", allowed_hosts },
      other: { name: "model", type: "model", secret: "sk-another", allowed_hosts },
      count: () => countListed("/v1/credentials", call),
    };
  },

  async createAgent() {
    const { call } = await makeTenant();
    return {
      path: "/v1/agents",
      call,
      json: { name: "Refund desk" },
      other: { name: "Front desk" },
      count: () => countListed("/v1/agents", call),
    };
  },

  /** Its server cannot be reached, which is a result. */
  async callTool() {
    const { call } = await makeTenant();
    const tools = [{ type: "http", name: "refund", url: "https://shop.example/refund" }];
    const json = { name: "Desk", tools };
    const { json: agent } = await ask<Agent>("POST", "/v1/agents", { ...call, json });
    return {
      path: `/v1/agents/${agent.id}/tools/refund/call`,
      call,
      json: { input: { order: 1 } },
      other: { input: { order: 2 } },
      count: () =>
        countRows(
          "SELECT count(*) AS found FROM audit_entries WHERE action = 'tool.called' AND target_id = ?",
          agent.id,
        ),
    };
  },
  ...KEYED_MCP,

  /** Any JSON is a file of text. */
  async uploadFile() {
    const { call } = await makeTenant();
    return {
      path: "/v1/files",
      call,
      json: { note: "buy shoes" },
      other: "?filename=other",
      count: () => countListed("/v1/files", call),
    };
  },

  async createSession() {
    const { call, agent } = await openSession();
    return {
      path: "/v1/sessions",
      call,
      json: { agent_id: agent.id },
      other: { agent_id: agent.id, end_user_id: "kim" },
      count: async () => (await countListed("/v1/sessions", call)) - 1,
    };
  },

  async forkSession() {
    const { call, path } = await openSession();
    return {
      path: `${path}/fork`,
      call,
      json: {},
      other: { end_user_id: "kim" },
      count: async () => (await countListed("/v1/sessions", call)) - 1,
    };
  },

  async answerConfirmations() {
    const { call, path, session, reply, pending } = await openParked();
    const answer = (confirmed: boolean) => ({
      answers: [{ session_id: session.id, event: confirmation(reply, pending, { confirmed }) }],
    });
    return {
      path: "/v1/confirmations",
      call,
      json: answer(true),
      other: answer(false),
      count: () => countEvents(path, call, "USER_CONFIRM_RESULT"),
    };
  },

  createSkill: keyedSkill,
  createSkillVersion: keyedSkillVersion,
  answerCallback: keyedCallback,
  async createInboundEndpoint() {
    const { call } = await makeTenant();
    return {
      path: "/v1/inbound-endpoints",
      call,
      json: { name: "warehouse" },
      other: { name: "accounting" },
      secrets: ["secret"],
      count: () => countListed("/v1/inbound-endpoints", call),
    };
  },

  async rotateInboundSecret() {
    const { call } = await makeTenant();
    const json = { name: "warehouse" };
    const made = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", {
      ...call,
      json,
    });
    return {
      path: `/v1/inbound-endpoints/${made.json.id}/rotate-secret`,
      call,
      ...(await secretRotation("inbound_endpoints", made.json.id)),
    };
  },

  async createWebhookEndpoint() {
    const { call } = await makeTenant();
    return {
      path: "/v1/webhook-endpoints",
      call,
      json: { url: "https://shop.example/", events: ["reply.*"] },
      other: { url: "https://shop.example/all", events: ["*"] },
      secrets: ["secret"],
      count: () => countListed("/v1/webhook-endpoints", call),
    };
  },

  async rotateWebhookSecret() {
    const { call } = await makeTenant();
    const { id } = await makeEndpoint(call);
    return {
      path: `/v1/webhook-endpoints/${id}/rotate-secret`,
      call,
      ...(await secretRotation("webhook_endpoints", id)),
    };
  },

  async testWebhookEndpoint() {
    const shop = await makeShop();
    return {
      path: `/v1/webhook-endpoints/${shop.endpoint.id}/test`,
      call: shop.call,
      bindings: shop.bindings,
      count: async () => (await readDeliveries(shop.call, shop.endpoint.id)).length,
    };
  },

  async redeliverWebhook() {
    const shop = await makeShop();
    await shop.publish();
    await shop.consume(shop.held.take());
    const [delivery] = await readDeliveries(shop.call, shop.endpoint.id);
    return {
      path: `/v1/webhook-endpoints/${shop.endpoint.id}/deliveries/${delivery!.id}/redeliver`,
      call: shop.call,
      bindings: shop.bindings,
      count: async () => shop.held.sent.length,
    };
  },

  async createReply() {
    const { call, path } = await openSession();
    return {
      path: `${path}/replies`,
      call,
      json: { input: "/say hello", background: true },
      other: { input: "/say goodbye", background: true },
      count: () => countListed(`${path}/replies`, call),
    };
  },

  async interrupt() {
    const { call, path } = await openSession();
    const json = { input: "/rate 20\n/words 20000", background: true };
    await ask("POST", `${path}/replies`, { ...call, json });
    return {
      path: `${path}/interrupt`,
      call,
      other: "?queued=drop",
      count: async () => {
        const { json: page } = await ask<Page<{ type: string }>>(
          "GET",
          `${path}/events?limit=100`,
          call,
        );
        return page.data.filter(({ type }) => type === "REPLY_END").length;
      },
    };
  },

  async observe() {
    const { call, path } = await openSession();
    return {
      path: `${path}/observe`,
      call,
      json: { messages: "My order is A-1001." },
      other: { messages: "My order is A-1002." },
      count: () => countListed(`${path}/messages`, call),
    };
  },

  async compress() {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });
    await ask("POST", `${path}/observe`, { ...call, json: { messages: "My order is A-1001." } });
    return {
      path: `${path}/compress`,
      call,
      json: {},
      other: { instructions: "Keep the order." },
      count: () => countCustom(path, call, CONTEXT_COMPRESSED),
    };
  },

  async postEvent() {
    const { call, path, events, reply, pending } = await openParked();
    return {
      path: events,
      call,
      json: provenConfirmation(reply, pending),
      other: confirmation(reply, pending, { confirmed: false }),
      count: () => countEvents(path, call, "USER_CONFIRM_RESULT"),
    };
  },

  async createPermissionRules() {
    const { call, path } = await openSession();
    return {
      path: `${path}/permission-rules`,
      call,
      json: { rules: [{ tool_name: "refund_order", rule_content: "", behavior: "deny" }] },
      other: { rules: [{ tool_name: "refund_order", rule_content: "", behavior: "ask" }] },
      count: () => countListed(`${path}/permission-rules`, call),
    };
  },

  async createClientToken() {
    const { call, path, tenantId, session } = await openSession();
    return {
      path: `${path}/tokens`,
      call,
      json: { verbs: ["read"] },
      other: { verbs: ["reply"] },
      secrets: ["token"],
      count: () => countTokens(tenantId, session.id),
    };
  },
};

async function secretRotation(table: "inbound_endpoints" | "webhook_endpoints", id: string) {
  const sealed = await cell(`SELECT sealed AS value FROM ${table} WHERE id = ?`, id);
  return {
    json: { overlap_ms: 60_000 },
    other: { overlap_ms: 1_000 },
    secrets: ["secret"],
    count: async () => {
      const old = await cell(`SELECT old_sealed AS value FROM ${table} WHERE id = ?`, id);
      return old === sealed ? 1 : 2;
    },
  };
}

async function countCustom(path: string, call: Call, name: string): Promise<number> {
  const { json } = await ask<Page<{ name?: string }>>("GET", `${path}/events?limit=100`, call);
  return json.data.filter((event) => event.name === name).length;
}

function countTokens(tenantId: string, sessionId: string): Promise<number> {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return runInDurableObject(
    stub,
    (_, { storage }) =>
      storage.sql.exec<{ found: number }>("SELECT count(*) AS found FROM client_tokens").one()
        .found,
  );
}

async function countEvents(path: string, call: Call, type: string): Promise<number> {
  const { json } = await ask<Page<{ type: string }>>("GET", `${path}/events?limit=100`, call);
  return json.data.filter((event) => event.type === type).length;
}

async function countListed(path: string, call: Call): Promise<number> {
  return (await ask<Page<unknown>>("GET", path, call)).json.data.length;
}
