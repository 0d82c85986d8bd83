// Tools that one session has beside its agent's: given when it is opened or by PATCH, and checked as an agent's are.
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { SessionToolGroups } from "../../../protocol/tool-groups/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { ended } from "../../support/replayed-desk.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

interface Refused {
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

let key: string;
beforeAll(async () => {
  ({ key } = await createTenant());
});

async function startTools() {
  const tools = await startToolServer({
    "/weather": answer(JSON.stringify({ output: "sunny" })),
    "/other": answer(JSON.stringify({ output: "cloudy" })),
  });
  onTestFinished(() => tools.stop());
  const weather = { type: "http", name: "weather", url: `${tools.url}/weather`, read_only: true };
  return { ...tools, weather };
}

const openSession = (body: object) =>
  request<{ readonly id: string } & Refused>("POST", "/v1/sessions", { key, body });

async function openDesk(tools: readonly object[], agent: object = {}) {
  const agent_id = await createAgent(key, agent);
  const { status, body } = await openSession({ agent_id, tools });
  expect(status).toBe(201);
  return deskOf(body.id, agent_id);
}

function deskOf(id: string, agent: string) {
  const path = `/v1/sessions/${id}`;
  const ask = <Body>(method: string, what: string, body?: unknown) =>
    request<Body>(method, `${path}${what}`, { key, body });
  return {
    id,
    agent,
    ask,
    say: async (input: string, more: object = {}) =>
      ask<Reply & Refused>("POST", "/replies", { input, ...more }),
    groups: async () => (await ask<SessionToolGroups>("GET", "/tool-groups")).body,
    async names() {
      const { tools } = await this.groups();
      return tools.map(({ name, origin }) => `${origin} ${name}`);
    },
  };
}

function textsOf({ message }: Reply): readonly string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    const output = Array.isArray(block.output) ? block.output : [{ text: block.output }];
    return output.flatMap((part) => ("text" in part ? part.text : []));
  });
}

