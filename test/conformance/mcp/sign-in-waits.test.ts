/** @module-tag broad */
// Grants that end while a reply waits for a person to allow a call of their server.
import { expect, it } from "vitest";

import { openPage, complete, resultsOf } from "../../support/mcp/sign-in-desk.ts";
import { allowAll, openOwnersDesk, type OwnersDesk } from "../../support/mcp/owners-desk.ts";

it.each<[string, (world: OwnersDesk) => unknown]>([
  ["is revoked at its issuer", ({ server }) => server.revokeAll()],
  [
    "is deleted by the tenant",
    ({ ask, connections }) => ask("DELETE", `/v1/connections/${connections["ada"]}`),
  ],
])("a grant that %s meanwhile is asked for again, and the call is made once", async (_, end) => {
  const world = await openOwnersDesk();
  const { server, desk, ask, askedFirst, connections } = world;
  const { person, asked } = await askedFirst("ada");
  expect(asked.status).toBe("awaiting_permission");
  await end(world);
  const allowed = allowAll(asked);
  await ask("POST", `${person.path}/events`, allowed);
  const waiting = await person.settled(asked.id);
  const [call] = waiting.pending;

  expect([waiting.status, call?.kind, call?.tool_call.id, server.callers]).toEqual([
    "awaiting_external_result",
    "external_result",
    asked.pending[0]?.tool_call.id,
    [],
  ]);
  // The same approval once more calls nothing, and neither does one of Bob's grant.
  await ask("POST", `${person.path}/events`, allowed);
  const bob = await desk.openSession("bob");
  const other = await complete(await bob.token(), call?.authorization?.connection_id ?? "", "sc_1");
  expect([other.status, server.callers]).toEqual([404, []]);

  const { url = "", connection_id = "" } = call?.authorization ?? {};
  expect(connection_id).not.toBe(connections["bob"]);
  const { code } = await openPage(await server.signIn(url, "ada"));
  for (const status of [200, 200]) {
    expect((await complete(await person.token(), connection_id, code)).status).toBe(status);
  }
  const ended = await person.settled(asked.id);
  expect([ended.status, resultsOf(ended), server.callers]).toEqual([
    "completed",
    ['{"order_id":"A-1","amount":25}'],
    ["ada"],
  ]);
});

it("a call that a person denies asks for no sign-in, though its grant has ended", async () => {
  const { server, ask, askedFirst } = await openOwnersDesk();
  const { person, asked } = await askedFirst("ada");
  server.revokeAll();
  const requests = server.tokenRequests.length;
  const { confirm_results, ...event } = allowAll(asked);
  const denied = confirm_results.map((one) => ({ ...one, confirmed: false }));
  await ask("POST", `${person.path}/events`, { ...event, confirm_results: denied });

  expect((await person.settled(asked.id)).status).toBe("completed");
  expect([server.callers, server.tokenRequests.length]).toEqual([[], requests]);
});
