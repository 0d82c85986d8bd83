// Calls of tools of MCP servers in replies, through the door. The servers are made with the official package.
import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { openMcpDesk, offeredTools, sayWithTools } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer, type ServerKind } from "../../support/mcp/official-server.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const KINDS: readonly ServerKind[] = ["modern", "legacy stateless", "legacy stateful"];

interface Shown {
  readonly name?: string;
  readonly value?: unknown;
}

async function open(kind: ServerKind, settings: Parameters<typeof openMcpDesk>[1] = {}) {
  const mcp = await startOfficialServer(kind);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openMcpDesk(mcp.url, settings) };
}

for (const [rows, breadth] of sampled(KINDS, 1))
  describe.each(rows)("a %s server", breadth, (kind) => {
    it("runs a call, whose result has what the tool gave for programs", async () => {
      const { mcp, desk } = await open(kind);
      const reply = await desk.say('/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.');

      expect([reply.status, reply.hints]).toEqual(["completed", []]);
      expect(desk.textOf(reply.results[0])).toBe('{"order_id":"A-1","amount":25}');
      expect(reply.results[0]).toMatchObject({
        name: "mcp__wh__find_order",
        state: "success",
        metadata: {
          mcp: {
            server_id: desk.server_id,
            tool: "find_order",
            structured_content: { order_id: "A-1", amount: 25 },
          },
          untrusted: { tool_name: "mcp__wh__find_order" },
        },
      });
      expect(mcp.calls).toEqual([{ name: "find_order", input: { order_id: "A-1" } }]);
    });

    it("gives images, audio, resources and links", async () => {
      const { desk } = await open(kind);
      const { results } = await desk.say("/call mcp__wh__look {}\n/say Seen.");

      expect(desk.textOf(results[0])).toBe(
        'A label.[image/png][audio/wav][resource "file:///a.txt"]\nin a\n[resource link "https://warehouse.example/b": b, text/html]',
      );
    });

    it("says that a tool has failed, and the reply goes on", async () => {
      const { desk } = await open(kind);
      const reply = await desk.say("/call mcp__wh__fail {}\n/say So be it.");

      expect([reply.status, reply.results[0]?.["state"]]).toEqual(["completed", "error"]);
      expect(desk.textOf(reply.results[0])).toBe("The printer is out of paper.");
    });

    it("shows its progress while it works, to readers in each format and not to the model", async () => {
      const { desk } = await open(kind);
      const { key, path } = desk;
      const reply = await desk.say("/call mcp__wh__work {}\n/say Done.");
      const shown = await Promise.all(
        ["", "&format=ag-ui"].map(async (format) => {
          const read = await openRequest("GET", `${path}/events?after=0${format}`, {
            key,
            headers: { accept: "text/event-stream" },
          });
          const until = readSse(read, {
            until: ({ event }) => /REPLY_END|RUN_FINISHED/.test(event),
          });
          const data = (await until).map((frame) => JSON.parse(String(frame.data)) as Shown);
          return data.flatMap(({ name, value }) => (name === "tool_progress" ? [value] : []));
        }),
      );

      expect(desk.textOf(reply.results[0])).toBe("done");
      const call = { reply_id: reply.id, tool_call_id: reply.results[0]?.["id"], total: 2 };
      const said = [1, 2].map((progress) => ({ ...call, progress, message: `shelf ${progress}` }));
      expect(shown).toEqual([said, said]);
    });

    it("gets the parameters that it routes by in headers, where its era has that", async () => {
      const { mcp, desk } = await open(kind);
      const reply = await desk.say('/call mcp__wh__route {"region":"Köln"}\n/say Sent.');
      const call = mcp.requests.find(({ method }) => method === "tools/call");

      expect(desk.textOf(reply.results[0])).toBe("to Köln");
      expect(call?.headers["mcp-param-region"]).toBe(
        kind === "modern" ? "=?base64?S8O2bG4=?=" : undefined,
      );
    });

    it("is told when a user interrupts the reply, and the call ends at once", async () => {
      const { mcp, desk } = await open(kind);
      const { key, path } = desk;
      const stream = await openRequest("POST", `${path}/replies`, {
        key,
        body: { input: "/call mcp__wh__hang {}\n/say Never.", stream: true },
      });
      await waitFor(() => expect(mcp.calls).toHaveLength(1));
      await request("POST", `${path}/interrupt`, { key });
      const frames = await readSse(stream);

      expect(frames.at(-1)?.event).toBe("REPLY_END");
      await waitFor(() => expect(mcp.cancelled).toEqual(["hang"]));
    });

    it("is left after its timeout, and told", BROAD, async () => {
      const { mcp, desk } = await open(kind, { server: { timeout_ms: 1_500 } });
      // On a busy machine a call may reach the server only after its timeout: then another one is made.
      const reply = await waitFor(async () => {
        const said = await sayWithTools(desk, "/call mcp__wh__hang {}\n/say Too slow.");
        if (mcp.calls.length === 0) throw new Error("the call reached the server too late");
        return said;
      });

      expect([reply.status, reply.results[0]?.["state"]]).toEqual(["completed", "error"]);
      expect(desk.textOf(reply.results[0])).toBe(
        "The MCP server wh did not answer within 1500 ms.",
      );
      await waitFor(() => expect(mcp.cancelled).toEqual(["hang"]));
      expect(mcp.calls).toHaveLength(1);
    });

    it("is asked for its tools once, and other replies and sessions use the answer", async () => {
      const { mcp, desk } = await open(kind);
      await desk.say("/say One.");
      await desk.say("/say Two.");
      const { body } = await request<{ data: readonly object[] }>(
        "GET",
        `/v1/mcp-servers/${desk.server_id}/tools`,
        { key: desk.key },
      );

      expect(body.data).toHaveLength(7);
      // The official server of the modern era says that its answers hold for no time at all.
      const lists = mcp.requests.filter(({ method }) => method === "tools/list");
      expect(lists).toHaveLength(kind === "modern" ? 3 : 1);
    });
  });

