// Two end users of one agent with grants of their own, over every route by which a tool of their server can be reached,
// or by which something of a grant can be read. A route that is not in the table fails a test.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { CONTRACTS, type Concept } from "../../../protocol/concepts.ts";
import { ROUTES, type RouteName } from "../../../protocol/routes.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { callTool } from "../../support/mcp-desk.ts";
import { allowAll, FOUND, openOwnersDesk, type OwnersDesk } from "../../support/mcp/owners-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

/** An act of the end user there, in a session of their own. @returns all that was answered. */
type Way = (world: OwnersDesk, endUser: string) => Promise<string>;

const calls = {
  async "a reply"({ desk }, endUser) {
    return JSON.stringify(await (await desk.openSession(endUser)).say(FOUND));
  },
  async "a reply by a client token"({ desk, tokenOf, ask }, endUser) {
    const person = await desk.openSession(endUser);
    const token = await tokenOf(person, "reply", "read");
    return ask("POST", `${person.path}/replies`, { input: FOUND }, token);
  },
  async "an event that allows the call"({ askedFirst, ask }, endUser) {
    const { person, asked } = await askedFirst(endUser);
    if (asked.pending.length === 0) return JSON.stringify(asked);
    await ask("POST", `${person.path}/events`, allowAll(asked));
    return JSON.stringify(await person.settled(asked.id));
  },
  async "an answer to many confirmations"({ askedFirst, ask }, endUser) {
    const { person, asked } = await askedFirst(endUser);
    if (asked.pending.length === 0) return JSON.stringify(asked);
    const session_id = person.path.replace("/v1/sessions/", "");
    await ask("POST", "/v1/confirmations", { answers: [{ session_id, event: allowAll(asked) }] });
    return JSON.stringify(await person.settled(asked.id));
  },
  async "the address that a webhook carries"({ askedFirst, ask }, endUser) {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    const events = ["confirmation.required"];
    await ask("POST", "/v1/webhook-endpoints", { url: `${receiver.url}/a/200`, events });
    const { person, asked } = await askedFirst(endUser);
    if (asked.pending.length === 0) return JSON.stringify(asked);
    const [message] = await receiver.waitFor("/a/200", 1);
    const { data } = message!.body as { data: { callback_url: string } };
    const { pathname } = new URL(data.callback_url);
    const shown = await request("GET", pathname);
    await request("POST", pathname, { body: allowAll(asked) });
    return JSON.stringify([message!.body, shown.body, await person.settled(asked.id)]);
  },
  async "a named thread of AG-UI"(world, endUser) {
    const query = `?end_user_id=${endUser}`;
    return runAgUi(world, `thread-of-${endUser}`, world.desk.key, query);
  },
  async "a run of AG-UI by a client token"(world, endUser) {
    const person = await world.desk.openSession(endUser);
    const token = await world.tokenOf(person, "reply", "read");
    return runAgUi(world, person.path.replace("/v1/sessions/", ""), token);
  },
  async "a run of AG-UI that is joined"(world, endUser) {
    const person = await world.desk.openSession(endUser);
    const thread = person.path.replace("/v1/sessions/", "");
    const ran = await runAgUi(world, thread);
    const path = `/v1/agents/${world.desk.agent}/ag-ui?thread_id=${thread}`;
    const joined = await openRequest("GET", path, { key: world.desk.key });
    return ran + (await joined.text());
  },
  async "the agent as an MCP server, with a JWT"({ desk, ask }, endUser) {
    const issuer = await startTokenIssuer();
    const path = `/v1/agents/${desk.agent}/mcp`;
    const body = { name: "Sign-in", issuer: issuer.issuer, jwks_url: issuer.jwksUrl };
    await ask("POST", "/v1/token-issuers", body);
    const jwt = await issuer.sign({ sub: endUser, aud: `${inject("baseUrl")}${path}` });
    const asked = { message: FOUND };
    const agent = { tenantId: "", key: jwt, agentId: desk.agent, path, url: new URL("http://a") };
    return JSON.stringify(await callTool(agent, "ask_refund_desk", asked));
  },
  async "a fork"({ desk, ask }, endUser) {
    const person = await desk.openSession(endUser);
    await person.say("/say Hello.");
    const { id } = JSON.parse(await ask("POST", `${person.path}/fork`, {})) as { id: string };
    return ask("POST", `/v1/sessions/${id}/replies`, { input: FOUND });
  },
  async "a fork of ada's session that a key gives to them"({ desk, ask }, endUser) {
    const ada = await desk.openSession("ada");
    await ada.say("/say Hello.");
    const forked = await ask("POST", `${ada.path}/fork`, { end_user_id: endUser });
    const { id } = JSON.parse(forked) as { id: string };
    const replied = await ask("POST", `/v1/sessions/${id}/replies`, { input: FOUND });
    return replied + (await ask("GET", `/v1/sessions/${id}/context`));
  },
  async "a session into which ada's was imported"({ desk, ask }, endUser) {
    const ada = await desk.openSession("ada");
    await ada.say("/say Hello.");
    const state = await ask("GET", `${ada.path}/state`);
    const person = await desk.openSession(endUser);
    const imported = await request("PUT", `${person.path}/state`, { key: desk.key, body: state });
    expect(imported.status).toBeLessThan(300);
    return JSON.stringify(await person.say(FOUND));
  },
  async "one tool alone"({ desk, ask }, end_user_id) {
    const path = `/v1/mcp-servers/${desk.server_id}/tools/find_order/call`;
    return ask("POST", path, { input: { order_id: "A-1" }, end_user_id });
  },
} satisfies Record<string, Way>;