describe("a session's own tools", () => {
  it("are called beside its agent's, can be asked for, and are no other session's", async () => {
    const { weather } = await startTools();
    const desk = await openDesk([weather]);
    const { body: reply } = await desk.say("/call weather {}\n/then\n/say done", {
      tool_choice: { name: "weather" },
    });
    expect([reply.status, textsOf(reply)]).toEqual(["completed", ["sunny"]]);
    expect(await desk.names()).toEqual(["agent lookup_order", "session weather"]);

    const plain = await openSession({ agent_id: desk.agent });
    const other = deskOf(plain.body.id, desk.agent);
    const { body: without } = await other.say("/call weather {}\n/then\n/say done");
    expect(textsOf(without)).toEqual(["There is no tool named weather. Tools: lookup_order."]);
    const refused = await other.say("Hello", { tool_choice: { name: "weather" } });
    expect(refused.status).toBe(400);
  });

  it(
    "are changed by PATCH for the next reply: an open one keeps those that it began with",
    BROAD,
    async () => {
      const { url, weather } = await startTools();
      const desk = await openDesk([weather, { type: "external", name: "sign", read_only: true }]);
      const script = "/call sign {}\n/then\n/call weather {}\n/then\n/say done";
      const { body: waiting } = await desk.say(script);
      expect(waiting.status).toBe("awaiting_external_result");
      const tools = [{ ...weather, url: `${url}/other` }];
      expect((await desk.ask("PATCH", "", { tools })).status).toBe(200);
      await desk.ask("POST", "/events", {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: waiting.id,
        execution_results: [
          { id: waiting.pending[0]?.tool_call.id, name: "sign", output: "ok", state: "success" },
        ],
      });
      const done = await ended({ key, session: desk.id }, waiting.id);
      expect(textsOf(done)).toEqual(["ok", "sunny"]);
      const { body: next } = await desk.say("/call weather {}\n/then\n/say done");
      expect(textsOf(next)).toEqual(["cloudy"]);

      await desk.ask("PATCH", "", { tools: [] });
      expect(await desk.names()).toEqual(["agent lookup_order"]);
    },
  );

  it("are switched like the agent's, copied into forks, and shown with their definitions", async () => {
    const { weather } = await startTools();
    const desk = await openDesk([weather]);
    const tools = [{ name: "weather", switched: "off" }];
    expect((await desk.ask("PUT", "/tool-groups", { tools })).status).toBe(200);
    const { body: reply } = await desk.say("/call weather {}\n/then\n/say done");
    expect(textsOf(reply)).toEqual([
      "The tool weather was switched off in this session. It can only be switched on from outside of this conversation: go on without it.",
    ]);
    expect((await desk.groups()).session_tools).toEqual([expect.objectContaining(weather)]);
    const fork = await desk.ask<{ readonly id: string }>("POST", "/fork", {});
    const copy = deskOf(fork.body.id, desk.agent);
    expect((await copy.groups()).session_tools).toEqual((await desk.groups()).session_tools);
    expect((await copy.groups()).tools.at(-1)).toMatchObject({ switched: "off", active: false });
  });

  it(
    "obey the agent's permission rules, and send its tenant's secrets to their hosts alone",
    BROAD,
    async () => {
      const server = await startTools();
      const { weather } = server;
      const host = new URL(server.url).host;
      const make = async (allowed_hosts: readonly string[]) => {
        const body = { type: "tool", name: "weather", secret: "s3cret", allowed_hosts };
        const made = await request<{ readonly id: string }>("POST", "/v1/credentials", {
          key,
          body,
        });
        expect(made.status).toBe(201);
        return made.body.id;
      };
      const credential_id = await make([host]);
      const desk = await openDesk([{ ...weather, credential_id }]);
      await desk.say("/call weather {}\n/then\n/say done");
      expect(server.requests.at(-1)?.headers["authorization"]).toBe("Bearer s3cret");

      const elsewhere = await make(["weather.example"]);
      const agent_id = desk.agent;
      const refused = await openSession({
        agent_id,
        tools: [{ ...weather, credential_id: elsewhere }],
      });
      expect([refused.status, refused.body.errors?.map(({ pointer }) => pointer)]).toEqual([
        400,
        ["#/tools/0/credential_id"],
      ]);
      const rules = [{ tool_name: "weather", behavior: "deny" }];
      const strict = await openDesk([weather], { permission: { rules } });
      const { body: denied } = await strict.say("/call weather {}\n/then\n/say done");
      expect(textsOf(denied)[0]).toContain("The call of weather was denied.");
    },
  );

  it("are an entry of the audit log, when a session is opened with them and when they change", async () => {
    const { weather } = await startTools();
    const desk = await openDesk([weather]);
    await desk.ask("PATCH", "", { tools: [] });
    await desk.ask("PATCH", "", { tools: [] });
    const entries = await request<Page<AuditEntry>>("GET", `/v1/audit?target_id=${desk.id}`, {
      key,
    });
    expect(entries.body.data.map(({ action, after }) => [action, after])).toEqual([
      ["session.tools_changed", { tools: [] }],
      ["session.tools_changed", { tools: [expect.objectContaining({ name: "weather" })] }],
    ]);
  });

  it(
    "are an entry of the audit log also when they become those of a reply that waits",
    BROAD,
    async () => {
      const { weather } = await startTools();
      const desk = await openDesk([{ type: "external", name: "sign", read_only: true }]);
      const { session_tools: begun } = await desk.groups();
      const { body: waiting } = await desk.say("/call sign {}");
      expect(waiting.status).toBe("awaiting_external_result");
      await desk.ask("PATCH", "", { tools: [weather] });
      await desk.ask("PATCH", "", { tools: begun });
      const entries = await request<Page<AuditEntry>>("GET", `/v1/audit?target_id=${desk.id}`, {
        key,
      });
      const [last] = entries.body.data;
      expect(entries.body.data).toHaveLength(3);
      expect([last?.before, last?.after]).toEqual([
        { tools: [expect.objectContaining({ name: "weather" })] },
        { tools: begun },
      ]);
    },
  );

  it("give way to what a later version of the agent gives by itself: its plan, the meta tool, its skills' tool", async () => {
    const agent_id = await createAgent(key);
    const tools = [{ type: "external", name: "reset_equipped_tools" }];
    const { body } = await openSession({ agent_id, agent_version: "latest", tools });
    const desk = deskOf(body.id, agent_id);
    const tool_groups = [{ name: "web", description: "Web pages." }];
    await request("PATCH", `/v1/agents/${agent_id}`, {
      key,
      body: { tool_groups, meta_tool: true },
    });
    const { body: reply } = await desk.say(
      '/call reset_equipped_tools {"web": true}\n/then\n/say done',
    );
    expect([reply.status, await desk.names()]).toEqual(["completed", ["agent lookup_order"]]);
    expect((await desk.groups()).groups).toMatchObject([{ name: "web", active: true }]);
  });

  it(
    "give way to a tool of the same name that a later version of the agent brings",
    BROAD,
    async () => {
      const { url, weather } = await startTools();
      const agent_id = await createAgent(key);
      const { body } = await openSession({ agent_id, agent_version: "latest", tools: [weather] });
      const desk = deskOf(body.id, agent_id);
      const tools = [{ ...weather, url: `${url}/other` }];
      await request("PATCH", `/v1/agents/${agent_id}`, { key, body: { tools } });
      const { body: reply } = await desk.say("/call weather {}\n/then\n/say done");
      expect([textsOf(reply), await desk.names()]).toEqual([["cloudy"], ["agent weather"]]);
    },
  );
});

