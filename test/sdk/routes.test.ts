// The SDK reaches every route that a program uses: a new route without a method fails here.
import { expect, onTestFinished, test } from "vitest";

import { ROUTES } from "../../protocol/routes.ts";
import {
  answerCallback,
  readCallback,
  Reprise,
  toolResultEvent,
  type Reply,
} from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";

/** For people and tools that come without the SDK, and for webhooks, which `webhooks.sign` signs. */
const WITHOUT_SDK: readonly string[] = [
  "/healthz",
  "/readyz",
  "/openapi.json",
  "/llms.txt",
  "/docs",
  "/v1/inbound/{inbound_endpoint_id}",
  // For the server of a tool, which has the address: one POST.
  "/v1/task-callbacks/{task_token}",
  // For an agent of another system, which has the address.
  "/v1/remote-pushes/{remote_push_token}",
  // For an `<img>`: `files.link` makes it.
  "/v1/file-links/{link_token}",
  // For clients of AG-UI: the part of the SDK for them has tests of its own.
  "/v1/agents/{agent_id}/ag-ui",
  "/v1/rooms/{room_id}/ag-ui",
  "/v1/agents/{agent_id}/ag-ui/capabilities",
  // Systems of others post there, each in its own form.
  "/v1/trigger-webhooks/{trigger_token}",
  // For clients of MCP.
  "/v1/agents/{agent_id}/mcp",
  // For clients of A2A, whichever they are.
  "/v1/agents/{agent_id}/a2a",
  "/v1/agents/{agent_id}/a2a/message:send",
  "/v1/agents/{agent_id}/a2a/message:stream",
  "/v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}",
  "/v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}:cancel",
  "/v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}:subscribe",
  "/v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}/pushNotificationConfigs",
  "/v1/agents/{agent_id}/a2a/tasks/{a2a_task_id}/pushNotificationConfigs/{a2a_config_id}",
  "/v1/agents/{agent_id}/a2a/extendedAgentCard",
  "/v1/agents/{agent_id}/.well-known/agent-card.json",
  "/.well-known/a2a-keys.json",
  // Browsers are sent there.
  "/v1/oauth/callback",
  "/v1/oauth/callback/{issuer_hash}",
  "/.well-known/oauth-protected-resource/v1/agents/{agent_id}/mcp",
];

const waitingCall = { kind: "permission", tool_call: { id: "c1" }, input_hash: null };