async function runAgUi({ desk }: OwnersDesk, threadId: string, key = desk.key, query = "") {
  const messages = [{ id: crypto.randomUUID(), role: "user", content: FOUND }];
  const more = { tools: [], context: [], state: {}, forwardedProps: {} };
  const body = { threadId, runId: crypto.randomUUID(), messages, ...more };
  const path = `/v1/agents/${desk.agent}/ag-ui${query}`;
  return (await openRequest("POST", path, { key, body })).text();
}

/** Of a session of theirs that has listed its tools, where there is a grant. */
const ofSession =
  (path: string): Way =>
  async ({ desk, ask }, endUser) => {
    const person = await desk.openSession(endUser);
    const { id } = await person.say("/say Hello.");
    return ask("GET", `${person.path}${path.replace("<reply>", id)}`);
  };

const reads = {
  "its context": ofSession("/context"),
  "its export": ofSession("/state"),
  "its events": ofSession("/events?limit=100"),
  "its messages": ofSession("/messages"),
  "its diagnostics": ofSession("/replies/<reply>/diagnostics"),
  "its reply": ofSession("/replies/<reply>"),
  "its tool groups": ofSession("/tool-groups"),
  async "a check of the agent"({ desk, ask }) {
    return ask("POST", `/v1/agents/${desk.agent}/check`, {});
  },
  async "capabilities of AG-UI"({ desk, ask }) {
    return ask("GET", `/v1/agents/${desk.agent}/ag-ui/capabilities`);
  },
  async "the tools of the server"({ desk, ask }, endUser) {
    const path = `/v1/mcp-servers/${desk.server_id}/tools?end_user_id=${endUser}`;
    return (await ask("GET", path)) + (await ask("GET", `${path}&refresh=true`));
  },
  async "the list of connections"({ ask }, endUser) {
    return ask("GET", `/v1/connections?end_user_id=${endUser}`);
  },
  async "a tool of the agent by hand, which those of servers are not"({ desk, ask }, endUser) {
    const session_id = (await desk.openSession(endUser)).path.replace("/v1/sessions/", "");
    const path = `/v1/agents/${desk.agent}/tools/mcp__wh__find_order/call`;
    const refused = await ask("POST", path, { input: { order_id: "A-1" }, session_id });
    expect(refused).toContain("/v1/mcp-servers/");
    return refused;
  },
} satisfies Record<string, Way>;

const REFUSAL = expect.stringMatching(/"status":[45]\d\d/) as string;
const names = ["ada", "bob", "carl"];

/** Nothing that is another's alone: the tool of their catalogue, their connection. */
function expectOwn(text: string, endUser: string, { connections }: OwnersDesk): void {
  for (const other of names.filter((name) => name !== endUser)) {
    expect(text).not.toContain(`of_${other}`);
    if (connections[other]) expect(text).not.toContain(connections[other]);
  }
}