describe("a session is refused", () => {
  const named = (name: string) => ({ type: "external", name });
  const many = Array.from({ length: 33 }, (_, index) => named(`tool_${index}`));

  it.each([
    ["a tool of the agent's name", [named("lookup_order")], "#/tools/0/name"],
    ["a tool of the agent's plan", [named("fine"), named("create_plan")], "#/tools/1/name"],
    ["the meta tool's name", [named("reset_equipped_tools")], "#/tools/0/name"],
    ["a name of the platform's", [named("read_tool_result")], "#/tools"],
    ["two tools of one name", [named("one"), named("one")], "#/tools"],
    ["too many", many, "#/tools"],
    ["a code tool that is not deployed", [{ type: "code", name: "nowhere" }], "#/tools/0/name"],
    [
      "an address that the egress guard refuses",
      [{ type: "http", name: "inside", url: "http://169.254.169.254/" }],
      "#/tools/0/url",
    ],
    [
      "a credential that is not there",
      [{ type: "http", name: "a", url: "https://tool.example/", credential_id: "crd_none" }],
      "#/tools/0/credential_id",
    ],
  ])("%s, when it is opened and when it is changed", async (_, tools, pointer) => {
    const agent_id = await createAgent(key, { plan: {}, meta_tool: true });
    const opened = await openSession({ agent_id, tools });
    const { body } = await openSession({ agent_id });
    const path = `/v1/sessions/${body.id}`;
    const changed = await request<Refused>("PATCH", path, { key, body: { tools } });
    const seen = [opened, changed].map((refused) => [
      refused.status,
      refused.body.errors?.map((error) => error.pointer),
    ]);
    expect(seen).toEqual([
      [400, [pointer]],
      [400, [pointer]],
    ]);
  });

  it("tools from a key that may not write agents, and from a client token", async () => {
    const scopes = ["sessions:read", "sessions:write", "replies:write"];
    const made = await request<{ readonly api_key: string }>("POST", "/v1/api-keys", {
      key,
      body: { scopes },
    });
    const narrow = made.body.api_key;
    const agent_id = await createAgent(key);
    const tools = [named("note_down")];
    const opened = await request<Refused>("POST", "/v1/sessions", {
      key: narrow,
      body: { agent_id, tools },
    });
    const { body } = await openSession({ agent_id });
    const path = `/v1/sessions/${body.id}`;
    const changed = await request<Refused>("PATCH", path, { key: narrow, body: { tools } });
    const minted = await request<{ readonly token: string }>("POST", `${path}/tokens`, {
      key,
      body: { verbs: ["read", "reply"] },
    });
    const byToken = await request<Refused>("PATCH", path, {
      key: minted.body.token,
      body: { tools },
    });
    expect([opened, changed, byToken].map(({ status, body: { code } }) => [status, code])).toEqual([
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
      [403, expect.any(String)],
    ]);
    const shown = await request<SessionToolGroups>("GET", `${path}/tool-groups`, { key });
    expect(shown.body.session_tools).toEqual([]);
  });
});
