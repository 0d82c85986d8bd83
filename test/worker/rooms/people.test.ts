// People in a room: what waits for them, what they end, and their turns.
import { afterEach, describe, expect, it } from "vitest";

import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, refusalOf } from "../support/api.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  CALL,
  openRoom,
  readRoom,
  saidIn,
  say,
  stepsOf,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;
const REFUND = { type: "external", name: "refund" };
const ASKING = [{ name: "alpha", tools: [REFUND] }, "beta"];

/** The first agent calls a tool that a person has to allow and then to do. */
const asking: MockModel["decide"] = (request, number) =>
  request.model === "alpha" && number === 1
    ? { call: { name: "refund", arguments: "{}" } }
    : counted(request, number);

/** Members that an event has when the Worker has read it. */
const WRITTEN = { id: "evt_x", created_at: "2026-11-30T00:00:00.000Z", metadata: {} };

async function ends(desk: RoomDesk): Promise<readonly string[]> {
  return (await stepsOf(desk)).filter((step) => /_ended/.test(step));
}

describe("an agent that waits for a person", () => {
  it("holds the room in order, and goes on with the answer that is posted in the room", async () => {
    model = mockModel(asking);
    const desk = await openRoom({ agents: ASKING });
    await say(desk, "Refund it.");
    const waiting = await atRest(desk, "waiting");
    const [pending] = waiting.pending;

    expect(waiting.pending).toHaveLength(1);
    expect(pending).toMatchObject({ participant: "alpha", kind: "permission" });
    expect(waiting.participants.map(({ status }) => status)).toEqual([
      "waiting",
      "idle",
      "idle",
      "idle",
    ]);
    const { tool_call, input_hash, reply_id } = pending!;
    const confirm_results = [{ confirmed: true, tool_call, rules: null }];
    const metadata = { input_hashes: { [tool_call.id]: input_hash } };
    const confirmed = {
      ...WRITTEN,
      type: "USER_CONFIRM_RESULT",
      reply_id,
      metadata,
      confirm_results,
    } as never;
    const receipt = valueOf(await desk.room.postEvent(confirmed, CALL));
    expect(receipt).toMatchObject({ participant: "alpha", applied: true });

    await expect
      .poll(async () => (await readRoom(desk)).pending.map(({ kind }) => kind))
      .toEqual(["external_result"]);
    const { id, name } = tool_call;
    const output = "Paid.";
    const result = { type: "tool_result", id, name, output, state: "success", metadata: {} };
    const answer = {
      ...WRITTEN,
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id,
      execution_results: [result],
    };
    valueOf(await desk.room.postEvent(answer as never, CALL));
    await atRest(desk);

    expect(await saidIn(desk)).toEqual(["Mia: Refund it.", "alpha: alpha 2", "beta: beta 1"]);
  });

  it("is also answered in its own session, of which the room is told", async () => {
    model = mockModel(asking);
    const tools = [{ ...REFUND, read_only: true }];
    const desk = await openRoom({ agents: [{ name: "alpha", tools }, "beta"] });
    await say(desk, "Refund it.");
    const { pending } = await atRest(desk, "waiting");
    const { session_id, reply_id, tool_call } = pending[0]!;
    const { id, name } = tool_call;
    const result = { type: "tool_result", id, name, output: "Paid.", state: "success" };
    const json = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
    const path = `/v1/sessions/${session_id}/events`;
    expect((await ask("POST", path, { ...desk.call, json })).status).toBe(202);
    await atRest(desk);

    expect(await saidIn(desk)).toEqual(["Mia: Refund it.", "alpha: alpha 2", "beta: beta 1"]);
  });

  it("holds only its own turn where all speak at once", async () => {
    model = mockModel(asking);
    const turns = { order: "parallel", rounds: 1 };
    const desk = await openRoom({ agents: ASKING, turns });
    await say(desk, "Refund it.");
    await atRest(desk, "waiting");

    expect(await saidIn(desk)).toEqual(["Mia: Refund it.", "beta: beta 1"]);
  });

  it("is ended by name when its turn has had its time", async () => {
    model = mockModel(asking);
    const desk = await openRoom({ agents: ASKING, bounds: { turn_timeout_ms: 1_000 } });
    await say(desk, "Refund it.");
    await atRest(desk);

    expect(await ends(desk)).toEqual([
      "room_turn_ended alpha timeout",
      "room_turn_ended beta completed",
      "room_round_ended",
      "room_discussion_ended completed",
    ]);
  });
});

