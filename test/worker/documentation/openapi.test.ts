// The document against the platform: what it promises is asked for, and what comes back is held against it.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { OpenApiDocument } from "../../../openapi/document-types.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import {
  BODY_BYTES,
  PATH_PARAMETERS,
  ROUTES,
  type Route,
  type RouteName,
} from "../../../protocol/routes.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { CreatedTenant } from "../../../protocol/tenants/contract.ts";
import { MAX_QUEUED_REPLIES } from "../../../protocol/replies/limits.ts";
import { listenToLog } from "../../support/hear-log.ts";
import { ask, makeTenant, OPERATOR, type Call } from "../support/api.ts";
import { askAgUi } from "../support/ask-ag-ui.ts";
import { askConversation, REFUSING_HOOK } from "../support/ask-conversation.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { askSkills } from "../support/ask-skills.ts";
import { askFiles } from "../support/ask-files.ts";
import { askInbound } from "../support/ask-inbound.ts";
import { askAgentMcp } from "../support/ask-agent-mcp.ts";
import { askMcp } from "../support/ask-mcp.ts";
import { askPeople } from "../support/ask-people.ts";
import { askReplays } from "../support/ask-replays.ts";
import { askWebhooks } from "../support/ask-webhooks.ts";
import { DocumentedApi } from "../support/documented-api.ts";
import { FAILING_TOOL_URL } from "../support/failing-tool-url.ts";

const STREAM = { Accept: "text/event-stream" };
const MISSING = "0".repeat(26);
const rows = ROUTES as readonly (Route & { name: RouteName })[];
/** Ids that have the right form and do not exist. */
const NOWHERE = Object.fromEntries(
  Object.entries(PATH_PARAMETERS).map(([name, form]) => [
    name,
    form === "number" ? "9" : `${form}_${MISSING}`,
  ]),
);

/**
 * Promises that no test asks for here: two failures of the platform's own, too many requests, repeated requests, a
 * deletion of more than 100 sessions, a race of two changes, a session that waits, 200 open streams, a message of nine megabytes, and a session that cannot
 * be read. Their suites are others.
 */
const UNASKED = [
  ...rows.map(({ name }) => `${name} internal`),
  ...rows
    .filter(({ access, is_signed, is_limited }) => access !== "public" || is_signed || is_limited)
    .flatMap(({ name }) => [`${name} unavailable`, `${name} rate_limited`]),
  // test/tenancy/suspended.test.ts asks each of them.
  ...rows
    .filter(({ access, is_signed }) => access !== "operator" && (access !== "public" || is_signed))
    .map(({ name }) => `${name} tenant_suspended`),
  // Signing in needs an authorization server, and its page is no JSON: test/conformance/mcp/sign-in.test.ts.
  "showSignIn 200",
  "showIssuerSignIn 200",
  "completeConnection 200",
  "completeConnection mcp_failed",
  ...rows
    .filter(({ keeps_keys }) => keeps_keys !== undefined)
    .flatMap(({ name }) => [`${name} idempotency_in_flight`, `${name} idempotency_key_reused`]),
  // test/worker/requests/idempotency-kept.test.ts.
  ...rows
    .filter(({ keeps_keys }) => keeps_keys === "database")
    .map(({ name }) => `${name} answer_not_kept`),
  ...rows
    .filter(({ path, method }) => path.includes("{session_id}") && method !== "DELETE")
    .map(({ name }) => `${name} session_unreadable`),
  // test/conformance/replay/replays-hostile.test.ts; and as for the routes of a session.
  "createReplay replay_running",
  "createReplay session_unreadable",
  "callTool session_unreadable",
  "createReply reply_awaiting",
  "createReply too_many_subscribers",
  "postEvent too_many_subscribers",
  "runAgUi cursor_ahead",
  "runAgUi too_many_subscribers",
  "joinAgUi too_many_subscribers",
  "deleteTenant 202",
  "forkSession message_too_large",
  "runAgUi message_too_large",
  "readEvents too_many_subscribers",
  // test/conformance/agent-mcp/agent-mcp-streams.test.ts.
  "resumeAgentMcp 200",
  "updateAgent conflict",
];

let api: DocumentedApi;
let said: readonly unknown[];

