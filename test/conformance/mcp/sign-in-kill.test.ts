/** @module-tag broad */
// The platform killed with kill -9 in the middle of a sign-in, and while a token is renewed.
import { expect, onTestFinished, test } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { openPage, resultsOf, type DeskReply } from "../../support/mcp/sign-in-desk.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();
const FIND = '/call mcp__wh__find_order {"order_id":"A-1"}';

async function open() {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const key = await platform.createTenant();
  const send = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const { base_url } = await platform.running();
    const answer = await fetch(base_url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Body;
  };
  const oauth = { grant: "authorization_code", owner: "end_user" };
  const made = await send<{ id: string }>("POST", "/v1/mcp-servers", {
    name: "wh",
    url: server.mcpUrl,
    oauth,
  });
  const agent = await send<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [{ type: "mcp", server_id: made.id, permissions: { "*": "allow" } }],
  });
  const session = await send<{ id: string }>("POST", "/v1/sessions", {
    agent_id: agent.id,
    end_user_id: "ada",
  });
  const path = `/v1/sessions/${session.id}/replies`;
  const settled = (id: string) =>
    waitFor(async () => {
      const reply = await send<DeskReply>("GET", `${path}/${id}`);
      if (reply.status === "running") throw new Error("the reply still runs");
      return reply;
    });
  const say = (input: string) => send<DeskReply>("POST", path, { input });
  /** The page that a sign-in ends at, where the platform is reached now: a session keeps the address it was made at. */
  const landOn = async (callback: string) => {
    const { base_url } = await platform.running();
    const { pathname, search } = new URL(callback);
    return openPage(base_url + pathname + search);
  };
  /** Up to the page's code. */
  const begin = async () => {
    const asked = await say("/call mcp__wh__sign_in {}\n/say Thanks.");
    const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
    const { code } = await landOn(await server.signIn(url, "Ada"));
    return { asked, connection_id, code };
  };
  const finish = (id: string, code: string) =>
    send<{ status: string }>("POST", `/v1/connections/${id}/complete`, { code });
  return { server, say, settled, begin, finish, landOn, path, send };
}

test("a sign-in goes on after the kill, between its page and the hand-over of its code", async () => {
  const { begin, finish, settled, say, server } = await open();
  const { asked, connection_id, code } = await begin();
  await platform.kill();
  const done = await finish(connection_id, code);
  const again = await finish(connection_id, code);
  const reply = await settled(asked.id);

  expect([done.status, again.status, reply.status]).toEqual(["active", "active", "completed"]);
  expect(resultsOf(await say(`${FIND}\n/say Found.`))).toEqual(['{"order_id":"A-1","amount":25}']);
  expect(server.callers).toEqual(["Ada"]);
});

test("a token whose renewal was lost with the machine is asked for again, and the call is made once", async () => {
  const { begin, finish, landOn, settled, server, path, send } = await open();
  const first = await begin();
  await finish(first.connection_id, first.code);
  await settled(first.asked.id);
  // The server has used up the refresh token, and its answer reaches nobody.
  server.lies.refreshWhen = new Promise(() => {});
  server.expireTokens();
  const started = send<DeskReply>("POST", path, { input: `${FIND}\n/say Found.` }).catch(
    () => null,
  );
  await waitFor(() => {
    const isAsked = server.tokenRequests.some((one) => one["grant_type"] === "refresh_token");
    if (!isAsked) throw new Error("nothing was renewed yet");
  });
  await platform.kill();
  delete server.lies.refreshWhen;
  // Its connection is lost with the machine.
  await started;
  const { data } = await send<{ data: readonly { id: string }[] }>("GET", path);
  const lost = await settled(data[0]?.id ?? "");
  const asked =
    lost.status === "completed"
      ? await send<DeskReply>("POST", path, { input: `${FIND}\n/say Found.` })
      : lost;
  expect(asked.status).toBe("awaiting_external_result");
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  const { code } = await landOn(await server.signIn(url, "Ada"));
  await finish(connection_id, code);
  const reply = await settled(asked.id);

  expect([connection_id, reply.status]).toEqual([first.connection_id, "completed"]);
  expect(server.callers).toEqual(["Ada"]);
});