describe("two end users call as themselves, and a third one as none of them, by", BROAD, () => {
  for (const [rows, breadth] of sampled(Object.entries<Way>(calls), 1))
    it.each(rows)("%s", breadth, async (_, way) => {
      const world = await openOwnersDesk();
      const before: string[] = [];
      for (const name of ["carl", "ada", "bob", "carl", "bob"]) {
        expectOwn(await way(world, name), name, world);
        if (name !== "carl") before.push(name);
        expect(world.server.callers).toEqual(before);
      }
    });
});

describe("an end user sees nothing of another's grant, and nothing is called, in", BROAD, () => {
  it("everything that can be read", async () => {
    const world = await openOwnersDesk();
    for (const [title, way] of Object.entries<Way>(reads)) {
      for (const name of names) {
        const text = await way(world, name);
        // A refused request shows nothing, and would prove nothing.
        const mayFail = name === "carl" || title.startsWith("a tool of the agent by hand");
        if (!mayFail) expect([title, text]).not.toEqual([title, REFUSAL]);
        expectOwn(text, name, world);
      }
    }
    // Their own is there: the tests above look for something that exists.
    expect(await reads["its context"](world, "ada")).toContain("of_ada");
    expect(await reads["the tools of the server"](world, "bob")).toContain("of_bob");
    expect(await reads["the list of connections"](world, "bob")).toContain(
      world.connections["bob"],
    );
    const active = await world.ask("GET", "/v1/connections?end_user_id=carl&status=active");
    expect(JSON.parse(active)).toMatchObject({ data: [] });
    expect(world.server.callers).toEqual([]);
  });

  it("a replay, which answers from the record alone", async () => {
    const { server, desk, ask } = await openOwnersDesk();
    const ada = await desk.openSession("ada");
    await ada.say(FOUND);
    const session_id = ada.path.replace("/v1/sessions/", "");
    const before = await ask("GET", "/v1/connections");
    const requests = server.tokenRequests.length;
    server.expireTokens();
    const replayed = await ask("POST", `/v1/agents/${desk.agent}/replays`, { session_id });

    expect(JSON.parse(replayed)).toMatchObject({
      stopped: null,
      summary: { replies: 1, calls: { same: 1, changed: 0, new: 0, gone: 0 } },
    });
    expect(server.callers).toEqual(["ada"]);
    expect(server.tokenRequests).toHaveLength(requests);
    expect(await ask("GET", "/v1/connections")).toBe(before);
  });
});

const NOTHING = "reaches no tool and shows nothing of a grant";
const SETTINGS = "writes settings, and calls nothing";

