// Usage of writing people down: in the room until D1 has it, there once, and nobody's when its person or room has gone.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";

import { roomObjectName } from "../../../durable-objects/api/room-api.ts";
import { SpeechUsage } from "../../../durable-objects/rooms/speech-usage.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { deliverRoomSpeech, type RoomSpeech } from "../../../storage/outbox/usage-delivery.ts";
import { redactInRooms } from "../../../worker/rooms/erase-rooms.ts";
import { openRoom } from "../../tenancy/open-room.ts";
import { brokenDatabase } from "../support/broken-database.ts";
import { ask, type Call } from "../support/api.ts";

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};
const USED = {
  model_name: "ears",
  usage: { ...NO_TOKENS, input_tokens: 14, audio: { input_ms: 680, input_tokens: 10 } },
  cost_usd: null,
};

async function heardOf(call: Call) {
  const { json } = await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=agent,end_user", call);
  return json.data.map((row) => [
    row.agent_id,
    row.end_user_id,
    row.replies,
    row.input_tokens,
    row.audio_input_ms,
    row.audio_input_tokens,
  ]);
}

function speechOf(tenant_id: string, room_id: string, reply_id: string): RoomSpeech {
  const { cost_usd: _, ...used } = USED;
  const at = new Date().toISOString();
  return { tenant_id, room_id, participant: "Mia", reply_id, at, cost: null, ...used };
}

test("each turn is counted once, however often it is told", async () => {
  const { tenant_id, room, call } = await openRoom();
  const [one, two] = ["sum_1", "sum_2"].map((id) => speechOf(tenant_id, room.id, id));
  if (!one || !two) throw new Error("there are two");
  for (const entries of [[one], [one, two], [two, one]]) await deliverRoomSpeech(env.DB, entries);

  expect(await heardOf(call)).toEqual([[room.id, "mia", 0, 28, 1_360, 20]]);
});

test("another tenant's room is billed to nobody", async () => {
  const { room, call } = await openRoom();
  const foreign = await openRoom();
  await deliverRoomSpeech(env.DB, [speechOf(foreign.tenant_id, room.id, "sum_1")]);

  expect([await heardOf(call), await heardOf(foreign.call)]).toEqual([[], []]);
});

test("the removal of the end user, and of the room, leave it to the tenant alone", async () => {
  const { tenant_id, room, call, path } = await openRoom();
  await deliverRoomSpeech(env.DB, [speechOf(tenant_id, room.id, "sum_1")]);
  const place = { tenant_id, end_user_id: "mia" };
  await redactInRooms(env, place, new Date().toISOString());
  const redacted = await heardOf(call);
  await deliverRoomSpeech(env.DB, [speechOf(tenant_id, room.id, "sum_2")]);
  await ask("DELETE", path, call);
  await deliverRoomSpeech(env.DB, [speechOf(tenant_id, room.id, "sum_3")]);

  expect(redacted).toEqual([[room.id, null, 0, 14, 680, 10]]);
  expect(await heardOf(call)).toEqual([[room.id, null, 0, 28, 1_360, 20]]);
});

test("what D1 does not take is told by the object that comes next", async () => {
  const { tenant_id, room, call } = await openRoom();
  const stub = env.ROOM.getByName(roomObjectName(tenant_id, room.id));
  const states = await runInDurableObject(stub, async (_, { storage: { sql } }) => {
    const owner = { tenant_id, room_id: room.id };
    const first = new SpeechUsage({ sql, database: brokenDatabase(), owner });
    first.add({ id: "sum_1", participant: "Mia", used: USED });
    await first.tell();
    const next = new SpeechUsage({ sql, database: env.DB, owner });
    const before = next.isOpen;
    await next.close();
    next.add({ id: "sum_2", participant: "Mia", used: USED });
    const left = sql.exec("SELECT id FROM speech_usage").toArray();
    return [first.isOpen, before, next.isOpen, left];
  });

  expect(states).toEqual([true, true, false, []]);
  expect(await heardOf(call)).toEqual([[room.id, "mia", 0, 14, 680, 10]]);
});