deployHook(REFUSING_HOOK);
beforeAll(async () => {
  const log = listenToLog();
  api = new DocumentedApi((await ask<OpenApiDocument>("GET", "/openapi.json")).json);
  await askPlatform();
  await askTenancy();
  await askAgents();
  await askSession();
  await askConversation(api);
  await askAgUi(api);
  await askPeople(api);
  await askFiles(api);
  await askSkills(api);
  await askInbound(api);
  await askAgentMcp(api);
  await askMcp(api);
  await askWebhooks(api);
  await askReplays(api);
  for (const route of rows) await askForRefusals(route);
  log.stop();
  said = log.said;
});

describe("/openapi.json", () => {
  test("is true of every answer", () => {
    expect(api.misfits).toEqual([]);
  });

  test("is asked for no failure but of a summary and of tools at addresses of nobody", () => {
    const names = said.map((words) => (typeof words === "string" ? words : Object(words).log));

    expect(new Set(names)).toEqual(new Set(["a summary could not be made", "tool_call_failed"]));
  });

  test("promises nothing that does not come", () => {
    // Quotas: test/tenancy/quotas.test.ts, test/worker/quotas/quotas.test.ts and database-bytes.test.ts.
    const unseen = api
      .promised()
      .filter((promise) => !api.seen.has(promise) && !promise.endsWith(" quota_exceeded"));

    expect(unseen.sort()).toEqual(UNASKED.sort());
  });

  test.each(["/openapi.json", "/llms.txt", "/docs"])(
    "%s can be kept, and shown by any page",
    async (path) => {
      const first = await ask("GET", path);
      const etag = first.headers.get("ETag")!;
      const others = await Promise.all(
        [`W/${etag}`, `"other", ${etag}`, "*", '"other"'].map((tag) =>
          ask("GET", path, { headers: { "If-None-Match": tag } }),
        ),
      );

      expect(others.map(({ status }) => status)).toEqual([304, 304, 304, 200]);
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      expect([
        first.headers.get("Cache-Control"),
        first.headers.get("Access-Control-Allow-Origin"),
      ]).toEqual(["public, max-age=300", "*"]);
    },
  );
});

async function askPlatform(): Promise<void> {
  await api.ask("readHealth", {});
  await api.ask("readReadiness", {});
  await api.ask("readReadiness", {}, { bindings: { ...env, KEY_PEPPER: "" } });
  for (const name of ["readOpenApi", "readLlmsText", "readDocs"] as const) {
    const { headers } = await api.ask(name, {});
    await api.ask(name, {}, { headers: { "If-None-Match": headers.get("ETag")! } });
  }
}

async function askTenancy(): Promise<void> {
  const json = { name: "Shoe shop" };
  const tenant = await api.ask<CreatedTenant>("createTenant", {}, { ...OPERATOR, json });
  const place = { tenant_id: tenant.json.id };
  const call = { key: tenant.json.api_key };
  await api.ask("readOperatorHealth", {}, OPERATOR);
  await api.ask("listTenants", { query: "?limit=1" }, OPERATOR);
  await api.ask("readTenant", place, OPERATOR);
  await api.ask("updateTenant", place, { ...OPERATOR, json: { metadata: { plan: ["big", 1] } } });

  const expiring = { name: "Back end", expires_at: "2999-01-01T00:00:00.000Z" };
  const key = await api.ask<CreatedApiKey>("createApiKey", {}, { ...call, json: expiring });
  const keyPlace = { key_id: key.json.id };
  await api.ask("listApiKeys", { query: "?limit=1" }, call);
  await api.ask("rotateApiKey", keyPlace, { ...call, json: { overlap_ms: 1_000 } });
  await api.ask("revokeApiKey", keyPlace, call);
  await api.ask("revokeApiKeys", keyPlace, { ...call, json: { reason: "leaked" } });
  await api.ask("rotateApiKey", keyPlace, { ...call, json: {} });
  await api.ask("listApiKeys", {}, call);
  await api.ask("createConsoleLink", {}, { ...call, json: { scopes: ["sessions:read"] } });
  const nobody = { tenant_id: NOWHERE["tenant_id"] };
  await api.ask("createApiKey", {}, { ...OPERATOR, json: nobody });
  await api.ask("listApiKeys", { query: `?tenant_id=${nobody.tenant_id}` }, OPERATOR);

  await api.ask("listAudit", { query: "?limit=1" }, call);
  await api.ask("listAudit", { query: "?format=jsonl" }, call);
  await api.ask("listAudit", { query: `?tenant_id=${nobody.tenant_id}` }, call);
  await api.ask("deleteTenant", place, OPERATOR);
}

