// Export and import of a whole room, and of each agent alone.
import { afterEach, describe, expect, it } from "vitest";

import type { SessionPage } from "../../../protocol/sessions/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { RoomStateInput } from "../../../protocol/rooms/room-state.ts";
import { readUrl } from "../../../durable-objects/api/read-request.ts";
import { ask, makeSession } from "../support/api.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  CALL,
  initOf,
  openRoom,
  readRoom,
  roomOf,
  saidIn,
  say,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;

async function exported({ room }: Pick<RoomDesk, "room">): Promise<RoomStateInput> {
  const response = await room.fetch(readUrl({ what: "state" }));
  expect(response.status).toBe(200);
  return response.json<RoomStateInput>();
}

/** A room in which something was said, and at rest. */
async function spoken(): Promise<RoomDesk> {
  const desk = await openRoom({ agents: ["alpha", "beta"] });
  await say(desk, "Begin.");
  await atRest(desk);
  return desk;
}

/** Another room of the same agents. */
async function another(desk: RoomDesk): Promise<RoomDesk> {
  const init = initOf(desk.tenantId, desk.agents, {});
  const room = roomOf(init);
  valueOf(await room.create(init));
  return { ...desk, init, room };
}

describe("the state of a room", () => {
  it("has what was said and each agent's state, with which another room goes on", async () => {
    model = mockModel(counted);
    const desk = await spoken();
    const state = await exported(desk);
    const copy = await another(desk);
    valueOf(await copy.room.putState({ state, is_replacing: false }, CALL));
    await say(copy, "Go on.", { participant: "Ben" });
    await atRest(copy);

    expect(Object.keys(state.agents)).toEqual(["alpha", "beta"]);
    expect(await saidIn(copy)).toEqual([
      "Mia: Begin.",
      "alpha: alpha 1",
      "beta: beta 1",
      "Ben: Go on.",
      "alpha: alpha 2",
      "beta: beta 2",
    ]);
    const bodies = model.bodies.get("alpha") ?? [];
    expect(bodies.at(-1)).toContain("Mia: Begin.");
    expect(bodies.at(-1)?.match(/beta: beta 1/g)).toHaveLength(1);
    expect(await saidIn(desk)).toHaveLength(3);
  });

  it("of each agent is that of a session, which goes on with it", async () => {
    model = mockModel(counted);
    const desk = await spoken();
    const { agents } = await exported(desk);
    const session = await makeSession(desk.call, { agent_id: desk.agents["beta"] });
    const path = `/v1/sessions/${session.id}`;
    const put = await ask("PUT", `${path}/state`, { ...desk.call, json: agents["beta"] });
    const json = { input: "And now?" };
    const replied = await ask<Reply>("POST", `${path}/replies`, { ...desk.call, json });

    expect([put.status, replied.json.status]).toEqual([200, "completed"]);
    const last = model.bodies.get("beta")?.at(-1);
    expect(last).toContain("alpha: alpha 1");
    expect(last).toContain('"And now?"');
  });

  it("takes the place of another one, whose sessions are deleted", async () => {
    model = mockModel(counted);
    const desk = await spoken();
    const state = await exported(desk);
    const other = await another(desk);
    await say(other, "Something else.");
    const { cursor, participants } = await atRest(other);
    const put = { state, is_replacing: true };
    const late = await other.room.putState({ ...put, if_cursors: [cursor - 1] }, CALL);
    const refused = await other.room.putState({ state, is_replacing: false }, CALL);
    const replaced = valueOf(await other.room.putState({ ...put, if_cursors: [cursor] }, CALL));
    await say(other, "Go on.");
    await atRest(other);

    expect([late, refused]).toMatchObject([
      { refusal: { code: "version_mismatch" } },
      { refusal: { code: "conflict" } },
    ]);
    expect(await saidIn(other)).toEqual([
      "Mia: Begin.",
      "alpha: alpha 1",
      "beta: beta 1",
      "Mia: Go on.",
      "alpha: alpha 3",
      "beta: beta 3",
    ]);
    expect(replaced.participants[0]?.session_id).not.toBe(participants[0]?.session_id);
    const last = model.bodies.get("alpha")?.at(-1) ?? "";
    expect(last).toContain("Mia: Begin.");
    expect(last).not.toContain("Something else.");
    await expect
      .poll(async () => {
        const { json } = await ask<SessionPage>("GET", "/v1/sessions?limit=100", desk.call);
        return json.data.length;
      })
      .toBe(4);
  });

  it("is refused by name with other participants, and while anything runs", async () => {
    model = mockModel(counted);
    const desk = await spoken();
    const state = await exported(desk);
    const { alpha, ...rest } = state.agents;
    const agents = { ...rest, delta: alpha! };
    const put = { state: { ...state, agents }, is_replacing: true };
    const mismatched = await desk.room.putState(put, CALL);
    model.decide = () => ({ hangs: true });
    await say(desk, "Go on.");
    const busy = await desk.room.putState({ state, is_replacing: true }, CALL);
    const read = await desk.room.fetch(readUrl({ what: "state" }));

    expect(mismatched).toMatchObject({
      refusal: {
        code: "participants_mismatch",
        extensions: { missing: ["alpha"], unknown: ["delta"] },
      },
    });
    expect(busy).toMatchObject({ refusal: { code: "room_busy" } });
    expect(read.status).toBe(409);
    expect((await readRoom(desk)).status).toBe("running");
  });
});