it("a server of the modern era is found by one probe, which is remembered", BROAD, async () => {
  const { mcp, desk } = await open("modern");
  await desk.say('/call mcp__wh__find_order {"order_id":"A-1"}\n/say One.');
  await desk.say('/call mcp__wh__find_order {"order_id":"A-2"}\n/say Two.');

  const probes = mcp.requests.filter(({ method }) => method === "server/discover");
  const call = mcp.requests.find(({ method }) => method === "tools/call");
  expect([probes.length, call?.headers["mcp-name"], call?.headers["mcp-method"]]).toEqual([
    1,
    "find_order",
    "tools/call",
  ]);
});

describe("a stateful server", () => {
  const stateful = { server: { stateful: true } };

  it("sees one session over all replies of a session", BROAD, async () => {
    const { mcp, desk } = await open("legacy stateful", stateful);
    const first = await desk.say("/call mcp__wh__count {}\n/say One.");
    const second = await desk.say("/call mcp__wh__count {}\n/say Two.");

    expect([first, second].map(({ results }) => desk.textOf(results[0]))).toEqual([
      "call 1",
      "call 2",
    ]);
    expect(mcp.sessions).toBe(1);
  });

  it(
    "that knows the session no longer is given a new one, and the call is made once",
    BROAD,
    async () => {
      const { mcp, desk } = await open("legacy stateful", stateful);
      await desk.say("/call mcp__wh__count {}\n/say One.");
      mcp.forgetSessions();
      const { results } = await desk.say("/call mcp__wh__count {}\n/say Two.");

      expect([desk.textOf(results[0]), mcp.calls.length]).toEqual(["call 1", 2]);
    },
  );

  it(
    "that is not said to be one has a session for each reply, which is ended with it",
    BROAD,
    async () => {
      const { mcp, desk } = await open("legacy stateful");
      const first = await desk.say("/call mcp__wh__count {}\n/say One.");
      const second = await desk.say("/call mcp__wh__count {}\n/say Two.");

      expect([first, second].map(({ results }) => desk.textOf(results[0]))).toEqual([
        "call 1",
        "call 1",
      ]);
      await waitFor(() => expect(mcp.sessions).toBe(0));
    },
  );
});

describe("an agent", () => {
  it("offers the tools that it enables, and none that it disables", async () => {
    const { desk } = await open("modern", { tool: { enable: ["find_order", "count"] } });
    await desk.say("/say Hello.");
    const other = await open("modern", {
      tool: { disable: ["hang", "fail", "look", "work", "route"] },
    });
    await other.desk.say("/say Hello.");

    const names = ["mcp__wh__find_order", "mcp__wh__count"];
    expect(await offeredTools(desk)).toEqual(expect.arrayContaining(names));
    expect((await offeredTools(desk)).filter((name) => name.startsWith("mcp__"))).toEqual(names);
    expect((await offeredTools(other.desk)).filter((name) => name.startsWith("mcp__"))).toEqual(
      names,
    );
  });

  it("asks a person although the server calls a tool read-only", async () => {
    const { mcp, desk } = await open("modern", { tool: { permissions: {} } });
    const reply = await desk.say('/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.');

    expect([reply.status, mcp.calls.length]).toEqual(["awaiting_permission", 0]);
    expect(reply.pending[0]?.question).toBe('Run `mcp__wh__find_order` with order_id "A-1"?');
  });

  it("is told by the test of its rules what would be asked", async () => {
    const { desk } = await open("modern", { tool: { permissions: { count: "allow" } } });
    await desk.say("/say Hello.");
    const test = async (tool_name: string) => {
      const path = `/v1/agents/${desk.agent}/permission-rules/test`;
      const body = { tool_name, input: {} };
      return (await request<{ behavior: string }>("POST", path, { key: desk.key, body })).body;
    };

    expect([
      (await test("mcp__wh__count")).behavior,
      (await test("mcp__wh__work")).behavior,
    ]).toEqual(["allow", "ask"]);
  });

  it("says by tool what happens to a call that no rule decides", async () => {
    const permissions = { "*": "deny", count: "allow", work: "ask" };
    const { desk } = await open("modern", { tool: { permissions } });
    const denied = await desk.say("/call mcp__wh__fail {}\n/say No.");
    const allowed = await desk.say("/call mcp__wh__count {}\n/say Yes.");
    const asked = await desk.say("/call mcp__wh__work {}\n/say Maybe.");

    expect([denied.results[0]?.["state"], allowed.results[0]?.["state"], asked.status]).toEqual([
      "denied",
      "success",
      "awaiting_permission",
    ]);
  });

  it("asks about a sink once the model was sent a result, unless it vouches for the server", async () => {
    const script =
      '/call mcp__wh__find_order {"order_id":"A-1"}\n/then\n/call mcp__wh__count {}\n/say Done.';
    const careful = await open("modern", { tool: { sinks: ["count"] } });
    const trusting = await open("modern", {
      tool: { sinks: ["count"], returns_untrusted: false },
    });

    expect((await careful.desk.say(script)).status).toBe("awaiting_permission");
    expect((await trusting.desk.say(script)).status).toBe("completed");
  });
});
