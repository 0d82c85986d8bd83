/** @module-tag broad */
// Clients of MCP that leave their calls, over real connections: what becomes of the replies, by version and by right.
import { describe, expect, it } from "vitest";

import { MCP_LEFT_MS } from "../../../protocol/agent-mcp/limits.ts";
import { openMcpDesk } from "../../support/mcp-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { waitFor } from "../../support/wait-for.ts";

const NEW = "2026-07-28";
const LONG = "/rate 20\n/words 4000";

interface Ask {
  readonly version?: string;
  readonly token?: string;
  readonly idempotencyKey?: string;
  readonly tool?: string;
  readonly args?: object;
  /** Without progress: nothing comes before the result. */
  readonly isSilent?: boolean;
}

const desk = await openMcpDesk();

async function call({
  version = NEW,
  token = desk.key,
  idempotencyKey,
  tool = "ask_desk",
  args = { message: LONG },
  isSilent = false,
}: Ask): Promise<Response> {
  const isNew = version === NEW;
  const _meta = {
    ...(!isSilent && { progressToken: "p" }),
    ...(isNew && {
      "io.modelcontextprotocol/protocolVersion": NEW,
      "io.modelcontextprotocol/clientCapabilities": {},
    }),
  };
  return openRequest("POST", desk.path, {
    key: token,
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args, _meta },
    },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(isNew && { "mcp-method": "tools/call", "mcp-name": tool }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
  });
}

/** A call, once its reply has said something. */
async function open(asked: Ask = {}) {
  const response = await call(asked);
  const reader = response.body!.getReader();
  let text = "";
  while (!text.includes("notifications/progress")) {
    text += new TextDecoder().decode((await reader.read()).value);
  }
  const [, session_id = "", reply_id = ""] = /^id: (ses_\w+)\.(rep_\w+)\./m.exec(text) ?? [];
  return {
    session_id,
    status: () => read<{ status: string }>(`/${session_id}/replies/${reply_id}`, "status"),
    leave: () => reader.cancel(),
  };
}

/** A call that is left before the first byte of its answer. */
async function openSilent() {
  const { body } = await request<{ id: string }>("POST", "/v1/sessions", {
    key: desk.key,
    body: { agent_id: desk.agentId },
  });
  const response = await call({ args: { message: LONG, session_id: body.id }, isSilent: true });
  return {
    leave: () => response.body!.cancel(),
    async status() {
      const [reply] = await read<{ data: { status: string }[] }>(`/${body.id}/replies`, "data");
      return reply?.status;
    },
  };
}

async function read<Body, Member extends keyof Body = keyof Body>(path: string, member: Member) {
  return (await request<Body>("GET", `/v1/sessions${path}`, { key: desk.key })).body[member];
}

describe("a reply whose client has closed its stream", () => {
  it("ends in 2026-07-28 alone, and where nobody comes back who may", async () => {
    const issuer = await startTokenIssuer();
    const settings = { issuer: issuer.issuer, jwks_url: issuer.jwksUrl, verbs: ["reply"] };
    await request("POST", "/v1/token-issuers", {
      key: desk.key,
      body: { name: "Sign-in", ...settings },
    });
    const weak = await issuer.sign({ sub: "ada", aud: desk.url.href });
    const repeated = { idempotencyKey: "order-17" };

    const older = await open({ version: "2025-11-25" });
    const powerless = await open({ token: weak });
    const [keyed, resumed] = [await open(repeated), await open()];
    const [left, silent] = [await open(), await openSilent()];
    const leaving = [older, powerless, keyed, resumed, left, silent];
    await Promise.all(leaving.map((one) => one.leave()));
    const leftMs = Date.now();
    const again = await open(repeated);
    const back = await open({ tool: "resume_desk", args: { session_id: resumed.session_id } });
    await waitFor(async () => expect(await left.status()).toBe("interrupted"));
    const endedMs = Date.now() - leftMs;

    // Noticed by a comment.
    await waitFor(async () => expect(await silent.status()).toBe("interrupted"));

    const others = [older, powerless, again, back];
    expect(await Promise.all(others.map((one) => one.status()))).toEqual(
      others.map(() => "running"),
    );
    expect(endedMs).toBeGreaterThanOrEqual(MCP_LEFT_MS);
    expect([again.session_id, back.session_id]).toEqual([keyed.session_id, resumed.session_id]);
    for (const { session_id } of others) {
      await request("POST", `/v1/sessions/${session_id}/interrupt`, { key: desk.key });
    }
  });
});
