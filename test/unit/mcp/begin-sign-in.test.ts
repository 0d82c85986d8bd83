// A sign-in that begins while others begin and end: no call waits for one that is over.
import { expect, it, onTestFinished } from "vitest";

import type { GrantStore, StoredConnection } from "../../../protocol/mcp/grant-store.ts";
import { McpGrant } from "../../../tools/mcp/oauth/mcp-grant.ts";
import { bindingOf } from "../../../tools/mcp/oauth/grant-settings.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";

const NEVER = new AbortController().signal;

/** A grant whose store is one row in memory. @param between Happens before the session is listed. */
async function open(
  between: (row: StoredConnection) => StoredConnection,
  held: Partial<StoredConnection> = {},
) {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const oauth = { grant: "authorization_code", owner: "end_user" } as const;
  const about = { id: "mcp_1", name: "wh", url: server.mcpUrl, oauth };
  let row: StoredConnection = {
    id: "con_1",
    status: "waiting",
    version: 1,
    bound_to: bindingOf(about),
    client: null,
    tokens: null,
    expires_at: 0,
    attempt: null,
    ...held,
  };
  const sessions: string[] = [];
  const store: GrantStore = {
    read: async () => row,
    ensure: async () => row,
    lease: async () => true,
    release: async () => undefined,
    activate: async () => true,
    fail: async () => true,
    async begin(version, attempt, expires_at) {
      if (version !== row.version) return false;
      row = { ...row, version: version + 1, attempt: { ...attempt, expires_at } };
      return true;
    },
    async addSession(id) {
      row = between(row);
      sessions.push(id);
    },
    readClient: async () => null,
    keepClient: async () => undefined,
  };
  const grant = new McpGrant({
    server: about,
    store,
    outgoing: fetch,
    secrets: () => ({ ok: false, type: "setup", problem: "is none" }),
    redirectUri: "http://127.0.0.1/v1/oauth/callback",
  });
  const change = (changed: Partial<StoredConnection>) => {
    row = { ...row, ...changed };
  };
  return { server, grant, sessions, row: () => row, change };
}

it("a sign-in that nothing has touched is waited for", async () => {
  const { grant, row, sessions } = await open((same) => same);
  const begun = await grant.begin("ses_1", NEVER);

  expect(begun).toMatchObject({ ok: true, authorization: { url: row().attempt?.url } });
  expect(sessions).toEqual(["ses_1"]);
});

it("one that was completed before the session was listed is not waited for", async () => {
  const { grant } = await open((row) => ({ ...row, status: "active", attempt: null }));
  const begun = await grant.begin("ses_1", NEVER);

  expect(begun).toEqual({
    ok: false,
    reason: "The user has signed in to wh in this very moment. Nothing was done: call it again.",
  });
});

it("one that was refused before the session was listed is followed by another one", async () => {
  let isFirst = true;
  const { grant, row, sessions } = await open((before) => {
    if (!isFirst) return before;
    isFirst = false;
    return { ...before, version: before.version + 1, attempt: null };
  });
  const begun = await grant.begin("ses_1", NEVER);

  expect(begun).toMatchObject({ ok: true, authorization: { url: row().attempt?.url } });
  expect(sessions).toEqual(["ses_1", "ses_1"]);
});

it("an interrupt does not wait for an authorization server that hangs", async () => {
  const { grant, server, row } = await open((same) => same);
  server.lies.metadata = "silent";
  const stop = new AbortController();
  const running = grant.begin("ses_1", stop.signal);
  stop.abort();

  expect((await running).ok).toBe(false);
  expect(row().attempt).toBeNull();
});

const SCOPED = { status: "active", expires_at: Number.MAX_SAFE_INTEGER } as const;

/** A server has refused its token, for it wants the scope `all`. */
async function openForbidden(scope: string) {
  const held = { ...SCOPED, tokens: { access_token: "first", scope } };
  const opened = await open((same) => same, held);
  opened.server.lies.forbid = true;
  expect((await opened.grant.outgoing(opened.server.mcpUrl, { method: "POST" })).status).toBe(403);
  return opened;
}

it("a sign-in for more asks for what was allowed before as well", async () => {
  const { grant, row } = await openForbidden("orders");
  const begun = await grant.begin(null, NEVER);

  expect(begun.ok).toBe(true);
  expect(new URL(row().attempt?.url ?? "").searchParams.get("scope")).toBe("orders all");
});

it("nobody is asked again for what was allowed already", async () => {
  const { grant, row } = await openForbidden("orders all");
  const begun = await grant.begin(null, NEVER);

  expect(begun).toEqual({
    ok: false,
    reason: "The MCP server wh cannot be asked: it refuses what the user has allowed already.",
  });
  expect(row().attempt).toBeNull();
});

it("a call that was refused beside a sign-in that allows it may be made again", async () => {
  const { grant, change } = await openForbidden("orders");
  change({ tokens: { access_token: "second", scope: "orders all" } });
  const begun = await grant.begin(null, NEVER);

  expect(begun).toEqual({
    ok: false,
    reason: "The user has signed in to wh in this very moment. Nothing was done: call it again.",
  });
});
