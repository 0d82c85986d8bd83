// Costs of a discussion: commits of the room, and calls to its sessions.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { SessionObject } from "../../../durable-objects/session-object.ts";
import { roomEventOf } from "../../../protocol/rooms/events.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import { atRest, eventsOf, objectOf, openRoom, readRoom, say } from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

test("the beginnings of all turns of a round are one commit with what they follow from", async () => {
  model = mockModel(({ model: name }) => name);
  const desk = await openRoom({ agents: ["alpha", "beta", "gamma"], turns: { order: "parallel" } });
  await say(desk, "Begin.");
  await atRest(desk);
  const names = new Map(
    (await eventsOf(desk)).flatMap((event) => {
      const own = roomEventOf(event);
      return own ? [[event.seq, own.name] as const] : [];
    }),
  );
  const lasts = await runInDurableObject(objectOf(desk.init), (_, { storage: { sql } }) =>
    sql.exec<{ seq: number }>("SELECT seq FROM events ORDER BY seq").toArray(),
  );
  const rows = lasts.map(({ seq: last }, index) => {
    const first = (lasts[index - 1]?.seq ?? 0) + 1;
    return Array.from({ length: last - first + 1 }, (_, at) => names.get(first + at));
  });

  expect(rows.find((row) => row.includes("room_discussion_started"))).toEqual([
    "room_discussion_started",
    "room_round_started",
    "room_turn_started",
    "room_turn_started",
    "room_turn_started",
  ]);
});

test("a room that is told of what it has copied asks its session nothing", async () => {
  model = mockModel(({ model: name }) => name);
  const desk = await openRoom({ agents: ["alpha"] });
  await say(desk, "Begin.");
  await atRest(desk);
  const session_id = (await readRoom(desk)).participants[0]?.session_id ?? "";
  const id = env.SESSION.idFromName(sessionObjectName(desk.tenantId, session_id));
  const asked: string[] = [];
  const perform: SessionObject["act"] = Reflect.get(SessionObject.prototype, "act");
  const spy = vi.spyOn(SessionObject.prototype, "act");
  spy.mockImplementation(function (this: SessionObject, ...call: Parameters<typeof perform>) {
    const { ctx } = this as unknown as { readonly ctx: DurableObjectState };
    if (ctx.id.equals(id)) asked.push(call[0]);
    return Reflect.apply(perform, this, call) as ReturnType<typeof perform>;
  } as never);
  onTestFinished(() => spy.mockRestore());
  const note = (seq?: number) =>
    (objectOf(desk.init) as unknown as { noteRoom(note: object): Promise<void> }).noteRoom({
      session_id,
      seq,
    });
  await note(1);
  const before = [...asked];
  await note();

  expect(before).toEqual([]);
  await expect.poll(() => asked).toEqual(["readRoomEvents"]);
});
