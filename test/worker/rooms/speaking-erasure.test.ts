// Rooms that speak, of which somebody or all is erased in the middle of a word: nothing is heard any more, and nothing is left.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, onTestFinished, test, vi } from "vitest";

import { roomObjectName } from "../../../durable-objects/api/room-api.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { redactInRooms } from "../../../worker/rooms/erase-rooms.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { openRoom } from "../../tenancy/open-room.ts";
import { ask, OPERATOR } from "../support/api.ts";
import { VoiceSocket } from "../support/voice-socket.ts";

/** Between two looks of an answer that waits. */
const LOOK_MS = 5;
const EARS = "https://ears.example/v1";
const VOICE = { mode: "realtime", model: { provider: "scripted" } } as const;
/** Audio of a tenth of a second. */
const SILENCE = btoa("\0".repeat(3_200));

/** Writes down what it is told to, each text once the test has said so. */
function mockEars(texts: readonly string[]) {
  const ears = { asked: 0, answered: 0 };
  const original = globalThis.fetch;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(EARS)) return original(input, init);
    const text = texts[ears.asked];
    ears.asked += 1;
    const number = ears.asked;
    // In the object that has asked: it takes no promise of another one.
    while (ears.answered < number) await scheduler.wait(LOOK_MS);
    return Response.json({ text });
  });
  onTestFinished(() => spy.mockRestore());
  return ears;
}

async function openSpeaking(transcription: object = { provider: "scripted" }) {
  const voice = { transcription, turns: { type: "manual" } };
  const model = { provider: "scripted", name: "plain" };
  const opened = await openRoom({ voice }, { name: "Talker", model, voice: VOICE });
  const { tenant_id, room } = opened;
  const sessionId = room.participants[0]?.session_id ?? "";
  const objects = [
    env.ROOM.getByName(roomObjectName(tenant_id, room.id)),
    env.SESSION.getByName(sessionObjectName(tenant_id, sessionId)),
  ];
  return { ...opened, left: () => Promise.all(objects.map(bytesOf)) };
}

/** All text that an object has on disk. */
function bytesOf(stub: DurableObjectStub): Promise<string> {
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    const query =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'";
    const tables = sql.exec<{ name: string }>(query).toArray();
    const textOf = (value: SqlStorageValue, column: string): string => {
      if (!(value instanceof ArrayBuffer)) return String(value);
      const bytes = new Uint8Array(value);
      return new TextDecoder().decode(column === "frames" ? unpackFrames(bytes) : bytes);
    };
    return tables
      .flatMap(({ name }) => sql.exec(`SELECT * FROM ${name}`).toArray())
      .flatMap((row) => Object.entries(row).map(([column, value]) => textOf(value, column)))
      .join("\n");
  });
}

function turn(socket: VoiceSocket): void {
  socket.send({ type: "audio", audio: SILENCE });
  socket.send({ type: "commit" });
}

test("an end user who is erased while they speak, and are written down, has said nothing", async () => {
  const ears = mockEars(["My number is 4711.", "I am Tom."]);
  const transcription = { provider: "openai", name: "ears", base_url: EARS };
  const { tenant_id, call, path, left } = await openSpeaking(transcription);
  const tom = { name: "Tom", kind: "person" };
  await ask("POST", `${path}/participants`, { ...call, json: { participant: tom } });
  const mia = await VoiceSocket.open(path, call, {}, "?participant=Mia");
  const other = await VoiceSocket.open(path, call, {}, "?participant=Tom");
  turn(mia);
  await waitUntil(async () => (ears.asked === 1 ? true : undefined));
  mia.send({ type: "audio", audio: SILENCE });

  await redactInRooms(env, { tenant_id, end_user_id: "mia" }, new Date().toISOString());
  const closed = await mia.closed;
  ears.answered = 1;
  turn(other);
  await waitUntil(async () => (ears.asked === 2 ? true : undefined));
  ears.answered = 2;
  await other.until(() => JSON.stringify(other.frames).includes("I am Tom."));
  await other.until(() => other.ends() === 1);

  expect(closed).toEqual([4404, "not_found"]);
  expect(other.frames.map(({ type }) => type)).not.toContain("floor_taken");
  const [room, session] = await left();
  expect([room?.includes("4711"), session?.includes("4711")]).toEqual([false, false]);
  expect([room?.includes("I am Tom."), session?.includes("I am Tom.")]).toEqual([true, true]);
  const { json } = await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=end_user", call);
  expect(json.data.map(({ end_user_id }) => end_user_id)).toEqual([null]);
  other.leave();
});

test("a tenant that is closed while its room speaks is heard no more, and nothing of it is left", async () => {
  const { tenant_id, call, path, left } = await openSpeaking();
  const mia = await VoiceSocket.open(path, call);
  mia.send({ type: "text", text: `Go.\n/say ${"My number is 4711. ".repeat(20)}` });
  await mia.until(() => mia.frames.some(({ type }) => (type as string) === "item"));
  const before = await left();

  await ask("DELETE", `/v1/tenants/${tenant_id}`, OPERATOR);
  const [code, reason] = await mia.closed;
  const tables = ["rooms", "room_members", "usage", "usage_days", "usage_end_users", "sessions"];
  const rowsLeft = async () => {
    const counts = tables.map((table) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`).bind(tenant_id),
    );
    const answers = await env.DB.batch<{ n: number }>(counts);
    return answers.map(({ results }) => results[0]?.n);
  };
  await waitUntil(async () => ((await rowsLeft()).every((n) => n === 0) ? true : undefined));

  expect(before.every((text) => text.includes("4711"))).toBe(true);
  expect([code, reason]).toEqual([4403, "tenant_suspended"]);
  expect(await left()).toEqual(["", ""]);
});
