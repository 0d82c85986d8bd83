/** @module-tag broad */
// Sign-ins and renewals of one grant at the same time, and authorization servers that do not answer.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { complete, openPage, openSignInDesk } from "../../support/mcp/sign-in-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

/** Ada has signed in; the server then has these settings, so that a short time is not that of the sign-in. */
async function open(settings: object = {}) {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const { key, server_id } = desk;
  const path = `/v1/mcp-servers/${server_id}`;
  const ada = await desk.openSession("ada");
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const { url = "", connection_id = "" } = asked.pending[0]?.authorization ?? {};
  const { code } = await openPage(await server.signIn(url, "Ada"));
  await complete(key, connection_id, code);
  await ada.settled(asked.id);
  await request("PATCH", path, { key, body: settings });
  const alone = () =>
    request<{ state?: string; kind?: string; detail?: string; authorization?: object }>(
      "POST",
      `${path}/tools/find_order/call`,
      { key, body: { input: { order_id: "A-1" }, end_user_id: "ada" } },
    );
  const renewals = () =>
    server.tokenRequests.filter((one) => one["grant_type"] === "refresh_token");
  return { server, desk, ada, alone, renewals };
}

it("a sign-in for more that begins during a renewal loses no rotated token", async () => {
  const { server, alone, renewals } = await open({ timeout_ms: 60_000 });
  const gate = Promise.withResolvers<void>();
  server.lies.refreshWhen = gate.promise;
  server.expireTokens();
  const renewing = alone();
  await waitFor(() => expect(renewals()).toHaveLength(1));
  server.lies.forbid = true;
  const forbidden = await alone();
  delete server.lies.forbid;
  gate.resolve();

  expect(forbidden.body.authorization).toBeDefined();
  expect([(await renewing).body.state, (await alone()).body.state]).toEqual(["success", "success"]);
  expect(renewals()).toHaveLength(1);
});

it("a renewal that is not answered ends with the time of its call, and asks for no sign-in", async () => {
  const { server, alone } = await open({ timeout_ms: 1_000 });
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  server.lies.refreshWhen = gate.promise;
  server.expireTokens();
  const { status, body } = await alone();

  expect([status, body.kind, body.authorization]).toEqual([502, "timeout", undefined]);
  expect(body.detail).toContain("did not answer within 1000 ms");
  expect(server.callers).toEqual([]);
});
