/** @module-tag broad */
// Servers of 2025-11-25 that refuse a call until pages were opened (error -32042): it waits, and is made again.
import { expect, it, onTestFinished } from "vitest";

import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startRawServer, writeJson } from "../../support/mcp/raw-server.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const PAGE = {
  mode: "url",
  message: "Pay first.",
  url: "https://pay.example/7",
  elicitationId: "7",
};

/** @param refusals How often the call is refused. */
async function open(elicitations: readonly object[] = [PAGE], refusals = 1) {
  let left = refusals;
  const mcp = await startRawServer({
    "tools/call": ({ id }, response) => {
      if (left === 0) return { content: [{ type: "text", text: "paid" }] };
      left -= 1;
      const error = { code: -32_042, message: "open it first", data: { elicitations } };
      writeJson(response, { id, error });
      return undefined;
    },
  });
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const { key, path } = desk;
  const calls = () => mcp.posts.filter(({ method }) => method === "tools/call");
  const read = async (id: string) =>
    (await request<Shown>("GET", `${path}/replies/${id}`, { key })).body;
  const answer = async (reply_id: string, action: string) => {
    const { pending } = await read(reply_id);
    const result = { id: pending[0]?.tool_call.id, output: JSON.stringify({ action }) };
    const body = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
    await request("POST", `${path}/events`, { key, body });
  };
  const ended = (id: string) =>
    waitFor(async () => {
      const reply = await read(id);
      expect(reply.status).toBe("completed");
      const result = reply.message.content.find(({ type }) => type === "tool_result");
      return desk.textOf(result);
    });
  return { desk, calls, read, answer, ended };
}

interface Shown {
  readonly status: string;
  readonly pending: readonly {
    readonly tool_call: { readonly id: string };
    readonly elicitation?: { readonly round: number; readonly requests: object };
  }[];
  readonly message: { readonly content: readonly { readonly type: string }[] };
}

it("the page is shown, and the call is made again as it was once it was accepted", async () => {
  const { desk, calls, answer, ended } = await open();
  const asked = await desk.say('/call mcp__wh__act {"order":7}\n/say Done.');
  const { message, mode, url } = PAGE;
  expect(asked.pending[0]).toMatchObject({
    elicitation: { server: "wh", round: 1, requests: { page_1: { mode, message, url } } },
  });
  await answer(asked.id, "accept");

  expect(await ended(asked.id)).toBe("paid");
  expect(calls().map(({ params }) => ({ ...params, _meta: undefined }))).toEqual(
    Array(2).fill({ name: "act", arguments: { order: 7 }, _meta: undefined }),
  );
});

it("a server that wants it again is asked again, in another round", async () => {
  const { desk, calls, answer, read, ended } = await open([PAGE], 2);
  const asked = await desk.say("/call mcp__wh__act {}\n/say Done.");
  await answer(asked.id, "accept");
  await waitFor(async () => expect((await read(asked.id)).pending[0]?.elicitation?.round).toBe(2));
  await answer(asked.id, "accept");

  expect([await ended(asked.id), calls().length]).toEqual(["paid", 3]);
});

it.each(["decline", "cancel"])("after %s the call is not made again", async (action) => {
  const { desk, calls, answer, ended } = await open();
  const asked = await desk.say("/call mcp__wh__act {}\n/say Done.");
  await answer(asked.id, action);

  expect(await ended(asked.id)).toContain("has not opened the page");
  expect(calls()).toHaveLength(1);
});

it("one tool alone says that it needs a person, and is called once", async () => {
  const { desk, calls } = await open();
  const path = `/v1/mcp-servers/${desk.server_id}/tools/act/call`;
  const { body } = await request<{ state: string; content: { text: string }[] }>("POST", path, {
    key: desk.key,
    body: { input: {} },
  });

  expect([body.state, calls().length]).toEqual(["error", 1]);
  expect(body.content[0]?.text).toContain("needs an answer of a person");
});

it.each([
  ["a form", [{ ...PAGE, mode: "form" }]],
  ["a script", [{ ...PAGE, url: "javascript:alert(1)" }]],
  ["nothing", []],
])("a refusal that asks for %s is an error, and nobody is asked", async (_what, asked) => {
  const { desk, calls } = await open(asked);
  const reply = await desk.say("/call mcp__wh__act {}\n/say Done.");

  expect([reply.status, reply.results[0]?.["state"], calls().length]).toEqual([
    "completed",
    "error",
    1,
  ]);
});
