// Clients of MCP that leave their calls: a durable timer of the session ends the reply in 2026-07-28, unless it is taken
// up before. The timer is made due by hand.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { MCP_LEFT_MS } from "../../../protocol/agent-mcp/limits.ts";
import { BROAD } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent, makeTenant, send } from "../support/api.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";

const VERSION = "2026-07-28";
const LONG = "/rate 50\n/words 2000";

interface Called {
  readonly result: { readonly structuredContent: { readonly status: string } };
}

async function openDesk() {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call, {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "external", name: "print_label", input_schema: { type: "object" } }],
  });
  const path = `/v1/agents/${agent.id}/mcp`;
  const interrupt = (id: string) => sessionStub(env, tenantId, id).act("interrupt", {});
  const stubOf = (id: string) => env.SESSION.getByName(sessionObjectName(tenantId, id));

  /** A call of the newer era, unless a version says otherwise. */
  async function open(verb: string, args: object, { version = VERSION, key = "" } = {}) {
    const isNew = version === VERSION;
    const meta = {
      progressToken: "p",
      ...(key !== "" && { "reprise/idempotency-key": key }),
      ...(isNew && {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
      }),
    };
    const params = { name: `${verb}_desk`, arguments: args, _meta: meta };
    const response = await send("POST", path, {
      ...call,
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers: {
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": version,
        ...(isNew && { "Mcp-Method": "tools/call", "Mcp-Name": `${verb}_desk` }),
      },
    });
    return response.body!.getReader();
  }

  async function newestReply(session: string): Promise<Reply> {
    const { json } = await ask<Page<Reply>>("GET", `/v1/sessions/${session}/replies`, call);
    return json.data[0]!;
  }

  const sessionOf = async () => {
    const { json } = await ask<Page<{ id: string }>>("GET", "/v1/sessions", call);
    return json.data[0]!.id;
  };

  /** Asks, and reads until the reply runs. */
  async function begin({
    message = LONG,
    ...options
  }: { readonly message?: string; readonly version?: string; readonly key?: string } = {}) {
    const reader = await open("ask", { message }, options);
    await read(reader);
    const session = await sessionOf();
    return { reader, session, reply: await newestReply(session) };
  }

  const timersOf = (session: string) =>
    runInDurableObject(stubOf(session), (_, { storage }) =>
      storage.sql
        .exec<{ id: string; due_at: number }>("SELECT id, due_at FROM timers WHERE kind = 'left'")
        .toArray(),
    );

  /** The reply's timer, once it is set. */
  const untilLeft = (session: string) =>
    waitFor(async () => {
      const timers = await timersOf(session);
      expect(timers).toHaveLength(1);
      return timers[0]!;
    });

  const passTime = async (session: string) => {
    await runInDurableObject(stubOf(session), (_, { storage }) =>
      storage.sql.exec("UPDATE timers SET due_at = 1 WHERE kind = 'left'"),
    );
    await runDurableObjectAlarm(stubOf(session));
  };

  const until = (session: string, status: string) =>
    waitFor(async () => {
      const reply = await newestReply(session);
      expect(reply.status).toBe(status);
      return reply;
    });

  return { call, path, open, begin, newestReply, timersOf, untilLeft, passTime, until, interrupt };
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** Until the first progress. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = "";
  while (!text.includes("notifications/progress")) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
  }
  return text;
}

describe("a client that leaves its call", () => {
  test("has cancelled it in 2026-07-28: the reply is interrupted when the time is over", async () => {
    const { begin, untilLeft, passTime, until, timersOf, call } = await openDesk();
    const { reader, session, reply } = await begin();
    await reader.cancel();
    const timer = await untilLeft(session);
    const leftMs = timer.due_at - Date.now();
    const before = await until(session, "running");
    await passTime(session);
    const after = await until(session, "interrupted");

    expect([timer.id, before.id, after.id]).toEqual([reply.id, reply.id, reply.id]);
    expect(leftMs).toBeLessThanOrEqual(MCP_LEFT_MS);
    expect(await timersOf(session)).toEqual([]);
    const events = await ask<Page<{ type: string; metadata: object }>>(
      "GET",
      `/v1/sessions/${session}/events?limit=100`,
      call,
    );
    const interrupt = events.json.data.find(({ type }) => type === "USER_INTERRUPT");
    expect(interrupt?.metadata).toEqual({ reason: "client_left" });
  });

  test("has cancelled nothing in the versions before", BROAD, async () => {
    const { begin, newestReply, timersOf } = await openDesk();
    const { reader, session } = await begin({ version: "2025-11-25" });
    const before = await newestReply(session);
    await reader.cancel();
    // The server has noticed once more was written.
    await waitFor(async () =>
      expect((await newestReply(session)).cursor).toBeGreaterThan(before.cursor + 50),
    );

    expect(await timersOf(session)).toEqual([]);
    expect((await newestReply(session)).status).toBe("running");
  });

  test("has cancelled it although the machine was lost meanwhile", BROAD, async () => {
    const { begin, untilLeft, passTime, until } = await openDesk();
    const { reader, session } = await begin();
    await reader.cancel();
    await untilLeft(session);
    await abortAllDurableObjects();
    await passTime(session);

    await until(session, "interrupted");
  });
});

