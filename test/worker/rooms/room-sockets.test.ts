// Readers of a room over WebSockets, whose object sleeps as a session's does.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import { TenantObject } from "../../../durable-objects/tenant-object.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";
import { openSocket } from "../support/event-socket.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import { atRest, eventsOf, objectOf, openRoom, say } from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => {
  model?.restore();
  vi.restoreAllMocks();
});

async function openTold() {
  model = mockModel(({ model: name }) => `${name} speaks`);
  const desk = await openRoom({ agents: ["alpha"] });
  await say(desk, "Hello.");
  await atRest(desk);
  const path = `/v1/rooms/${desk.init.room_id}`;
  const open = (call = desk.call, query = "") =>
    openSocket(`${path}/events?follow=room${query}`, call);
  return {
    ...desk,
    path,
    open,
    seqs: async () => (await eventsOf(desk)).map(({ seq }) => seq),
    sleep: () => evictDurableObject(objectOf(desk.init)),
    mint: async (wish: object = {}) => {
      const json = { participant: "Mia", ...wish };
      const asked = { ...desk.call, json };
      return (await ask<{ id: string; token: string }>("POST", `${path}/tokens`, asked)).json;
    },
  };
}

describe("a reader of a room that sleeps", () => {
  test("goes on where it was, without a frame lost or doubled", async () => {
    const told = await openTold();
    const socket = await told.open();
    await told.sleep();
    await say(told, "Again.");
    await atRest(told);
    const seqs = await told.seqs();
    await socket.until(({ length }) => length >= seqs.length);

    expect(socket.seqs()).toEqual(seqs);
    socket.leave();
  });

  test("is closed when its token is revoked, when it expires, and when the tenant is suspended", async () => {
    const told = await openTold();
    const [revoked, expiring] = [await told.mint(), await told.mint({ ttl_seconds: 60 })];
    const sockets = [
      await told.open({ key: revoked.token }),
      await told.open({ key: expiring.token }),
      await told.open(),
    ];
    await told.sleep();
    await ask("DELETE", `${told.path}/tokens/${revoked.id}`, told.call);
    const first = await sockets[0]?.closed;
    await told.sleep();
    advanceClock(61_000);
    await runDurableObjectAlarm(objectOf(told.init));
    const second = await sockets[1]?.closed;
    await told.sleep();
    await evictDurableObject(env.TENANT.getByName(told.tenantId));
    await changeTenant(told.tenantId, { status: "suspended" });

    expect([first, second, await sockets[2]?.closed]).toEqual([
      [4401, "unauthenticated"],
      [4401, "unauthenticated"],
      [4403, "tenant_suspended"],
    ]);
  });

  test("is closed when the room is deleted", async () => {
    const { call } = await makeTenant();
    const { id: agent_id } = await makeAgent(call);
    const json = { participants: [{ name: "ann", agent_id }] };
    const { json: room } = await ask<{ id: string }>("POST", "/v1/rooms", { ...call, json });
    const socket = await openSocket(`/v1/rooms/${room.id}/events?follow=room`, call);
    await waitFor(async () => {
      const { status } = await ask("DELETE", `/v1/rooms/${room.id}`, call);
      expect(status).toBe(204);
    });

    expect(await socket.closed).toEqual([4404, "not_found"]);
  });
});

test("a room without sockets tells the tenant's object nothing of them at its alarm", async () => {
  const told = await openTold();
  const object = objectOf(told.init);
  const endSockets = vi.spyOn(TenantObject.prototype, "endSockets");
  await runInDurableObject(object, (_, { storage }) => storage.setAlarm(Date.now() + 60_000));
  const hasRung = await runDurableObjectAlarm(object);
  // Behind what it was told meanwhile.
  await readLimits(told.call);

  expect([hasRung, endSockets.mock.calls]).toEqual([true, []]);
});