test("every route has a method that sends exactly it", async () => {
  const asked: string[] = [];
  const [leave, leaveRoom] = [new AbortController(), new AbortController()];
  const [leaveVoice, leaveRoomVoice] = [new AbortController(), new AbortController()];
  const server = await startLoopbackServer(({ method, path }, response) => {
    asked.push(`${method} ${path.split("?")[0]}`);
    if (method === "GET" && path.includes("/events")) {
      (path.includes("/rooms/") ? leaveRoom : leave).abort();
    }
    if (path.endsWith("/realtime")) {
      (path.includes("/rooms/") ? leaveRoomVoice : leaveVoice).abort();
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: [], has_more: false, next_page: null }));
  });
  onTestFinished(() => server.stop());
  const reprise = new Reprise({ apiKey: "rk_test_x", baseUrl: server.url });
  const { tenants, apiKeys, credentials, agents, sessions, confirmations, skills } = reprise;
  const { memoryStores } = reprise;
  const { webhookEndpoints, inboundEndpoints, mcpServers, connections } = reprise;
  const session = reprise.session("{session_id}");

  await tenants.create({ name: "T" });
  await collect(tenants.list());
  await tenants.get("{tenant_id}");
  await tenants.update("{tenant_id}", {});
  await tenants.delete("{tenant_id}");
  await tenants.limits("{tenant_id}");
  await tenants.activity(["{tenant_id}"]);
  await apiKeys.create();
  await collect(apiKeys.list());
  await apiKeys.rotate("{key_id}");
  await apiKeys.revoke("{key_id}");
  await apiKeys.revokeCascading("{key_id}", { reason: "leaked" });
  await reprise.consoleLinks.create();
  await reprise.members.invite({ name: "Ada", role: "viewer" });
  await collect(reprise.members.list());
  await reprise.members.get("{member_id}");
  await reprise.members.update("{member_id}", { role: "owner" });
  await reprise.members.renewLink("{member_id}");
  await reprise.members.remove("{member_id}");
  const provider = { issuer: "https://login.example", client_id: "c" };
  await reprise.signInProviders.create({ name: "P", ...provider });
  await collect(reprise.signInProviders.list());
  await reprise.signInProviders.get("{sign_in_provider_id}");
  await reprise.signInProviders.delete("{sign_in_provider_id}");
  await reprise.operatorMembers.invite({ name: "Noor", role: "support" });
  await collect(reprise.operatorMembers.list());
  await reprise.operatorMembers.get("{member_id}");
  await reprise.operatorMembers.update("{member_id}", { role: "owner" });
  await reprise.operatorMembers.renewLink("{member_id}");
  await reprise.operatorMembers.remove("{member_id}");
  await reprise.operatorSignInProviders.create({ name: "P", ...provider });
  await collect(reprise.operatorSignInProviders.list());
  await reprise.operatorSignInProviders.get("{sign_in_provider_id}");
  await reprise.operatorSignInProviders.delete("{sign_in_provider_id}");
  await mcpServers.create({ name: "m", url: "https://mcp.example/" });
  await collect(mcpServers.list());
  await mcpServers.get("{mcp_server_id}");
  await mcpServers.update("{mcp_server_id}", {});
  await mcpServers.delete("{mcp_server_id}");
  await mcpServers.tools("{mcp_server_id}", { refresh: true });
  await mcpServers.callTool("{mcp_server_id}", "{mcp_tool_name}");
  await collect(connections.list());
  await connections.get("{connection_id}");
  await connections.complete("{connection_id}", "sc_1");
  await connections.delete("{connection_id}");
  await credentials.create({ name: "C", type: "tool", secret: "s", allowed_hosts: ["a.example"] });
  await collect(credentials.list());
  await credentials.get("{credential_id}");
  await credentials.update("{credential_id}", { secret: "t" });
  await credentials.delete("{credential_id}");
  await agents.create({ name: "A" });
  await collect(agents.list());
  await agents.get("{agent_id}");
  await agents.update("{agent_id}", {});
  await agents.delete("{agent_id}");
  await collect(agents.versions("{agent_id}"));
  await agents.version("{agent_id}", 1);
  await agents.updateVersion("{agent_id}", 1, { retired: true });
  await agents.check("{agent_id}");
  await agents.testPermission("{agent_id}", { tool_name: "refund" });
  await agents.simulatePermission("{agent_id}", { permission: {} });
  await agents.callTool("{agent_id}", "{tool_name}", { input: {} });
  await agents.replay("{agent_id}", { session_id: "{session_id}" });
  await agents.a2a.card("{agent_id}");
  await agents.a2a.tasks("{agent_id}");
  await agents.a2a.remotes("{agent_id}");
  await skills.create({ files: [{ path: "SKILL.md", text: "" }] });
  await collect(skills.list());
  await skills.get("{skill_id}");
  await skills.delete("{skill_id}");
  await skills.addVersion("{skill_id}", { files: [{ path: "SKILL.md", text: "" }] });
  await collect(skills.versions("{skill_id}"));
  await skills.version("{skill_id}", 1);
  await (await skills.content("{skill_id}", 1, "SKILL.md")).text();
  const { rooms } = reprise;
  const room = reprise.room("{room_id}");
  await rooms.create({ participants: [{ name: "ann", agent_id: "a" }] });
  await collect(rooms.list());
  await collect(rooms.inputs());
  await rooms.get("{room_id}");
  await rooms.update("{room_id}", {});
  await rooms.delete("{room_id}");
  await room.addParticipant({ name: "bob", agent_id: "a" });
  await room.removeParticipant("{participant_name}");
  await room.say("Hello.");
  await collect(room.messages());
  await room
    .events({ signal: leaveRoom.signal })
    .next()
    .catch(() => undefined);
  await room.answer({ type: "USER_INTERRUPT", reply_id: "r" });
  await room.input({ content: "Yes." });
  await room.interrupt();
  await room.speak({ signal: leaveRoomVoice.signal }).catch(() => undefined);
  await room.tokens.create({ participant: "Mia" });
  await collect(room.tokens.list());
  await room.tokens.revoke("{room_token_id}");
  await room.streamTicket("/v1/rooms/{room_id}/events");
  await room.state.save();
  await room.state.load({ agents: {} });
  await memoryStores.create({ agent_id: "a" });
  await collect(memoryStores.list());
  await memoryStores.get("{memory_store_id}");
  await memoryStores.delete("{memory_store_id}");
  const memories = memoryStores.memories("{memory_store_id}");
  await memories.create({ content: "A." });
  await collect(memories.list());
  await memories.get("{memory_id}");
  await memories.update("{memory_id}", { content: "B." });
  await memories.delete("{memory_id}");
  await collect(memories.versions());
  await memories.version("{memory_version_id}");
  await memories.redact("{memory_version_id}");
  const consolidations = memoryStores.consolidations("{memory_store_id}");
  await consolidations.create();
  await collect(consolidations.list());
  await consolidations.get("{consolidation_id}");
  await consolidations.cancel("{consolidation_id}");
  await collect(session.memories.list());
  await session.memories.update("{memory_id}", { content: "B." });
  await session.memories.delete("{memory_id}");
  await sessions.create({ agent_id: "{agent_id}" });
  await collect(sessions.list());
  await sessions.get("{session_id}");
  await sessions.update("{session_id}", {});
  await sessions.delete("{session_id}");
  await session.replies.create("Hi");
  await collect(session.replies.list());
  await session.replies.get("{reply_id}");
  await session.diagnostics("{reply_id}");
  await session.interrupt();
  await collect(session.messages.list());
  await session.message("{message_id}");
  await session
    .events({ signal: leave.signal })
    .next()
    .catch(() => undefined);
  await session.confirm({ pending: [waitingCall], id: "{reply_id}" } as unknown as Reply);
  await collect(session.permissionRules.list());
  await session.permissionRules.create([]);
  await session.permissionRules.delete("{rule_id}");
  await session.permissionRules.test({ tool_name: "refund" });
  await collect(session.decisions());
  await reprise.sessions.getSearch();
  await reprise.sessions.updateSearch({ enabled: true });
  await session.tokens.create();
  await collect(session.tokens.list());
  await session.tokens.revoke("{token_id}");
  await session.streamTicket("/v1/sessions/{session_id}/events");
  await session.speak({ signal: leaveVoice.signal }).catch(() => undefined);
  await session.observe("Hi");
  await session.tell([{ type: "CUSTOM", name: "parcel_scanned" }]);
  await session.context();
  await session.compress();
  await session.fork();
  await session.state();
  await session.importState({});
  await session.restore(1);
  await session.hooks.get();
  await session.hooks.set([]);
  await session.hooks.remove("{hook_name}");
  await session.sharedState.get();
  await session.sharedState.patch([]);
  await session.plan();
  await session.setPlan(null);
  await session.toolGroups.get();
  await session.toolGroups.set({});
  await session.tasks.list();
  await session.tasks.cancel("{task_id}");
  await session.mcpPage({ server_id: "mcp_1", uri: "ui://wh/order" }).catch(() => undefined);
  await reprise.files.upload(new TextEncoder().encode("{}"));
  await collect(reprise.files.list());
  await reprise.files.get("{file_id}");
  await (await reprise.files.content("{file_id}")).text();
  await reprise.files.delete("{file_id}");
  await reprise.files.link("{file_id}");
  await collect(confirmations.list());
  await collect(reprise.decisions.list());
  await reprise.operatorHealth();
  await confirmations.answer([]);
  await webhookEndpoints.create({ url: "https://a.example", events: ["*"] });
  await collect(webhookEndpoints.list());
  await webhookEndpoints.get("{endpoint_id}");
  await webhookEndpoints.update("{endpoint_id}", {});
  await webhookEndpoints.delete("{endpoint_id}");
  await webhookEndpoints.rotateSecret("{endpoint_id}");
  await webhookEndpoints.test("{endpoint_id}");
  await collect(webhookEndpoints.deliveries("{endpoint_id}"));
  await webhookEndpoints.delivery("{endpoint_id}", "{delivery_id}");
  await webhookEndpoints.redeliver("{endpoint_id}", "{delivery_id}");
  const issuer = { issuer: "https://a.example", jwks_url: "https://a.example/keys" };
  await reprise.tokenIssuers.create({ name: "T", ...issuer });
  await collect(reprise.tokenIssuers.list());
  await reprise.tokenIssuers.get("{token_issuer_id}");
  await reprise.tokenIssuers.delete("{token_issuer_id}");
  const { triggers } = reprise;
  const schedule = { type: "cron", expression: "0 8 * * *", timezone: "UTC" } as const;
  await triggers.create({ name: "T", agent_id: "a", input: "Hello", schedule });
  await collect(triggers.list());
  await triggers.get("{trigger_id}");
  await triggers.update("{trigger_id}", { name: "U" });
  await triggers.delete("{trigger_id}");
  await triggers.pause("{trigger_id}");
  await triggers.unpause("{trigger_id}");
  await triggers.rotateSecret("{trigger_id}");
  const triggerRuns = triggers.runs("{trigger_id}");
  await triggerRuns.create({});
  await collect(triggerRuns.list());
  await triggerRuns.get("{trigger_run_id}");
  await inboundEndpoints.create({ name: "I" });
  await collect(inboundEndpoints.list());
  await inboundEndpoints.get("{inbound_endpoint_id}");
  await inboundEndpoints.delete("{inbound_endpoint_id}");
  await inboundEndpoints.rotateSecret("{inbound_endpoint_id}");
  const callback = `${server.url}/v1/callbacks/${encodeURIComponent("{callback_token}")}`;
  await readCallback(callback);
  await answerCallback(callback, toolResultEvent("{reply_id}", []));
  await reprise.limits();
  await collect(reprise.usage());
  await reprise.usageSeries();
  await collect(reprise.models());
  await collect(reprise.audit.list());
  await (await reprise.audit.export()).text();
  await reprise.endUsers.delete("{end_user_id}");
  await (await reprise.endUsers.export("{end_user_id}")).text();

  const sent = new Set(asked.map((line) => decodeURIComponent(line).replace("/1", "/{version}")));
  const wanted = ROUTES.filter(({ path }) => !WITHOUT_SDK.includes(path));
  expect([...sent].toSorted()).toEqual(
    wanted.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});
