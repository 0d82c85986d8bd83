// Bytes that clients store in a session without a reply: asked for and reported like those of replies.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { MAX_TOOL_SWITCHES } from "../../../protocol/tool-groups/limits.ts";
import { STORED_BYTES_GRANT } from "../../../protocol/quotas/limits.ts";
import { sampled } from "../../support/breadth.ts";
import { ask, makeAgent, makeSession, makeTenant, openSession, type Call } from "../support/api.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";

const AGENT = { name: "Desk", plan: {} };
const QUOTA = 1_000_000;
const MB = 1_000_000;
const note = (index: number) => `${index} ${"x".repeat(50_000)}`;

/** As many tools of an MCP server as a session may have switched. */
const MCP_NAMES = Array.from(
  { length: MAX_TOOL_SWITCHES },
  () => `mcp__${crypto.randomUUID()}_${crypto.randomUUID().slice(0, 18)}`,
);

/** A session of an agent with an MCP server, whose tools may have any names. */
async function openWithServer() {
  const { id: tenantId, call } = await makeTenant();
  const { json: server } = await ask<{ id: string }>("POST", "/v1/mcp-servers", {
    ...call,
    json: { name: "warehouse", url: "https://shop.example/mcp" },
  });
  const tools = [{ type: "mcp", server_id: server.id }];
  const agent = await makeAgent(call, { ...AGENT, tools });
  const session = await makeSession(call, { agent_id: agent.id });
  return { tenantId, call, session, path: `/v1/sessions/${session.id}` };
}

interface Way {
  readonly send: (path: string, call: Call, index: number) => ReturnType<typeof ask>;
}

const WAYS: Readonly<Record<string, Way>> = {
  writePlan: {
    send: (path, call, index) => {
      const subtask = {
        name: "Look",
        description: note(index).slice(0, 2_000),
        expected_outcome: "",
      };
      const subtasks = Array.from({ length: 14 }, () => subtask);
      const plan = { name: `Plan ${index}`, description: "", expected_outcome: "", subtasks };
      return ask("PUT", `${path}/plan`, { ...call, json: { plan } });
    },
  },
  patchSharedState: {
    send: (path, call, index) =>
      ask("PATCH", `${path}/shared-state`, {
        ...call,
        json: [{ op: "add", path: "/note", value: note(index) }],
      }),
  },
  observe: {
    send: (path, call, index) =>
      ask("POST", `${path}/observe`, { ...call, json: { messages: note(index) } }),
  },
  tell: {
    send: (path, call, index) => {
      const value = { note: note(index).slice(0, 15_000) };
      const events = Array.from({ length: 4 }, () => ({ type: "CUSTOM", name: "note", value }));
      return ask("POST", `${path}/observe`, { ...call, json: { events } });
    },
  },
  writeToolGroups: {
    send: (path, call, index) => {
      const switched = index % 2 === 0 ? "on" : "off";
      const tools = MCP_NAMES.map((name) => ({ name, switched }));
      return ask("PUT", `${path}/tool-groups`, { ...call, json: { groups: [], tools } });
    },
  },
};

for (const [rows, breadth] of sampled(Object.entries(WAYS), 2))
  describe.each(rows)("%s", breadth, (_name, { send }) => {
    test("is refused above the tenant's stored_bytes, before a session has a megabyte more", async () => {
      const { call, path, tenantId, session } = await openWithServer();
      await changeTenant(tenantId, { quotas: { stored_bytes: QUOTA } });
      let refused: unknown = null;
      for (let index = 0; index < 80 && refused === null; index += 1) {
        const { status, json } = await send(path, call, index);
        if (status >= 300) refused = [status, (json as { quota?: string }).quota];
      }
      const reported = () =>
        env.DB.prepare("SELECT bytes FROM session_states WHERE session_id = ?")
          .bind(session.id)
          .first<number>("bytes");

      expect(refused).toEqual([429, "stored_bytes"]);
      await expect.poll(reported).toBeGreaterThan(QUOTA - 2 * STORED_BYTES_GRANT);
      expect(await reported()).toBeLessThan(QUOTA + MB);
      expect((await readLimits(call)).used.stored_bytes).toBeLessThan(QUOTA + MB);
    });
  });

describe("a fork", () => {
  const fork = (path: string, call: Call) =>
    ask<{ id: string; quota?: string }>("POST", `${path}/fork`, { ...call, json: {} });
  const used = async (call: Call) => (await readLimits(call)).used.stored_bytes;

  test("is refused above the tenant's stored_bytes, and leaves no session", async () => {
    const { call, path, tenantId, session } = await openSession(AGENT);
    await WAYS["observe"]!.send(path, call, 1);
    await expect.poll(() => used(call)).toBeGreaterThan(50_000);
    await changeTenant(tenantId, { quotas: { stored_bytes: await used(call) } });

    // A tenant's object that was put away, or does not answer in time, lets one through before it looks at D1 again.
    const made = [session.id];
    let refused: unknown = null;
    for (let count = 0; count < 5 && refused === null; count += 1) {
      const { status, json } = await fork(path, call);
      if (status === 201) made.push(json.id);
      else refused = [status, json.quota];
    }

    expect(refused).toEqual([429, "stored_bytes"]);
    const listed = await ask<{ data: readonly { id: string }[] }>("GET", "/v1/sessions", call);
    expect(listed.json.data.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
  });

  test("is counted with all that it has copied, before it does anything", async () => {
    const { call, path } = await openSession(AGENT);
    for (let index = 0; index < 6; index += 1) {
      await WAYS["observe"]!.send(path, call, index);
    }
    await expect.poll(() => used(call)).toBeGreaterThan(300_000);
    const before = await used(call);

    expect((await fork(path, call)).status).toBe(201);

    await expect.poll(() => used(call)).toBeGreaterThan(before + 300_000);
  });
});

describe("a session that stores without replies", () => {
  test("is counted once it has stored, and is idle in lists", async () => {
    const { call, path, session } = await openSession(AGENT);
    const before = (await readLimits(call)).used.stored_bytes;

    await WAYS["patchSharedState"]!.send(path, call, 1);

    await expect
      .poll(async () => (await readLimits(call)).used.stored_bytes)
      .toBeGreaterThan(before + 60_000);
    const { json } = await ask<{ data: readonly { id: string; status: string }[] }>(
      "GET",
      "/v1/sessions",
      call,
    );
    expect(json.data.map(({ id, status }) => [id, status])).toEqual([[session.id, "idle"]]);
  });

  test("has its letters counted as they are stored, three bytes each in Chinese", async () => {
    const { call, path, tenantId } = await openSession(AGENT);
    await changeTenant(tenantId, { quotas: { stored_bytes: QUOTA } });
    const messages = "\u5b57".repeat(QUOTA * 0.45);

    const { status } = await ask("POST", `${path}/observe`, { ...call, json: { messages } });

    expect(status).toBe(429);
  });

  test("goes on when there is room again", async () => {
    const { call, path, tenantId } = await openSession(AGENT);
    await changeTenant(tenantId, { quotas: { stored_bytes: QUOTA } });
    const { send } = WAYS["observe"]!;
    const statuses: number[] = [];
    while (statuses.at(-1) !== 429 && statuses.length < 80) {
      statuses.push((await send(path, call, statuses.length)).status);
    }
    await changeTenant(tenantId, { quotas: { stored_bytes: null } });
    const again = await send(path, call, 81);

    expect([statuses.at(-1), again.status]).toEqual([429, 201]);
  });
});