/** The ways by which each route is tested; the others of the route table have to do with neither sessions nor tools. */
const COVERAGE = {
  runAgUi: ["a named thread of AG-UI", "a run of AG-UI by a client token"],
  joinAgUi: ["a run of AG-UI that is joined"],
  readAgUiCapabilities: ["capabilities of AG-UI"],
  callAgentMcp: ["the agent as an MCP server, with a JWT"],
  resumeAgentMcp: "goes on with a stream of callAgentMcp",
  readResourceMetadata: NOTHING,
  createTokenIssuer: SETTINGS,
  listTokenIssuers: NOTHING,
  readTokenIssuer: NOTHING,
  deleteTokenIssuer: SETTINGS,
  createAgent: SETTINGS,
  listAgents: NOTHING,
  readAgent: NOTHING,
  updateAgent: SETTINGS,
  deleteAgent: SETTINGS,
  listAgentVersions: NOTHING,
  readAgentVersion: NOTHING,
  updateAgentVersion: NOTHING,
  checkAgent: ["a check of the agent"],
  listRemoteAgents: "reads cards of agents of other systems, and asks no server",
  createReplay: "a test of its own, above",
  callTool: ["a tool of the agent by hand, which those of servers are not"],
  listModels: NOTHING,
  testAgentPermission: NOTHING,
  simulatePermission: NOTHING,
  showSignIn: "sign-in-owners.test.ts: a state comes back once",
  showIssuerSignIn: "sign-in-mix-up.test.ts: a code of another issuer is refused",
  listConnections: ["the list of connections"],
  readConnection: "sign-in-connections.test.ts: of another tenant",
  completeConnection: "sign-in-connections.test.ts: whose token completes it",
  deleteConnection: "sign-in-connections.test.ts: of another tenant",
  observe: "adds messages to the log, and calls nothing",
  forkSession: ["a fork", "a fork of ada's session that a key gives to them"],
  readState: ["its export"],
  writeState: ["a session into which ada's was imported"],
  restoreSession: "changes what is in the conversation, and calls nothing",
  readContext: ["its context"],
  compress: "asks the model without tools",
  readHooks: NOTHING,
  writeHooks: SETTINGS,
  removeHook: SETTINGS,
  readSharedState: NOTHING,
  patchSharedState: SETTINGS,
  readPlan: NOTHING,
  writePlan: SETTINGS,
  readToolGroups: ["its tool groups"],
  writeToolGroups: SETTINGS,
  readSessionMcpResource: "sign-in-pages.test.ts",
  createMcpServer: SETTINGS,
  listMcpServers: NOTHING,
  readMcpServer: NOTHING,
  updateMcpServer: SETTINGS,
  deleteMcpServer: SETTINGS,
  listMcpTools: ["the tools of the server"],
  callMcpTool: ["one tool alone"],
  postEvent: ["an event that allows the call"],
  listPermissionRules: NOTHING,
  createPermissionRules: SETTINGS,
  deletePermissionRule: SETTINGS,
  testPermissionRules: NOTHING,
  listDecisions: NOTHING,
  listTenantDecisions: NOTHING,
  listConfirmations: "sign-in-connections.test.ts: whose token completes it",
  answerConfirmations: ["an answer to many confirmations"],
  createSession: SETTINGS,
  listSessions: NOTHING,
  readSession: NOTHING,
  updateSession: SETTINGS,
  deleteSession: SETTINGS,
  createReply: ["a reply", "a reply by a client token"],
  listReplies: NOTHING,
  readReply: ["its reply"],
  readDiagnostics: ["its diagnostics"],
  interrupt: "ends calls, and makes none",
  readEvents: ["its events"],
  listMessages: ["its messages"],
  readMessage: ["its messages"],
  listTasks: NOTHING,
  openVoice: "talks in the session, and needs the right to read its events",
  cancelTask: "ends a call, whose server is told as when a reply is interrupted",
  endTask: "takes the result of a call of an http tool",
  createClientToken: SETTINGS,
  listClientTokens: NOTHING,
  revokeClientToken: SETTINGS,
  createStreamTicket: NOTHING,
  readCallback: ["the address that a webhook carries"],
  answerCallback: ["the address that a webhook carries"],
  createInboundEndpoint: SETTINGS,
  listInboundEndpoints: NOTHING,
  readInboundEndpoint: NOTHING,
  deleteInboundEndpoint: SETTINGS,
  rotateInboundSecret: SETTINGS,
  receiveWebhook: "takes the event of postEvent, signed",
} as const satisfies Partial<
  Record<RouteName, string | readonly (keyof typeof calls | keyof typeof reads)[]>
>;

/** Concepts whose routes have to do with no session, agent or server. */
const ELSEWHERE = [
  // As rooms: its tasks are replies of ordinary sessions.
  "a2a",
  "audit",
  "console",
  "credentials",
  "end-users",
  "files",
  "keys",
  "members",
  "memory",
  "operator",
  "quotas",
  // Their sessions are ordinary ones: whose they are decides.
  "rooms",
  "search",
  "sign-in-providers",
  "skills",
  "tenants",
  "triggers",
  "usage",
  "webhooks",
] as const satisfies readonly Concept[];

it("every route that has to do with sessions, agents or servers is tested, or has a reason", () => {
  const elsewhere = new Set<string>(
    ELSEWHERE.flatMap((concept) => CONTRACTS[concept].routes.map(({ name }) => name)),
  );
  const wanted = ROUTES.map(({ name }) => name).filter((name) => !elsewhere.has(name));
  const used = Object.values(COVERAGE).flatMap((ways) => (typeof ways === "string" ? [] : ways));

  expect(Object.keys(COVERAGE).toSorted()).toEqual(wanted.toSorted());
  expect([...new Set(used)].toSorted()).toEqual(Object.keys({ ...calls, ...reads }).toSorted());
});
