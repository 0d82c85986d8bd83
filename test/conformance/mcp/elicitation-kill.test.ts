/** @module-tag broad */
// The platform killed with kill -9 while a server's question waits for a person, in both eras.
import { expect, onTestFinished, test } from "vitest";

import { startAskingServer, type AskingKind } from "../../support/mcp/asking-server.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();

interface Reply {
  readonly id: string;
  readonly status: string;
  readonly pending: readonly { readonly tool_call: { readonly id: string } }[];
  readonly message: {
    readonly content: readonly {
      readonly type: string;
      readonly state?: string;
      readonly metadata?: object;
      readonly output?: readonly { readonly text?: string }[];
    }[];
  };
}

async function open(kind: AskingKind) {
  const mcp = await startAskingServer(kind);
  onTestFinished(() => mcp.stop());
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object) {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const server = await ask<{ id: string }>("POST", "/v1/mcp-servers", { name: "wh", url: mcp.url });
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "mcp", server_id: server.body.id, permissions: { "*": "allow" } }],
  });
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: agent.body.id });
  const path = `/v1/sessions/${session.body.id}`;
  const asked = await ask<Reply>("POST", `${path}/replies`, {
    input: "/call mcp__wh__book {}\n/say Done.",
  });
  const { id } = asked.body;
  expect([asked.status, asked.body]).toMatchObject([200, { status: "awaiting_external_result" }]);
  const execution_results = [
    {
      id: asked.body.pending[0]?.tool_call.id,
      output: JSON.stringify({ action: "accept", content: { seat: "12A" } }),
    },
  ];
  return {
    mcp,
    asked: asked.body,
    answer: () =>
      ask<{ code?: string }>("POST", `${path}/events`, {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: id,
        execution_results,
      }),
    ended: () =>
      waitFor(async () => {
        const { body } = await ask<Reply>("GET", `${path}/replies/${id}`);
        expect(body.status).toBe("completed");
        return body.message.content.find(({ type }) => type === "tool_result");
      }),
  };
}

test("a question of the modern era waits on, and the call is sent again once it is answered", async () => {
  const { mcp, asked, answer, ended } = await open("modern");
  await platform.kill();
  const given = await answer();
  expect(given).toMatchObject({ status: 202 });
  const result = await ended();

  expect([asked.status, given.status, result?.state]).toEqual([
    "awaiting_external_result",
    202,
    "success",
  ]);
  expect(mcp.calls).toEqual(["book", "book"]);
  expect(mcp.heard).toEqual([
    { seat: { action: "accept", content: { seat: "12A" } }, state: "state of book" },
  ]);
});

test("a question of the older era is lost with its connection: the outcome is unknown, and nothing is called again", async () => {
  const { mcp, asked, answer, ended } = await open("legacy");
  await platform.kill();
  const late = await answer();
  const result = await ended();

  expect(asked.status).toBe("awaiting_external_result");
  expect([late.status, late.body.code]).toEqual([409, "call_not_pending"]);
  expect([result?.state, result?.metadata]).toMatchObject(["error", { outcome: "unknown" }]);
  expect(mcp.calls).toEqual(["book"]);
  expect(mcp.heard).toEqual([]);
});
