/** @module-tag broad */
// A call that its server has taken is never made again behind a sign-in: only a refusal of the call itself proves that
// nothing was taken.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer, type Lies } from "../../support/mcp/authorization-server.ts";
import { openStream } from "../../support/mcp/raw-server.ts";
import { complete, openPage, openSignInDesk, resultsOf } from "../../support/mcp/sign-in-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const FIND = '/call mcp__wh__find_order {"order_id":"A-1"}';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

/** Ada has signed in; her grant cannot be renewed. */
async function open() {
  const lies: Lies = { unrenewable: true };
  const server = await startAuthorizationServer(lies);
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const path = `/v1/mcp-servers/${desk.server_id}`;
  const ada = await desk.openSession("ada");
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  const { code } = await openPage(await server.signIn(url, "Ada"));
  await complete(desk.key, connection_id, code);
  await ada.settled(asked.id);
  const alone = () =>
    request<{ authorization?: object; kind?: string }>("POST", `${path}/tools/find_order/call`, {
      key: desk.key,
      body: { input: { order_id: "A-1" }, end_user_id: "ada" },
    });
  return { server, desk, ada, lies, alone };
}

/** The call is taken, its stream breaks, and the grant has ended when the stream is taken up again. */
function breakStreams({ server, lies }: Awaited<ReturnType<typeof open>>): void {
  lies.mcp = ({ body }, response) => {
    const { method } = (body ?? {}) as Message;
    if (method !== "tools/call") return false;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('retry: 1\nid: one\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
    server.expireTokens();
    return true;
  };
}

it("a taken call whose broken stream is refused with 401 is lost, and not made again", async () => {
  const opened = await open();
  breakStreams(opened);
  const reply = await opened.ada.say(`${FIND}\n/say So be it.`);

  expect([reply.status, resultsOf(reply)]).toEqual([
    "completed",
    ["The MCP server wh closed the connection before it had answered."],
  ]);
  expect(opened.server.callers).toEqual(["Ada"]);
});

it("one tool alone asks for no sign-in when its call was taken", async () => {
  const opened = await open();
  breakStreams(opened);
  const { status, body } = await opened.alone();

  expect([status, body.kind, body.authorization]).toEqual([502, "connection_lost", undefined]);
  expect(opened.server.callers).toEqual(["Ada"]);
});

it("a taken call whose person's answer is refused with 401 is lost, and not made again", async () => {
  const opened = await open();
  const { server, lies, ada, desk } = opened;
  const ends: (() => void)[] = [];
  lies.mcp = ({ body }, response) => {
    const { method } = (body ?? {}) as Message;
    if (method !== "tools/call") return false;
    const send = openStream(response);
    ends.push(() => response.end());
    const requestedSchema = { type: "object", properties: { seat: { type: "string" } } };
    const params = { message: "Which seat?", requestedSchema };
    send({ id: "ask", method: "elicitation/create", params });
    return true;
  };
  const asked = await ada.say(`${FIND}\n/say So be it.`);
  server.expireTokens();
  const { id } = asked.pending[0]!.tool_call;
  const output = '{"action":"accept","content":{"seat":"1A"}}';
  await request("POST", `${ada.path}/events`, {
    key: desk.key,
    body: {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: asked.id,
      execution_results: [{ id, output }],
    },
  });
  await waitFor(async () => {
    const { body } = await request<{ data: { status: string }[] }>("GET", "/v1/connections", {
      key: desk.key,
    });
    expect(body.data[0]?.status).toBe("failed");
  });
  for (const end of ends) end();
  const reply = await ada.settled(asked.id);

  expect([reply.status, server.callers]).toEqual(["completed", ["Ada"]]);
});

it("a taken call that is not answered in time is not made again", async () => {
  const { server, lies, ada, desk } = await open();
  const path = `/v1/mcp-servers/${desk.server_id}`;
  await request("PATCH", path, { key: desk.key, body: { timeout_ms: 1_000 } });
  lies.mcp = ({ body }) => ((body ?? {}) as Message).method === "tools/call";
  // On a busy machine the tools may be listed, or the call be sent, only after the timeout: then another one is made.
  const reply = await waitFor(async () => {
    const said = await ada.say(`${FIND}\n/say So be it.`);
    if (server.callers.length === 0) throw new Error("the call reached the server too late");
    return said;
  });

  expect([reply.status, server.callers]).toEqual(["completed", ["Ada"]]);
  expect(resultsOf(reply)).toEqual([expect.stringContaining("did not answer within 1000 ms")]);
});
