// The alarm of a room: how soon it looks again at what is due.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { roomObjectName } from "../../../durable-objects/api/room-api.ts";
import { assembleRoom } from "../../../durable-objects/rooms/assemble-room.ts";
import { ROOM_HELD_MS, ROOM_WATCH_MS } from "../../../durable-objects/rooms/limits.ts";
import { RoomTable } from "../../../durable-objects/rooms/room-table.ts";
import { openRoom } from "../../tenancy/open-room.ts";

test.each([
  ["within seconds", false, ROOM_WATCH_MS],
  ["once a minute while somebody is heard, which tells it by itself", true, ROOM_HELD_MS],
])("what others are to be told is looked at %s", async (_, isTaken, waitMs) => {
  const { tenant_id, room } = await openRoom();
  const stub = env.ROOM.getByName(roomObjectName(tenant_id, room.id));
  const [soonest, latest] = await runInDurableObject(stub, async (_object, ctx) => {
    const table = new RoomTable(ctx.storage.sql);
    const { init } = table;
    if (!init) throw new Error("the room is not there");
    // Ann has not heard what Mia has said.
    table.writeState({ ...table.readState(), said: { Mia: 99 } });
    const floor = { isTaken, prepare: () => Promise.resolve(), logged: () => undefined };
    const { arm } = assembleRoom(ctx, env, { table, init, floor: () => floor });
    await ctx.storage.deleteAlarm();
    const before = Date.now();
    arm();
    const alarmAt = (await ctx.storage.getAlarm()) ?? 0;
    return [alarmAt - Date.now(), alarmAt - before];
  });

  expect(soonest).toBeLessThanOrEqual(waitMs);
  expect(latest).toBeGreaterThanOrEqual(waitMs);
});