describe("a reply that was left", () => {
  test("goes on when the call is sent again with its key, and is left again with that one", async () => {
    const { begin, open, untilLeft, timersOf, newestReply, passTime, until } = await openDesk();
    const { reader, session } = await begin({ key: "order-17" });
    await reader.cancel();
    await untilLeft(session);
    const again = await open("ask", { message: LONG }, { key: "order-17" });
    await read(again);
    const timers = await timersOf(session);
    await passTime(session);
    const kept = await newestReply(session);
    await again.cancel();
    await untilLeft(session);
    await passTime(session);

    expect([timers, kept.status]).toEqual([[], "running"]);
    await until(session, "interrupted");
  });

  test.each([VERSION, "2025-11-25"])(
    "goes on when it is resumed, by a client of %s",
    async (version) => {
      const { begin, open, untilLeft, timersOf, passTime, newestReply } = await openDesk();
      const { reader, session } = await begin();
      await reader.cancel();
      await untilLeft(session);
      const again = await open("resume", { session_id: session }, { version });
      await read(again);

      expect(await timersOf(session)).toEqual([]);
      await passTime(session);
      expect((await newestReply(session)).status).toBe("running");
      await again.cancel();
    },
  );

  test(
    "is not interrupted while another call follows it, and is when that one leaves",
    BROAD,
    async () => {
      const { begin, open, untilLeft, timersOf, passTime, until } = await openDesk();
      const { reader, session } = await begin();
      const other = await open("resume", { session_id: session });
      await read(other);
      await reader.cancel();
      // Until the server has noticed the first one by what it wrote.
      for (let more = 0; more < 50; more += 1) await other.read();
      const timers = await timersOf(session);
      await other.cancel();
      await untilLeft(session);
      await passTime(session);

      expect(timers).toEqual([]);
      await until(session, "interrupted");
    },
  );

  test("and is over ends no other that came after it", async () => {
    const { begin, untilLeft, passTime, timersOf, interrupt, open, newestReply } = await openDesk();
    const { reader, session } = await begin();
    await reader.cancel();
    await untilLeft(session);
    await interrupt(session);
    await readAll(await open("ask", { session_id: session, message: "/call print_label {}" }));
    await passTime(session);

    expect((await newestReply(session)).status).toBe("awaiting_permission");
    expect(await timersOf(session)).toEqual([]);
  });

  test("is interrupted also when it waits for a person by then", BROAD, async () => {
    const { begin, untilLeft, passTime, until } = await openDesk();
    const { reader, session } = await begin({
      message: "/rate 50\n/words 60\n/call print_label {}",
    });
    await reader.cancel();
    await untilLeft(session);
    await until(session, "awaiting_permission");
    await passTime(session);

    await until(session, "interrupted");
  });

  test("is left for another tenant, who cannot take it up", async () => {
    const { begin, untilLeft, timersOf } = await openDesk();
    const other = await openDesk();
    const { reader, session } = await begin();
    await reader.cancel();
    const timer = await untilLeft(session);
    const stranger = await other.open("resume", { session_id: session });
    await readAll(stranger);

    expect(await timersOf(session)).toEqual([timer]);
  });

  test("has one timer, however many of its calls are left", async () => {
    const { begin, open, untilLeft, timersOf } = await openDesk();
    const { reader, session } = await begin({ key: "k" });
    const others = await Promise.all(
      Array.from({ length: 5 }, () => open("ask", { message: LONG }, { key: "k" })),
    );
    await Promise.all(others.map(read));
    await Promise.all([reader, ...others].map((one) => one.cancel()));
    const { due_at } = await untilLeft(session);

    expect((await timersOf(session)).map((timer) => timer.due_at)).toEqual([due_at]);
  });
});

test("a client that leaves after the end, or that only looked on, cancels nothing", async () => {
  const { call, path, open, newestReply, timersOf } = await openDesk();
  const agentId = path.split("/")[3];
  const made = await ask<{ id: string }>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: agentId },
  });
  const session = made.json.id;
  await ask("POST", `/v1/sessions/${session}/replies`, {
    ...call,
    json: { input: LONG, background: true },
  });
  const reader = await open("resume", { session_id: session });
  await read(reader);
  const { cursor } = await newestReply(session);
  await reader.cancel();
  await waitFor(async () =>
    expect((await newestReply(session)).cursor).toBeGreaterThan(cursor + 50),
  );

  expect(await timersOf(session)).toEqual([]);
  await ask<Called>("POST", `/v1/sessions/${session}/interrupt`, call);
});
