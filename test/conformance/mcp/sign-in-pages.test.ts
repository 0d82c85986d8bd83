/** @module-tag broad */
// Two end users of one agent at the routes that read pages: each with their own grant.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { complete, openPage, openSignInDesk, type Person } from "../../support/mcp/sign-in-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const URI = "ui://wh/order";

it("two end users read pages as themselves, by the session's route and by AG-UI", async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const { key, server_id, agent } = desk;
  const bearers: string[] = [];
  server.lies.mcp = ({ body, headers }, response) => {
    const { id, method } = (body ?? {}) as { id?: string; method?: string };
    if (method !== "resources/read" && method !== "tools/call") return false;
    bearers.push(String(headers["authorization"]));
    if (method === "tools/call") return false;
    const contents = [{ uri: URI, mimeType: "text/html;profile=mcp-app", text: "<p>page</p>" }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { contents } }));
    return true;
  };
  const read = async ({ path }: Person) => {
    const query = `?server_id=${server_id}&uri=${encodeURIComponent(URI)}`;
    return (await openRequest("GET", `${path}/mcp-resources${query}`, { key })).status;
  };
  const proxied = async ({ path }: Person) => {
    const threadId = path.replace("/v1/sessions/", "");
    const __proxiedMCPRequest = {
      serverHash: server_id,
      serverId: server_id,
      method: "resources/read",
      params: { uri: URI },
    };
    const body = {
      threadId,
      runId: crypto.randomUUID(),
      messages: [],
      forwardedProps: { __proxiedMCPRequest },
    };
    const answer = await openRequest("POST", `/v1/agents/${agent}/ag-ui`, { key, body });
    await answer.text();
    return answer.status;
  };
  const asThemselves = async (subject: string) => {
    const person = await desk.openSession(subject);
    const asked = await person.say("/call mcp__wh__sign_in {}\n/say Thanks.");
    const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
    // Nobody's grant is used before there is one of their own.
    const early = [await read(person), await proxied(person)];
    const { code } = await openPage(await server.signIn(url, subject));
    await complete(key, connection_id, code);
    await person.settled(asked.id);
    await request("POST", `${person.path}/replies`, {
      key,
      body: { input: '/call mcp__wh__find_order {"order_id":"A-1"}\n/say Found.' },
    });
    return { early, late: [await read(person), await proxied(person)], bearers: bearers.splice(0) };
  };
  const ada = await asThemselves("ada");
  const bob = await asThemselves("bob");

  expect([ada.early, ada.late]).toEqual([
    [502, 502],
    [200, 200],
  ]);
  expect([bob.early, bob.late]).toEqual([
    [502, 502],
    [200, 200],
  ]);
  expect([new Set(ada.bearers).size, ada.bearers.length]).toEqual([1, 3]);
  expect([new Set(bob.bearers).size, bob.bearers.length]).toEqual([1, 3]);
  expect(bob.bearers[0]).not.toBe(ada.bearers[0]);
  expect(server.callers).toEqual(["ada", "bob"]);
});
