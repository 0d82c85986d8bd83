// Naming an older version of an agent undoes what its newest one forbids: that needs the right to change the agent.
import { describe, expect, it } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import { sampled } from "../../support/breadth.ts";
import { ask, makeAgent, makeSession, makeTenant, type Answer, type Call } from "../support/api.ts";

const REFUND = { type: "external", name: "refund" };
const LOOK = { type: "http", name: "look_up", url: "http://127.0.0.1:9/look" };
const NARROW: readonly Scope[] = ["sessions:read", "sessions:write", "replies:write", "tools:call"];

const deny = { tool_name: "refund", rule_content: null, behavior: "deny", source: "agent" };
const rule = (more: object) => ({ permission: { rules: [{ ...deny, ...more }] } });
const NO_RULES = { permission: { rules: [] } };
const guard = { type: "http", name: "guard", point: "pre_acting", url: "http://127.0.0.1:9/guard" };

async function keyWith(call: Call, scopes: readonly Scope[]): Promise<Call> {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

/** An agent whose first version is `old`, and whose newest one has `news`. */
async function makeVersions(old: object, news: object) {
  const { call } = await makeTenant();
  const agent = await makeAgent(call, { name: "Desk", tools: [REFUND, LOOK], ...old });
  const early = await makeSession(call, { agent_id: agent.id });
  const path = `/v1/agents/${agent.id}`;
  const changed = await ask<Agent>("PATCH", path, { ...call, json: news });
  expect(changed.status).toBe(200);
  const narrow = await keyWith(call, NARROW);
  return {
    call,
    narrow,
    agent,
    path,
    early,
    session: await makeSession(call, { agent_id: agent.id }),
  };
}

function outcomeOf({ status, json }: Answer<unknown>) {
  const { code, required_scope } = json as Record<string, unknown>;
  return status < 300 ? status : [status, code, required_scope];
}

/** Names version 1 in every way that there is. */
async function nameOldest(
  { agent, path, session }: Awaited<ReturnType<typeof makeVersions>>,
  call: Call,
) {
  const json = { agent_version: 1 };
  const of = `/v1/sessions/${session.id}`;
  return [
    await ask("POST", "/v1/sessions", { ...call, json: { agent_id: agent.id, ...json } }),
    await ask("POST", `${of}/fork`, { ...call, json }),
    await ask("POST", `${path}/tools/look_up/call`, {
      ...call,
      json: { version: 1, input: {} },
    }),
    await ask("PATCH", of, { ...call, json }),
  ].map(outcomeOf);
}

const BYPASS = { permission: { mode: "bypass" } };

describe("an older version", () => {
  for (const [rows, breadth] of sampled(
    [
      ["its mode bypass", BYPASS, { permission: { mode: "default" } }, "permission_bypass:write"],
      [
        "its mode accept_edits",
        { permission: { mode: "accept_edits" } },
        { permission: { mode: "dont_ask" } },
        "permission_bypass:write",
      ],
      ["a deny rule since", {}, rule({}), "agents:write"],
      ["an ask rule since", {}, rule({ behavior: "ask" }), "agents:write"],
      ["a deny rule that asked then", rule({ behavior: "ask" }), rule({}), "agents:write"],
      ["a rule for one input then", rule({ rule_content: "A-1" }), rule({}), "agents:write"],
      ["a hook since", {}, { hooks: [guard] }, "agents:write"],
      [
        "a hook before the model call since",
        {},
        { hooks: [{ ...guard, point: "pre_model_call" }] },
        "agents:write",
      ],
      ["an allow rule then", rule({ behavior: "allow" }), NO_RULES, "agents:write"],
      [
        "an allow rule for every input then",
        rule({ behavior: "allow" }),
        rule({ behavior: "allow", rule_content: "A-1" }),
        "agents:write",
      ],
      [
        "a hook that failed open then",
        { hooks: [{ ...guard, on_failure: "open" }] },
        { hooks: [guard] },
        "agents:write",
      ],
    ],
    3,
  ))
    it.each(rows)(
      "is named by those alone who may undo %s",
      breadth,
      async (_, old, news, scope) => {
        const desk = await makeVersions(old, news);
        const wide = await keyWith(desk.call, [...NARROW, scope as Scope]);
        const refused = await nameOldest(desk, desk.narrow);
        const taken = await nameOldest(desk, wide);

        expect(refused).toEqual(
          Array.from({ length: 4 }, () => [403, "insufficient_scope", scope]),
        );
        expect(taken).toEqual([201, 201, 200, 200]);
      },
    );

  for (const [rows, breadth] of sampled(
    [
      ["is as strict", {}, { name: "Help desk" }],
      ["is stricter", rule({}), { permission: { rules: [] } }],
      ["denies what asks now", rule({}), rule({ behavior: "ask" })],
      ["denies every call, where one input is denied now", rule({}), rule({ rule_content: "A-1" })],
      ["has a mode that is stricter", { permission: { mode: "accept_edits" } }, BYPASS],
      ["lacks a hook that only watches", {}, { hooks: [{ ...guard, point: "post_observe" }] }],
      ["lacks a rule that allows", {}, rule({ behavior: "allow" })],
      [
        "allows one input, where every input is allowed now",
        rule({ behavior: "allow", rule_content: "A-1" }),
        rule({ behavior: "allow" }),
      ],
    ],
    1,
  ))
    it.each(rows)("that %s is named by who may open sessions", breadth, async (_, old, news) => {
      const desk = await makeVersions(old, news);

      expect(await nameOldest(desk, desk.narrow)).toEqual([201, 201, 200, 200]);
    });

  it("stays with a session that has it, its forks and whoever names it there again", async () => {
    const { narrow, early } = await makeVersions(BYPASS, { permission: { mode: "default" } });
    const of = `/v1/sessions/${early.id}`;
    const fork = await ask<Session>("POST", `${of}/fork`, { ...narrow, json: {} });
    const again = await ask<Session>("PATCH", of, { ...narrow, json: { agent_version: 1 } });
    const reply = await ask("POST", `${of}/replies`, { ...narrow, json: { input: "/say Hi." } });
    const follows = await ask<Session>("PATCH", of, {
      ...narrow,
      json: { agent_version: "latest" },
    });
    const back = await ask<Session>("PATCH", of, { ...narrow, json: { agent_version: 1 } });

    expect([fork.status, again.status, reply.status, follows.status]).toEqual([201, 200, 200, 200]);
    // The session has not replied since, so it still has the old version: it follows the newest one all the same.
    const aside = await ask("POST", `${of}/fork`, { ...narrow, json: { agent_version: 1 } });
    expect([back.status, aside.status]).toEqual([403, 403]);
  });
});

describe("a session's move to another version", () => {
  it("is in the audit log, once, and that of a fork", async () => {
    const { call, session } = await makeVersions({}, { name: "Help desk" });
    const of = `/v1/sessions/${session.id}`;
    for (const agent_version of [1, 1, "latest"]) {
      await ask("PATCH", of, { ...call, json: { agent_version } });
    }
    const fork = await ask<Session>("POST", `${of}/fork`, { ...call, json: { agent_version: 1 } });
    await ask("POST", `${of}/fork`, { ...call, json: {} });
    const { json } = await ask<Page<AuditEntry>>(
      "GET",
      "/v1/audit?action=session.version_changed",
      call,
    );

    const moves = json.data.map(({ target_id, before, after }) => [target_id, before, after]);
    expect(moves.toReversed()).toEqual([
      [session.id, { agent_version: 2 }, { agent_version: 1 }],
      [session.id, { agent_version: 1 }, { agent_version: "latest" }],
      [fork.json.id, { agent_version: "latest" }, { agent_version: 1 }],
    ]);
  });
});
