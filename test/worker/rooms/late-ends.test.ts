// Ends of turns that come late to a participant's session: from a room that was lost, or while the turn is beginning.
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";

import type { ParticipantApi } from "../../../durable-objects/api/participant-api.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { roomEventOf } from "../../../protocol/rooms/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  eventsOf,
  openRoom,
  readRoom,
  saidIn,
  say,
  sessionMessages,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const settings = { agents: ["alpha"] };

async function sessionOf(desk: RoomDesk): Promise<string> {
  const [alpha] = (await readRoom(desk)).participants;
  return alpha!.session_id!;
}

function participantOf({ tenantId }: RoomDesk, sessionId: string): ParticipantApi {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return stub as unknown as ParticipantApi;
}

/** The turns of the room's log, with the reason of each that has ended. */
async function turnsIn(desk: RoomDesk): Promise<readonly (readonly [id: string, end: string])[]> {
  return (await eventsOf(desk)).flatMap((event): (readonly [string, string])[] => {
    const own = roomEventOf(event);
    return own?.name === "room_turn_ended" ? [[own.value.turn_id, own.value.reason]] : [];
  });
}

const turn = {
  messages: [],
  team: { self: "alpha", order: "sequential", members: [] },
  end_user_id: null,
} as const;

const TURN_ID = "trn_00000000000000000000000001";

test("the end of an earlier turn leaves the reply of the one that goes on", async () => {
  let isAnswered = false;
  model = mockModel((_, number) => `alpha ${number}`);
  const desk = await openRoom(settings);
  await say(desk, "One.");
  await atRest(desk);
  const [[earlier]] = (await turnsIn(desk)) as [readonly [string, string]];
  const sessionId = await sessionOf(desk);
  model.decide = (_, number) => ({ text: `alpha ${number}`, until: () => isAnswered });
  await say(desk, "Two.");
  await waitFor(() => expect(model?.requests).toHaveLength(2));

  valueOf(await participantOf(desk, sessionId).act("endRoomTurn", { turn_id: earlier }));
  isAnswered = true;
  await atRest(desk);

  expect((await turnsIn(desk)).map(([, reason]) => reason)).toEqual(["completed", "completed"]);
  expect(await saidIn(desk)).toEqual([
    "Mia: One.",
    "alpha: alpha 1",
    "Mia: Two.",
    "alpha: alpha 2",
  ]);
});

test("a turn that was ended before it began never begins", async () => {
  model = mockModel(() => "alpha speaks");
  const desk = await openRoom(settings);
  const sessionId = await sessionOf(desk);
  const session = () => participantOf(desk, sessionId);

  valueOf(await session().act("endRoomTurn", { turn_id: TURN_ID }));
  const late = await session().act("startRoomTurn", { turn_id: TURN_ID, ...turn });

  expect(late).toMatchObject({ ok: false, refusal: { code: "conflict" } });
  expect([model.requests, await sessionMessages(desk.call, sessionId)]).toEqual([[], []]);
});

test("a turn that is ended while it begins leaves no reply behind, in whichever order they come", async () => {
  model = mockModel(() => ({ hangs: true }));
  const desk = await openRoom(settings);
  const sessionId = await sessionOf(desk);
  const session = () => participantOf(desk, sessionId);
  const id = (number: number) => TURN_ID.slice(0, -1) + String(number);
  const begin = (turn_id: string) => session().act("startRoomTurn", { turn_id, ...turn });
  const end = (turn_id: string) => session().act("endRoomTurn", { turn_id });

  for (const [number, acts] of [
    [begin, end],
    [end, begin],
  ].entries()) {
    await Promise.all(acts.map((act) => act(id(number))));
    await waitFor(async () =>
      expect(valueOf(await session().act("read"))).toMatchObject({ status: "idle" }),
    );
    // Asked again it is the same reply, or none.
    const again = await begin(id(number));
    expect(again.ok || again.refusal.code === "conflict").toBe(true);
  }

  expect(valueOf(await session().act("read")).status).toBe("idle");
  expect((await readRoom(desk)).status).toBe("idle");
});

test("a reply whose turn nobody knows is ended by its own id", async () => {
  model = mockModel(() => ({ hangs: true }));
  const desk = await openRoom(settings);
  const sessionId = await sessionOf(desk);
  await say(desk, "Begin.");
  await waitFor(() => expect(model?.requests).toHaveLength(1));
  const session = participantOf(desk, sessionId);
  const { reply_id } = valueOf(await session.act("read"));

  valueOf(await session.act("endRoomTurn", { turn_id: reply_id! }));
  await atRest(desk);

  expect((await turnsIn(desk)).map(([, reason]) => reason)).toEqual(["interrupted"]);
});
