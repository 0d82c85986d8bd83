// The shared state through the SDK, over the real platform.
import { expect, it } from "vitest";

import { openDesk } from "./desk.ts";
import { failure } from "./stage.ts";

it("the shared state is read, changed whole or not at all, and read by the agent", async () => {
  const { reprise, agentId } = await openDesk();
  const { id } = await reprise.sessions.create({ agent_id: agentId });
  const session = reprise.session(id);
  const { sharedState } = session;
  const before = await sharedState.get();
  const changed = await sharedState.patch([{ op: "add", path: "/order_id", value: "A-1001" }]);
  const refused = await failure(
    sharedState.patch([
      { op: "remove", path: "/order_id" },
      { op: "test", path: "/order_id", value: "A-1001" },
    ]),
  );
  const reply = session.reply("/say hi");
  for await (const event of reply) expect(event.seq).toBeGreaterThan(changed.cursor);

  expect(before).toEqual({ state: {}, version: 0, cursor: 0 });
  expect(changed).toMatchObject({ state: { order_id: "A-1001" }, version: 1 });
  expect(refused).toMatchObject({ code: "state_conflict", status: 409 });
  expect(reply.message()?.content[0]).toMatchObject({
    type: "hint",
    source: "shared_state",
    hint: expect.stringContaining('{"order_id":"A-1001"}'),
  });
  expect((await sharedState.get()).state).toEqual({ order_id: "A-1001" });
});