describe("a model that hangs", () => {
  it("stops nobody else: its turn ends with its time", async () => {
    model = mockModel((request, number) =>
      request.model === "alpha" ? { hangs: true } : counted(request, number),
    );
    const desk = await openRoom({ bounds: { turn_timeout_ms: 1_000 } });
    await say(desk, "Begin.");
    await atRest(desk);

    expect(await saidIn(desk)).toEqual(["Mia: Begin.", "beta: beta 1", "gamma: gamma 1"]);
    expect(await ends(desk)).toContain("room_turn_ended alpha timeout");
  });

  it("or fails stops nobody else", async () => {
    model = mockModel((request, number) =>
      request.model === "alpha" ? { fails: 400 } : counted(request, number),
    );
    const desk = await openRoom();
    await say(desk, "Begin.");
    await atRest(desk);

    expect((await saidIn(desk)).slice(-2)).toEqual(["beta: beta 1", "gamma: gamma 1"]);
    expect(await ends(desk)).toContain("room_turn_ended alpha error");
  });
});

describe("an interrupt", () => {
  const hanging: MockModel["decide"] = (request, number) =>
    request.model === "alpha" && number === 1 ? { hangs: true } : counted(request, number);

  it("of one participant ends its turn alone", async () => {
    model = mockModel(hanging);
    const desk = await openRoom();
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    const ended = valueOf(await desk.room.interrupt({ participant: "alpha" }));
    await atRest(desk);

    expect(ended).toEqual({ interrupted: true, participants: ["alpha"] });
    expect(await ends(desk)).toEqual([
      "room_turn_ended alpha interrupted",
      "room_turn_ended beta completed",
      "room_turn_ended gamma completed",
      "room_round_ended",
      "room_discussion_ended completed",
    ]);
  });

  it("of the room ends the discussion", async () => {
    model = mockModel(hanging);
    const desk = await openRoom();
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    valueOf(await desk.room.interrupt({}));
    const { status, last_end } = await readRoom(desk);

    expect([status, last_end?.reason]).toEqual(["idle", "interrupted"]);
    expect(await ends(desk)).toEqual([
      "room_turn_ended alpha interrupted",
      "room_round_ended",
      "room_discussion_ended interrupted",
    ]);
    expect(valueOf(await desk.room.interrupt({}))).toEqual({
      interrupted: false,
      participants: [],
    });
  });

  it("by a message ends what runs, and the message begins the next discussion", async () => {
    model = mockModel(hanging);
    const desk = await openRoom();
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    await say(desk, "Rather this.", { participant: "Ben", on_busy: "interrupt" });
    await atRest(desk);

    expect(await saidIn(desk)).toEqual([
      "Mia: Begin.",
      "Ben: Rather this.",
      "alpha: alpha 2",
      "beta: beta 1",
      "gamma: gamma 1",
    ]);
    expect(await ends(desk)).toContain("room_discussion_ended interrupted");
  });
});

