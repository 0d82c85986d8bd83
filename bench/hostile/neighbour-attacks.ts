// Attacks that go on for a while beside another tenant's reads: of these the 95th percentile is measured, since one read that
// waits says less than all that do.
import { request } from "node:http";

import { readString } from "../../scripts/local-api.ts";
import type { Attack, AttackPlace } from "./attack.ts";

const LAST_MS = 4_000;
const CONNECTIONS = 8;
const CANCELLATIONS = 20;
const LOOPS = 30;
/** Turns of each, of a tool that there is not: nothing is waited for. */
const TURNS = 20;
const READERS = 100;
const WORDS = 100_000;
const SERVERS = 16;
const CALLS = 40;

export const NEIGHBOUR_ATTACKS: readonly Attack[] = [
  {
    name: "cancellations over MCP of calls that were never made, by eight connections",
    isLong: true,
    async prepare({ attacker, reprise }) {
      const definition = { name: "Hostile", model: { provider: "scripted" } };
      const made = await attacker.api.call("POST", "/v1/agents", definition);
      const path = `/v1/agents/${readString(made, "id")}/mcp`;
      const params = { protocolVersion: "2025-03-26" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
      const headers = {
        authorization: `Bearer ${attacker.key}`,
        "content-type": "application/json",
        accept: "application/json",
      };
      const connected = await fetch(`${reprise.baseUrl}${path}`, { method: "POST", headers, body });
      await connected.body?.cancel();
      const named = {
        "Mcp-Session-Id": connected.headers.get("mcp-session-id") ?? "",
        "MCP-Protocol-Version": "2025-03-26",
      };
      return () =>
        forAWhile(CONNECTIONS, () => {
          const batch = Array.from({ length: CANCELLATIONS }, () => ({
            jsonrpc: "2.0",
            method: "notifications/cancelled",
            params: { requestId: crypto.randomUUID() },
          }));
          return attacker.send("POST", path, JSON.stringify(batch), named);
        });
    },
  },
  {
    name: "a reply with sixteen MCP servers of sixteen large pages",
    isLong: true,
    async prepare({ attacker, mcpUrlOf }) {
      const servers = await Promise.all(
        Array.from({ length: SERVERS }, () => createServer(attacker, mcpUrlOf("pages"))),
      );
      const tools = servers.map((server_id) => ({ type: "mcp", server_id }));
      const session = await attacker.openSession({ tools });
      const body = JSON.stringify({ input: "/say done" });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  },
  {
    name: "forty calls of an MCP tool that answer with 7.5 MB, at once",
    isLong: true,
    async prepare({ attacker, mcpUrlOf }) {
      const server = await createServer(attacker, mcpUrlOf("large"));
      const path = `/v1/mcp-servers/${server}/tools/act/call`;
      return async () =>
        void (await Promise.all(
          Array.from({ length: CALLS }, () => attacker.send("POST", path, "{}")),
        ));
    },
  },
  {
    name: "a hundred readers of 100,000 words that read as fast as they come, and open again",
    isLong: true,
    async prepare({ attacker, reprise }) {
      const session = await attacker.openSession();
      const body = JSON.stringify({ input: `/words ${WORDS}` });
      await attacker.send("POST", `${session}/replies`, body);
      const url = `${reprise.baseUrl}${session}/events?after=0`;
      return () => forAWhile(READERS, () => readStream(url, attacker.key));
    },
  },
  {
    name: "thirty replies that loop",
    isLong: true,
    async prepare({ attacker }) {
      const input = Array.from({ length: TURNS }, () => "/call nothing {}").join("\n/then\n");
      const body = JSON.stringify({ input });
      const sessions = await Promise.all(
        Array.from({ length: LOOPS }, () => attacker.openSession({ max_iters: 200 })),
      );
      return async () =>
        void (await Promise.all(
          sessions.map((session) => attacker.send("POST", `${session}/replies`, body)),
        ));
    },
  },
];

/** Runs so many acts at a time, each again and again until the time is over. */
async function forAWhile(count: number, act: () => Promise<unknown>): Promise<void> {
  const endsAtMs = performance.now() + LAST_MS;
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (performance.now() < endsAtMs) await act();
    }),
  );
}

async function createServer({ api }: AttackPlace["attacker"], url: string): Promise<string> {
  const name = `s${crypto.randomUUID().slice(0, 8)}`;
  return readString(await api.call("POST", "/v1/mcp-servers", { name, url }), "id");
}

/** To its end, which a stream of a conversation that is over comes to; a refusal ends at once. */
function readStream(url: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream" };
    const sent = request(url, { headers }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", resolve);
    });
    sent.once("error", reject);
    sent.end();
  });
}
