// Groups of tools and single tools, switched by people: with versions, by keys and tokens, while replies run, and carried
// into forks and exported states.
import { beforeAll, describe, expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { ended } from "../../support/replayed-desk.ts";

interface Refused {
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
interface SessionContext {
  readonly tools: readonly { readonly name: string }[];
  readonly hints: readonly { readonly source: string; readonly text: string }[];
}

const external = (name: string) => ({ type: "external", name, read_only: true });
const WEB = { name: "web", description: "Web pages.", notes: "Quote.", tools: ["open_page"] };
const MAIL = { name: "mail", description: "Mails.", active: true, tools: ["send_mail"] };
const AGENT = {
  tools: [external("look_up"), external("open_page"), external("send_mail")],
  tool_groups: [WEB, MAIL],
};

let tenant: { readonly id: string; readonly key: string };
beforeAll(async () => {
  tenant = await createTenant();
});

async function openDesk(overrides: object = {}) {
  const agent = await createAgent(tenant.key, { ...AGENT, ...overrides });
  return deskOf(await createSession(tenant.key, agent), agent);
}

function deskOf(id: string, agent: string) {
  const path = `/v1/sessions/${id}`;
  const ask = <Body>(
    method: string,
    what: string,
    body?: unknown,
    { key = tenant.key, ...headers }: Readonly<Record<string, string>> = {},
  ) => request<Body>(method, `${path}${what}`, { key, body, headers });
  return {
    id,
    agent,
    ask,
    read: async () => (await ask<SessionToolGroups>("GET", "/tool-groups")).body,
    put: (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      ask<SessionToolGroups & Refused>("PUT", "/tool-groups", body, headers),
    async offered() {
      const { body } = await ask<SessionContext>("GET", "/context");
      return body.tools.map(({ name }) => name);
    },
    async token(...verbs: readonly string[]) {
      const minted = await ask<{ readonly token: string }>("POST", "/tokens", { verbs });
      return minted.body.token;
    },
    async changes() {
      const { body } = await ask<Page<LoggedEvent>>("GET", "/events?after=0&limit=100");
      return body.data.flatMap((event) =>
        event.type === "CUSTOM" && event.name === "tool_groups_changed" ? [event.value] : [],
      );
    },
    async audited() {
      const query = `/v1/audit?target_id=${id}`;
      const { body } = await request<Page<AuditEntry>>("GET", query, { key: tenant.key });
      return body.data.map(({ action, before, after }) => ({ action, before, after }));
    },
  };
}

async function narrowKey(...scopes: readonly string[]): Promise<string> {
  const made = await request<{ readonly api_key: string }>("POST", "/v1/api-keys", {
    key: tenant.key,
    body: { scopes },
  });
  return made.body.api_key;
}

describe("people", () => {
  it("see what there is, switch groups and single tools, and take switches back", async () => {
    const desk = await openDesk();
    expect(await desk.read()).toEqual({
      groups: [
        { ...WEB, switched: null, active: false },
        { ...MAIL, notes: null, switched: null, active: true },
      ],
      tools: [
        { name: "look_up", origin: "agent", group: null, switched: null, active: true },
        { name: "open_page", origin: "agent", group: "web", switched: null, active: false },
        { name: "send_mail", origin: "agent", group: "mail", switched: null, active: true },
      ],
      meta_tool: false,
      session_tools: [],
      version: 0,
      cursor: expect.any(Number),
    });
    expect(await desk.offered()).toEqual(["look_up", "send_mail"]);

    const switched = await desk.put({
      groups: [{ name: "mail", switched: "off" }],
      tools: [
        { name: "open_page", switched: "on" },
        { name: "look_up", switched: "off" },
      ],
    });
    expect([switched.status, switched.headers.get("etag")]).toEqual([200, '"1"']);
    expect(switched.body.tools.map(({ name, active }) => [name, active])).toEqual([
      ["look_up", false],
      ["open_page", true],
      ["send_mail", false],
    ]);
    expect(await desk.offered()).toEqual(["open_page"]);

    const back = await desk.put({});
    expect([back.body.version, await desk.offered()]).toEqual([2, ["look_up", "send_mail"]]);
    const [first, second] = await desk.changes();
    expect(first).toEqual({
      version: 1,
      groups: { mail: false },
      tools: { open_page: true, look_up: false },
      activated_groups: [],
      switched_by: { kind: "api_key", id: expect.any(String) },
    });
    expect(second).toMatchObject({ version: 2, groups: {}, tools: {}, activated_groups: ["mail"] });
    expect(await desk.audited()).toEqual([
      {
        action: "session.tool_groups_changed",
        before: { groups: { mail: "off" }, tools: { open_page: "on", look_up: "off" } },
        after: { groups: {}, tools: {} },
      },
      {
        action: "session.tool_groups_changed",
        before: { groups: {}, tools: {} },
        after: { groups: { mail: "off" }, tools: { open_page: "on", look_up: "off" } },
      },
    ]);
  });

  it(
    "send back what they read without making a version, and write over the version that they name",
    BROAD,
    async () => {
      const desk = await openDesk();
      await desk.put({ groups: [{ name: "web", switched: "on" }] });
      const read = await desk.read();
      const same = await desk.put(read, { "if-match": '"1"' });
      expect([same.status, same.body.version]).toEqual([200, 1]);
      const late = await desk.put({}, { "if-match": '"0"' });
      expect([late.status, late.body.code, late.body.version]).toEqual([
        412,
        "version_mismatch",
        1,
      ]);
      expect((await desk.audited()).length).toBe(1);
    },
  );

  it("cannot switch what is not there, and are told what was meant", async () => {
    const desk = await openDesk();
    const unknown = await desk.put({
      groups: [{ name: "wbe", switched: "on" }],
      tools: [{ name: "reset_equipped_tools", switched: "off" }],
    });
    expect([unknown.status, unknown.body.code, unknown.body.errors]).toEqual([
      400,
      "validation_failed",
      [
        { pointer: "#/groups/0/name", detail: "the session has no group wbe; did you mean `web`?" },
        { pointer: "#/tools/0/name", detail: "the session has no tool reset_equipped_tools" },
      ],
    ]);
    const twice = { name: "web", switched: "on" };
    expect((await desk.put({ groups: [twice, twice] })).status).toBe(400);
    expect((await desk.put({ groups: [{ name: "web", switched: true }] })).status).toBe(400);
    expect((await desk.read()).version).toBe(0);
  });

  it("switch while a reply waits: its next model call has the tools of then", async () => {
    const desk = await openDesk();
    const input = "/call look_up {}\n/then\n/call open_page {}\n/then\n/say done";
    const waiting = (await desk.ask<Reply>("POST", "/replies", { input })).body;
    expect(waiting.status).toBe("awaiting_external_result");
    await desk.put({
      groups: [{ name: "web", switched: "on" }],
      tools: [{ name: "look_up", switched: "off" }],
    });
    expect(await desk.offered()).toEqual(["open_page", "send_mail"]);
    const [call] = waiting.pending;
    // A call that was handed over has begun: its result is taken.
    const posted = await desk.ask<{ readonly reply: Reply }>("POST", "/events", {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: waiting.id,
      execution_results: [
        { id: call?.tool_call.id, name: "look_up", output: "ok", state: "success" },
      ],
    });
    expect(posted.status).toBe(202);
    const next = await ended({ key: tenant.key, session: desk.id }, waiting.id);
    expect(next.pending.map(({ tool_call }) => tool_call.name)).toEqual(["open_page"]);
  });
});

describe("a credential", () => {
  it("without sessions:write, a client token among them, switches only what the agent could itself", async () => {
    const desk = await openDesk({ meta_tool: true });
    const on = { groups: [{ name: "web", switched: "on" }] };
    const token = await desk.token("read", "reply");
    const narrow = await narrowKey("sessions:read", "replies:write");
    const shown = await desk.ask<SessionToolGroups>("GET", "/tool-groups", undefined, {
      key: token,
    });
    expect([shown.status, "session_tools" in shown.body]).toEqual([200, false]);

    const groups = await desk.put(on, { key: token });
    expect([groups.status, groups.body.version]).toEqual([200, 1]);
    const single = { ...on, tools: [{ name: "look_up", switched: "off" }] };
    for (const key of [token, narrow]) {
      const refused = await desk.put(single, { key });
      expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
    }
    expect((await desk.put({}, { key: narrow })).body.version).toBe(2);
    expect(await desk.changes()).toMatchObject([
      { switched_by: { kind: "client_token" } },
      { switched_by: { kind: "api_key" } },
    ]);

    const fixed = await openDesk();
    const refused = await fixed.put(on, { key: await fixed.token("read", "reply") });
    expect([refused.status, await fixed.offered()]).toEqual([403, ["look_up", "send_mail"]]);
  });

  it("needs the right to read and to reply, and is of the session's tenant", BROAD, async () => {
    const desk = await openDesk({ meta_tool: true });
    expect((await desk.put({}, { key: await desk.token("reply") })).body.code).toBe("verb_missing");
    expect((await desk.put({}, { key: await desk.token("read") })).status).toBe(403);
    expect((await desk.put({}, { key: await narrowKey("sessions:read") })).status).toBe(403);
    const stranger = await createTenant();
    const other = await openDesk();
    const strangers = await desk.ask("GET", "/tool-groups", undefined, { key: stranger.key });
    const foreign = await desk.put({}, { key: await other.token("read", "reply") });
    expect([strangers.status, foreign.status]).toEqual([404, 404]);
  });
});

describe("what is switched", () => {
  const ON = {
    groups: [{ name: "web", switched: "on" }],
    tools: [{ name: "look_up", switched: "off" }],
  };

  it("is copied into forks, as it was where the copy ends", BROAD, async () => {
    const desk = await openDesk();
    await desk.ask("POST", "/observe", { messages: { id: "note-1", content: "One." } });
    await desk.put(ON);
    await desk.ask("POST", "/observe", { messages: { id: "note-2", content: "Two." } });
    const forks = await Promise.all(
      [{ at: "note-1" }, {}].map(async (body) => {
        const fork = await desk.ask<{ readonly id: string }>("POST", "/fork", body);
        return deskOf(fork.body.id, desk.agent).offered();
      }),
    );
    expect(forks).toEqual([
      ["look_up", "send_mail"],
      ["open_page", "send_mail"],
    ]);
  });

  it("is in the exported state by AgentScope's name, and comes back with it", async () => {
    const desk = await openDesk();
    await desk.put(ON);
    const { body: state } = await desk.ask<AgentState>("GET", "/state");
    expect(state.tool_context.activated_groups).toEqual(["web", "mail"]);
    expect(state.middle_context["tool_groups"]).toEqual({
      version: 1,
      groups: { web: true },
      tools: { look_up: false },
    });
    const imported = await openDesk();
    expect((await imported.ask("PUT", "/state", state)).status).toBe(200);
    expect(await imported.offered()).toEqual(["open_page", "send_mail"]);
    const again = await imported.ask<AgentState>("GET", "/state");
    expect(again.body.tool_context).toEqual(state.tool_context);
  });

  for (const [rows, breadth] of sampled(
    [
      [
        "the groups of another platform",
        { activated_groups: ["web", "unknown"] },
        ["look_up", "open_page"],
      ],
      ["an empty list, which says nothing", { activated_groups: [] }, ["look_up", "send_mail"]],
      ["what is no list", { activated_groups: "web" }, ["look_up", "send_mail"]],
    ],
    1,
  ))
    it.each(rows)("is imported from %s", breadth, async (_, tool_context, offered) => {
      const desk = await openDesk();
      const content = [{ type: "text", text: "Hello" }];
      const context = [{ name: "kim", role: "user", content }];
      const put = await desk.ask("PUT", "/state", { tool_context, context });
      expect(put.status).toBe(200);
      expect(await desk.offered()).toEqual(offered);
    });

  it("holds for later versions of the agent, as far as they have it", async () => {
    const agent = await createAgent(tenant.key, AGENT);
    const body = { agent_id: agent, agent_version: "latest" };
    const made = await request<{ id: string }>("POST", "/v1/sessions", { key: tenant.key, body });
    const desk = deskOf(made.body.id, agent);
    await desk.put({ ...ON, groups: [...ON.groups, { name: "mail", switched: "off" }] });
    const changed = { tool_groups: [{ ...MAIL, tools: ["send_mail", "open_page"] }] };
    const patch = await request("PATCH", `/v1/agents/${agent}`, { key: tenant.key, body: changed });
    expect(patch.status).toBe(200);
    await desk.ask("POST", "/replies", { input: "/say hi" });
    const { groups, tools } = await desk.read();
    expect(groups.map(({ name, active }) => [name, active])).toEqual([["mail", false]]);
    expect(tools.filter(({ active }) => active)).toEqual([]);
  });
});

describe("an agent", () => {
  for (const [rows, breadth] of sampled(
    [
      [
        "a group of a tool that it has not",
        [{ ...WEB, tools: ["open_pag"] }],
        "#/tool_groups/0/tools/0",
      ],
      ["a tool in two groups", [WEB, { ...MAIL, tools: ["open_page"] }], "#/tool_groups/1/tools/0"],
      ["two groups of one name", [WEB, { ...MAIL, name: "web" }], "#/tool_groups"],
      ["a group named basic", [{ ...WEB, name: "basic" }], "#/tool_groups/0/name"],
      ["a group without a description", [{ name: "web" }], "#/tool_groups/0/description"],
    ],
    1,
  ))
    it.each(rows)("is refused with %s", breadth, async (_, tool_groups, pointer) => {
      const body = { name: "Desk", ...AGENT, tool_groups };
      const refused = await request<Refused>("POST", "/v1/agents", { key: tenant.key, body });
      expect([refused.status, refused.body.errors?.map((error) => error.pointer)]).toEqual([
        400,
        [pointer],
      ]);
    });

  it("is refused when a change takes a tool out of a group, or brings one of the meta tool's name", async () => {
    const agent = await createAgent(tenant.key, { ...AGENT, meta_tool: true });
    const patch = (body: object) =>
      request<Refused>("PATCH", `/v1/agents/${agent}`, { key: tenant.key, body });
    const lost = await patch({ tools: [external("look_up"), external("send_mail")] });
    expect([lost.status, lost.body.errors?.map(({ pointer }) => pointer)]).toEqual([
      400,
      ["#/tool_groups/0/tools/0"],
    ]);
    const named = await patch({ tools: [...AGENT.tools, external("reset_equipped_tools")] });
    expect([named.status, named.body.errors?.map(({ pointer }) => pointer)]).toEqual([
      400,
      ["#/tools/3/name"],
    ]);
  });
});
