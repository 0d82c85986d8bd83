// Facts about MCP servers that are kept in D1 for the next one who needs them.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { McpServer } from "../../../protocol/mcp/contract.ts";
import { noteMcpServer } from "../../../storage/mcp/note-mcp-server.ts";
import { readMcpServers } from "../../../storage/mcp/read-mcp-servers.ts";
import { openDatabase } from "../../../storage/statements/database.ts";
import { ask, makeTenant } from "../support/api.ts";

const dialect = { era: "modern", version: "2026-07-28" } as const;
const read = { type: "read", dialect, tools: [], readAtMs: 1_000, expiresAtMs: 2_000 } as const;

async function open() {
  const { id: tenant_id, call } = await makeTenant();
  const { json: server } = await ask<McpServer>("POST", "/v1/mcp-servers", {
    ...call,
    json: { name: "wh", url: "https://mcp.example/" },
  });
  const asked = { tenant_id, server_id: server.id, version: 1, end_user_id: "" };
  return {
    call,
    server,
    asked,
    kept: async () => {
      const found = await readMcpServers(openDatabase(env.DB), tenant_id, [server.id], null);
      return found.servers.get(server.id)?.catalogue;
    },
  };
}

test("a catalogue is kept until its server is changed", async () => {
  const { call, server, asked, kept } = await open();
  await noteMcpServer(env.DB, asked, read);
  const before = await kept();
  await ask("PATCH", `/v1/mcp-servers/${server.id}`, { ...call, json: { stateful: true } });

  expect(before).toEqual({
    dialect,
    tools: [],
    read_at: 1_000,
    expires_at: 2_000,
    avoid_until: 0,
    failure: null,
    rest: { beyond: 0, has_more: false },
  });
  expect(await kept()).toBe(null);
});

test("what an earlier version of the settings has found is not kept for the new one", async () => {
  const { call, server, asked, kept } = await open();
  await ask("PATCH", `/v1/mcp-servers/${server.id}`, { ...call, json: { stateful: true } });
  await noteMcpServer(env.DB, asked, read);

  expect(await kept()).toBe(null);
});

const failure = { kind: "timeout", reason: "The MCP server wh did not answer." } as const;
const failed = { type: "failed", failure, avoidUntilMs: 9_000 } as const;

test("a server that could not be read is avoided for a time, with the reason, and what is known of it stays", async () => {
  const { asked, kept } = await open();
  await noteMcpServer(env.DB, asked, read);
  await noteMcpServer(env.DB, asked, failed);

  expect(await kept()).toEqual({
    dialect,
    tools: [],
    read_at: 1_000,
    expires_at: 2_000,
    avoid_until: 9_000,
    failure,
    rest: { beyond: 0, has_more: false },
  });
  await noteMcpServer(env.DB, asked, read);
  expect(await kept()).toMatchObject({ avoid_until: 0, failure: null });
});

test("that a server could not be read is remembered of one end user's sign-in, and of one version of its settings", async () => {
  const { id: tenant_id, call } = await makeTenant();
  const oauth = { grant: "authorization_code", owner: "end_user" };
  const { json: server } = await ask<McpServer>("POST", "/v1/mcp-servers", {
    ...call,
    json: { name: "wh", url: "https://mcp.example/", oauth },
  });
  const asked = { tenant_id, server_id: server.id, version: 1, end_user_id: "ann" };
  await noteMcpServer(env.DB, asked, failed);
  const kept = async (endUser: string) => {
    const found = await readMcpServers(openDatabase(env.DB), tenant_id, [server.id], endUser);
    return found.servers.get(server.id)?.catalogue?.failure;
  };
  const before = [await kept("ann"), await kept("bob")];
  await ask("PATCH", `/v1/mcp-servers/${server.id}`, { ...call, json: { stateful: true } });

  expect(before).toEqual([failure, undefined]);
  expect(await kept("ann")).toBe(undefined);
});

test("a list that has changed does not hold any more", async () => {
  const { asked, kept } = await open();
  await noteMcpServer(env.DB, asked, read);
  await noteMcpServer(env.DB, asked, { type: "changed" });

  expect((await kept())?.expires_at).toBe(0);
});

test("a deleted server leaves nothing behind, and nothing comes back", async () => {
  const { call, server, asked, kept } = await open();
  await noteMcpServer(env.DB, asked, read);
  await ask("DELETE", `/v1/mcp-servers/${server.id}`, call);
  await noteMcpServer(env.DB, asked, read);
  await noteMcpServer(env.DB, asked, failed);
  const rows = await env.DB.prepare("SELECT 1 FROM mcp_catalogues WHERE server_id = ?")
    .bind(server.id)
    .all();

  expect([await kept(), rows.results]).toEqual([undefined, []]);
});
