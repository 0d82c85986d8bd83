/** @module-tag broad */
// Removal of what a call waits for, and questions beside sign-ins.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import {
  complete,
  openPage,
  openSignInDesk,
  resultsOf,
  type DeskReply,
} from "../../support/mcp/sign-in-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open() {
  const server = await startAuthorizationServer({ unrenewable: true });
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const ada = await desk.openSession("ada");
  const finish = async (asked: DeskReply) => {
    const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
    const { code } = await openPage(await server.signIn(url, "Ada"));
    await complete(desk.key, connection_id, code);
    return ada.settled(asked.id);
  };
  return { server, desk, ada, finish };
}

it("a call whose connection is deleted asks for another sign-in, which can be completed", async () => {
  const { desk, ada, finish } = await open();
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const first = asked.pending[0]?.authorization?.connection_id ?? "";
  await request("DELETE", `/v1/connections/${first}`, { key: desk.key });
  const again = await waitFor(async () => {
    const reply = await ada.reply(asked.id);
    expect(reply.pending[0]?.authorization?.connection_id).toBeDefined();
    expect(reply.pending[0]?.authorization?.connection_id).not.toBe(first);
    return reply;
  });

  expect((await finish(again)).status).toBe("completed");
});

it("a call whose server is deleted ends, and the reply goes on", async () => {
  const { desk, ada } = await open();
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say So be it.");
  await request("DELETE", `/v1/mcp-servers/${desk.server_id}`, { key: desk.key });
  const reply = await waitFor(async () => {
    const now = await ada.reply(asked.id);
    expect(now.status).toBe("completed");
    return now;
  });

  expect(resultsOf(reply)).toEqual([expect.stringContaining("does not exist any more")]);
});

it("an interrupt ends the wait, and a sign-in that is completed behind it starts nothing", async () => {
  const { server, desk, ada, finish } = await open();
  const asked = await ada.say(
    '/call mcp__wh__sign_in {}\n/call mcp__wh__find_order {"order_id":"A-1"}',
  );
  await request("POST", `${ada.path}/interrupt`, { key: desk.key });
  const ended = await ada.settled(asked.id);
  await finish(asked);

  expect([ended.status, (await ada.reply(asked.id)).status]).toEqual([
    "interrupted",
    "interrupted",
  ]);
  expect(server.callers).toEqual([]);
});

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly inputResponses?: object; readonly requestState?: string };
}

it("answers that a server refuses with 401 are sent again behind the sign-in, once", async () => {
  const { server, desk, ada, finish } = await open();
  const sent: unknown[] = [];
  server.lies.mcp = ({ body }, response) => {
    const { id, method, params = {} } = (body ?? {}) as Message;
    const give = (result: object): boolean => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
      return true;
    };
    if (method === "server/discover") {
      return give({
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        serverInfo: { name: "raw", version: "1" },
      });
    }
    if (method === "tools/list")
      return give({ tools: [{ name: "book", inputSchema: { type: "object" } }] });
    if (method !== "tools/call") return false;
    const { inputResponses, requestState } = params;
    sent.push({ inputResponses, requestState });
    if (inputResponses) return give({ content: [{ type: "text", text: "booked" }] });
    const requestedSchema = { type: "object", properties: { seat: { type: "string" } } };
    const seat = {
      method: "elicitation/create",
      params: { message: "Which seat?", requestedSchema },
    };
    return give({ resultType: "input_required", inputRequests: { seat }, requestState: "kept" });
  };
  const first = await ada.say("/call mcp__wh__sign_in {}\n/call mcp__wh__book {}\n/say Booked.");
  const asked = await finish(first);
  expect(asked.pending[0]).toMatchObject({ elicitation: { round: 1 } });
  server.expireTokens();
  const answer = { action: "accept", content: { seat: "12A" } };
  const { id } = asked.pending[0]!.tool_call;
  await request("POST", `${ada.path}/events`, {
    key: desk.key,
    body: {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: asked.id,
      execution_results: [{ id, output: JSON.stringify(answer) }],
    },
  });
  const unsigned = await ada.settled(asked.id);
  expect(unsigned.pending[0]).toMatchObject({ authorization: { mcp_server_id: desk.server_id } });
  expect(unsigned.pending[0]).not.toHaveProperty("elicitation");
  const reply = await finish(unsigned);

  expect([reply.status, resultsOf(reply)[1]]).toEqual(["completed", "booked"]);
  expect(sent).toEqual([{}, { inputResponses: { seat: answer }, requestState: "kept" }]);
});