describe("a message", () => {
  it("that comes during a turn waits for its end, and every agent is told of it", async () => {
    model = mockModel((request, number) => ({
      text: `${request.model} ${number}`,
      waitMs: number === 1 && request.model === "alpha" ? 400 : 0,
    }));
    const desk = await openRoom();
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    await say(desk, "One more thing.", { participant: "Ben" });
    await atRest(desk);

    const said = await saidIn(desk);
    expect(said.slice(0, 3)).toEqual(["Mia: Begin.", "Ben: One more thing.", "alpha: alpha 1"]);
    const second = JSON.stringify(model.bodies.get("alpha")?.[1]);
    expect(second).toContain("Ben: One more thing.");
  });

  it("with an id that is known is no second one", async () => {
    model = mockModel(counted);
    const desk = await openRoom();
    const first = await say(desk, "Begin.", { id: "m1" });
    const again = await say(desk, "Begin.", { id: "m1" });
    const other = await desk.room.postMessage(
      { participant: "Mia", content: "No.", id: "m1" },
      CALL,
    );
    await atRest(desk);

    expect([first.added, again.added, again.cursor]).toEqual([true, false, first.cursor]);
    expect(other).toMatchObject({ refusal: { code: "message_conflict" } });
    expect((await saidIn(desk)).filter((line) => line.startsWith("Mia"))).toHaveLength(1);
  });

  it("needs the name of the person who speaks", async () => {
    const desk = await openRoom();
    const { room } = desk;

    expect(await room.postMessage({ content: "Who am I?" }, CALL)).toMatchObject({ ok: false });
    expect(await room.postMessage({ content: "Hm.", participant: "alpha" }, CALL)).toMatchObject({
      refusal: { code: "validation_failed" },
    });
  });
});

describe("a person who is awaited", () => {
  const people = [{ name: "Mia" }, { name: "Ben", awaited: true }];

  it("has a turn, which its input ends", async () => {
    model = mockModel(counted);
    const desk = await openRoom({
      agents: ["alpha"],
      people,
      turns: { order: "sequential", rounds: 2 },
    });
    await say(desk, "Begin.");
    const { input_requests } = await atRest(desk, "waiting");
    expect(input_requests).toMatchObject([{ participant: "Ben", form: null }]);
    const input = { participant: "Ben", content: "I think so." };
    const input_request_id = input_requests[0]!.id;
    valueOf(await desk.room.postInput({ ...input, input_request_id }));
    const again = valueOf(await desk.room.postInput({ ...input, input_request_id }));
    await expect.poll(async () => (await readRoom(desk)).round).toBe(2);
    await atRest(desk, "waiting");
    valueOf(await desk.room.postInput({ participant: "Ben", action: "decline" }));
    await atRest(desk);

    expect(again.applied).toBe(false);
    expect(await saidIn(desk)).toEqual([
      "Mia: Begin.",
      "alpha: alpha 1",
      "Ben: I think so.",
      "alpha: alpha 2",
    ]);
  });

  it("who does not come holds the room no longer than it says", async () => {
    model = mockModel(counted);
    const late = [{ name: "Mia" }, { name: "Ben", awaited: true, input_timeout_ms: 1_000 }];
    const desk = await openRoom({ agents: ["alpha"], people: late });
    await say(desk, "Begin.");
    await atRest(desk);

    expect(await ends(desk)).toContain("room_turn_ended Ben timeout");
    expect(await desk.room.postInput({ participant: "Ben", content: "Late." })).toMatchObject({
      refusal: { code: "conflict" },
    });
  });
});

describe("a participant's session", () => {
  it("takes nothing of requests but reading", async () => {
    const desk = await openRoom();
    const { participants } = await readRoom(desk);
    const path = `/v1/sessions/${participants[0]!.session_id}`;
    const asked = [
      await ask("POST", `${path}/replies`, { ...desk.call, json: { input: "Hello?" } }),
      await ask("POST", `${path}/observe`, { ...desk.call, json: { messages: "Hello?" } }),
      await ask("PATCH", path, { ...desk.call, json: { metadata: {} } }),
    ];
    const { json } = await ask<Session>("GET", path, desk.call);

    expect(asked.map(refusalOf)).toEqual([
      { status: 409, code: "session_in_room" },
      { status: 409, code: "session_in_room" },
      { status: 409, code: "session_in_room" },
    ]);
    expect(json.agent_id).toBe(desk.agents["alpha"]);
  });
});