/** The refund desk of the example has an http tool that asks; a second version has an external one and denies it. */
async function askTools(place: { readonly agent_id: string }, call: Call): Promise<void> {
  const { json: agent } = await api.ask<Agent>("readAgent", place, call);
  const [tool] = agent.tools;
  const input = { order_id: "A-1003" };
  const toolPlace = { ...place, tool_name: tool && "name" in tool ? tool.name : "" };
  await api.ask("callTool", toolPlace, { ...call, json: { input } });
  const other = await api.ask<Agent>(
    "createAgent",
    {},
    {
      ...call,
      json: {
        name: "Other",
        tools: [
          { type: "http", name: "refund", url: "https://shop.example/refund" },
          { type: "external", name: "label" },
        ],
        permission: { mode: "default", rules: [{ tool_name: "refund", behavior: "deny" }] },
      },
    },
  );
  const otherPlace = { agent_id: other.json.id };
  await api.ask("callTool", { ...otherPlace, tool_name: "refund" }, { ...call, json: {} });
  await api.ask("callTool", { ...otherPlace, tool_name: "label" }, { ...call, json: {} });
  const json = { agent_id: other.json.id };
  const session = await api.ask<Session>("createSession", {}, { ...call, json });
  const elsewhere = { session_id: session.json.id };
  await api.ask("callTool", toolPlace, { ...call, json: elsewhere });
}

async function askAgents(): Promise<void> {
  const { call } = await makeTenant();
  const secret = exampleOf("createCredential", "newCredential");
  const credential = await api.ask<Credential>("createCredential", {}, { ...call, json: secret });
  await api.ask("listCredentials", {}, call);
  const credentialPlace = { credential_id: credential.json.id };
  await api.ask("readCredential", credentialPlace, call);
  const rotated = exampleOf("updateCredential", "rotatedCredential");
  await api.ask("updateCredential", credentialPlace, { ...call, json: rotated });

  const openai = { provider: "openai", name: "some-model", credential_id: credential.json.id };
  const json = exampleOf("createAgent", "refundDesk");
  await api.ask("createAgent", { query: "?validate_only=true" }, { ...call, json });
  const agent = await api.ask<Agent>("createAgent", {}, { ...call, json });
  const place = { agent_id: agent.json.id };
  await api.ask("updateAgent", place, { ...call, json: { model: openai } });
  await api.ask("readAgent", place, call);
  await api.ask("listAgents", {}, call);
  await api.ask("listAgentVersions", place, call);
  await api.ask("readAgentVersion", { ...place, version: "1" }, call);
  await api.ask("checkAgent", place, { ...call, json: {} });
  await api.ask("checkAgent", place, { ...call, json: { version: 99 } });
  await askTools(place, call);
  const ruleTest = exampleOf("testAgentPermission", "agentRuleTest");
  await api.ask("testAgentPermission", place, { ...call, json: ruleTest });
  const simulation = exampleOf("simulatePermission", "simulation");
  await api.ask("simulatePermission", place, { ...call, json: simulation });

  const session = await api.ask<Session>(
    "createSession",
    {},
    {
      ...call,
      json: { ...place, agent_version: 1 },
    },
  );
  await api.ask("deleteCredential", credentialPlace, call);
  await api.ask("createSession", {}, { ...call, json: { ...place, agent_version: 2 } });
  const sessionPlace = { session_id: session.json.id };
  await api.ask("updateSession", sessionPlace, { ...call, json: { agent_version: 2 } });
  const retired = exampleOf("updateAgentVersion", "retiredVersion");
  await api.ask("updateAgentVersion", { ...place, version: "1" }, { ...call, json: retired });
  await api.ask("updateAgentVersion", { ...place, version: "2" }, { ...call, json: retired });
  await api.ask("deleteAgent", place, call);
}

async function askSession(): Promise<void> {
  const { call } = await makeTenant();
  const model = { provider: "scripted", parameters: { tokens_per_second: 5 } };
  const slow = await ask<Agent>("POST", "/v1/agents", { ...call, json: { name: "Slow", model } });
  // Nobody listens there: the tool fails, and the reply goes on.
  const tools = [{ type: "http", name: "lookup_order", url: FAILING_TOOL_URL, read_only: true }];
  const json = { name: "Refund desk", tools };
  const agent = await ask<Agent>("POST", "/v1/agents", { ...call, json });
  const opened = { agent_id: agent.json.id, end_user_id: "customer-17", agent_version: "latest" };
  const session = await api.ask<Session>("createSession", {}, { ...call, json: opened });
  const place = { session_id: session.json.id };
  await api.ask("updateSession", place, { ...call, json: { metadata: { order: "A-1001" } } });

  const input = { id: "phone-5-message-1", content: "Where is my order A-1001?" };
  const reply = await api.ask<Reply>("createReply", place, { ...call, json: { input } });
  await api.ask("createReply", place, { ...call, json: { input, stream: true } });
  await api.ask("createReply", place, { ...call, json: { input: { ...input, content: "No" } } });
  await api.ask("createReply", place, {
    ...call,
    json: exampleOf("createReply", "pictureInput"),
    headers: STREAM,
  });
  await api.ask("listReplies", { ...place, query: "?limit=1" }, call);
  await api.ask("readReply", { ...place, reply_id: reply.json.id }, call);
  await api.ask("readDiagnostics", { ...place, reply_id: reply.json.id }, call);
  await api.ask("listMessages", place, call);
  await api.ask("readMessage", { ...place, message_id: reply.json.id }, call);
  await api.ask("readMessage", { ...place, message_id: input.id }, call);
  await api.ask("readEvents", { ...place, query: "?limit=100" }, call);
  const events = await api.ask("readEvents", place, { ...call, headers: STREAM });
  const last = [...events.text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
  await api.ask("readEvents", { ...place, query: `?after=${last}` }, { ...call, headers: STREAM });
  await api.ask("readEvents", { ...place, query: "?format=agentscope-java" }, call);
  await api.ask("readEvents", { ...place, query: "?after=999999" }, call);
  await api.ask("readEvents", { ...place, query: "?after=ten" }, call);

  const other = await ask<Session>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: slow.json.id },
  });
  const busy = { session_id: other.json.id };
  await api.ask("createReply", busy, { ...call, json: { input: "Hi", background: true } });
  await api.ask("createReply", busy, { ...call, json: { input: "Hi again" } });
  const queued = { input: "And then", background: true, on_busy: "queue" };
  for (let count = 0; count <= MAX_QUEUED_REPLIES; count += 1) {
    await api.ask("createReply", busy, { ...call, json: queued });
  }
  await api.ask("readSession", busy, call);
  await api.ask("listReplies", busy, call);
  await api.ask("interrupt", { ...busy, query: "?queued=drop" }, call);
  await api.ask("interrupt", busy, call);
  await api.ask("interrupt", busy, call);
  await api.ask("listSessions", { query: "?limit=1" }, call);
  await api.ask("readLimits", {}, call);
  await api.ask("readUsage", { query: "?group_by=day,model" }, call);
  await api.ask("listModels", {}, call);
  await api.ask("readUsage", { query: "?group_by=end_user&format=csv" }, call);
  await api.ask("deleteSession", place, call);
}

/** Refusals that the table, the query and the body imply: asked of every route alike. */
async function askForRefusals(route: (typeof rows)[number]): Promise<void> {
  const { name, access, body, path, keeps_keys } = route;
  if (access === "public") return;
  const { call: tenantCall } = await makeTenant();
  const call = access === "operator" ? OPERATOR : tenantCall;
  const scopes = [access === "webhooks:read" ? "webhooks:write" : "webhooks:read"];
  const narrow = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
    ...tenantCall,
    json: { scopes },
  });
  const json = body === "none" ? undefined : exampleOf(name);

  await api.ask(name, NOWHERE, { json });
  await api.ask(name, NOWHERE, { key: narrow.json.api_key, json });
  if (path.includes("{") || name === "createSession")
    await api.ask(name, NOWHERE, { ...call, json });
  if (keeps_keys) {
    await api.ask(name, NOWHERE, { ...call, json, headers: { "Idempotency-Key": "a b" } });
  }
  if (body === "none") {
    await api.ask(name, { ...NOWHERE, query: "?no_such_parameter=1" }, call);
    return;
  }
  const headers = { "Content-Type": "application/json" };
  const limitBytes = BODY_BYTES[body];
  const bodies: Call[] = [
    { headers, body: "{" },
    { headers, body: '{"no_such_field": 1}' },
    { headers, body: `{"a":${"[".repeat(64)}${"]".repeat(64)}}` },
    { headers, body: `{"a":"${"x".repeat(limitBytes)}"}` },
    { headers: { "Content-Type": "text/plain" }, body: "{}" },
  ];
  for (const refused of bodies) await api.ask(name, NOWHERE, { ...call, ...refused });
}

/** The body that the document shows for an operation; its first when none is named. */
function exampleOf(name: RouteName, example?: string): unknown {
  const { document } = api;
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === name);
  const shown = Object.keys(operation?.requestBody?.content["application/json"]?.examples ?? {});
  return document.components.examples[example ?? shown[0]!]?.value;
}
