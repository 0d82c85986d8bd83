// Rooms by base URL alone: orders of turns, people, streams, and what is refused.
import { describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Problem } from "../../../protocol/problem.ts";
import type { Room, RoomPage } from "../../../protocol/rooms/contract.ts";
import type { RoomStateExport } from "../../../protocol/rooms/room-state.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { waitUntil } from "../../support/wait-for.ts";
import {
  createAgent,
  type Frame,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { chain, openRoom, type RoomDesk } from "./room-desk.ts";

const eventsOf = (frames: readonly Frame[]) =>
  frames.map(({ data }) => JSON.parse(data) as LoggedEvent);

/** The names of participants whose turns begin, in order. */
const turnsOf = (frames: readonly Frame[]) =>
  eventsOf(frames).flatMap((event) =>
    event.type === "CUSTOM" && event.name === "room_turn_started"
      ? String(event.metadata["participant"])
      : [],
  );

const without = (key: string, room: RoomDesk) => ({ ...room, key });

describe("orders of turns", () => {
  it("in order each speaks once in a round, told of what was said before it", async () => {
    const room = await openRoom({ turns: { order: "sequential", rounds: 2 } });

    const { cursor } = await room.say(`Begin.\n${chain("A one.", "B one.", "A two.", "B two.")}`);
    const frames = await room.read(cursor);

    expect(turnsOf(frames)).toEqual(["ann", "bob", "ann", "bob"]);
    const said = (await room.said()).map((text) => text.split("\n")[0]);
    expect(said).toEqual([
      "Mia: Begin.",
      "ann: A one.",
      "bob: B one.",
      "ann: A two.",
      "bob: B two.",
    ]);
    expect((await room.now()).last_end?.reason).toBe("completed");
  });

  it("in parallel all answer the same, and no seq is there twice", async () => {
    const room = await openRoom({ turns: { order: "parallel", rounds: 1 } });

    const { cursor } = await room.say("Begin.\n/say Me first.");
    const frames = await room.read(cursor);

    const ids = frames.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
    expect((await room.said()).toSorted()).toEqual([
      "Mia: Begin.\n/say Me first.",
      "ann: Me first.",
      "bob: Me first.",
    ]);
  });

  it("by mention those speak who are named, also by an agent in its text", async () => {
    const room = await openRoom({ turns: { order: "mentioned" } });

    const { cursor } = await room.say("Ann?\n/say What does @bob say?\n/say /say I am here.", {
      mentions: ["ann"],
    });
    const frames = await room.read(cursor);

    expect(turnsOf(frames)).toEqual(["ann", "bob"]);
  });
});

describe("a stream of a room", () => {
  it("resumes exactly behind every frame, and pages have the same events", async () => {
    const room = await openRoom();
    const { cursor } = await room.say(`Begin.\n${chain("I am Ann.", "I am Bob.")}`);
    await room.read(cursor);
    const whole = await room.read(0);

    for (const [index, { id }] of whole.entries()) {
      const headers = { accept: "text/event-stream", "last-event-id": String(id) };
      const response = await openRequest("GET", `${room.path}/events`, { key: room.key, headers });
      expect(await readSse(response)).toEqual(whole.slice(index + 1));
    }
    const { body } = await request<{ data: readonly LoggedEvent[] }>(
      "GET",
      `${room.path}/events?limit=100`,
      { key: room.key },
    );
    expect(body.data).toEqual(eventsOf(whole));
  });
});

describe("people", () => {
  it("with a client token speak as themselves alone, in their own room alone", async () => {
    const room = await openRoom();
    const other = await openRoom();
    const minted = { key: room.key, body: { participant: "Mia" } };
    const { body } = await request<RoomToken>("POST", `${room.path}/tokens`, minted);
    const key = body.token;
    const post = (path: string, message: object) =>
      request<Problem>("POST", `${path}/messages`, { key, body: message });

    const said = await post(room.path, { content: "Hello.\n/say Hello, Mia." });
    const asAnn = await post(room.path, { content: "Hello.", participant: "ann" });
    const elsewhere = await post(other.path, { content: "Hello." });
    const session = `/v1/sessions/${room.room.participants[0]?.session_id ?? ""}`;
    const inside = await request<Problem>("GET", session, { key });
    await request("DELETE", `${room.path}/tokens/${body.id}`, { key: room.key });
    const revoked = await post(room.path, { content: "Hello." });

    expect([said, asAnn, elsewhere, inside, revoked].map(({ status }) => status)).toEqual([
      202, 403, 404, 404, 401,
    ]);
  });

  it("are waited for where they are awaited, and fill a form in", async () => {
    const form = {
      type: "object",
      properties: { accepted: { type: "boolean" } },
      required: ["accepted"],
    };
    const room = await openRoom();
    const participants = [
      { name: "ann", agent_id: room.agent_id },
      { name: "Noa", kind: "person", awaited: true, form },
      { name: "Mia", kind: "person" },
    ];
    const made = { key: room.key, body: { participants } };
    const { body: opened } = await request<Room>("POST", "/v1/rooms", made);
    const path = `/v1/rooms/${opened.id}`;
    const now = async () => (await request<Room>("GET", path, { key: room.key })).body;
    const begin = { key: room.key, body: { participant: "Mia", content: "Begin.\n/say Noa?" } };
    await request("POST", `${path}/messages`, begin);
    const waiting = await waitUntil(async () => {
      const { input_requests } = await now();
      return input_requests[0];
    });
    const listed = await waitUntil(async () => {
      const { body } = await request<{ data: readonly { room_id: string; participant: string }[] }>(
        "GET",
        "/v1/room-inputs",
        { key: room.key },
      );
      return body.data[0];
    });
    expect(listed).toMatchObject({ room_id: opened.id, participant: "Noa" });
    const answer = (values: object) =>
      request("POST", `${path}/input`, { key: room.key, body: { participant: "Noa", values } });

    const [wrong, right] = [await answer({ accepted: "yes" }), await answer({ accepted: true })];

    expect([waiting.participant, waiting.form]).toEqual([
      "Noa",
      expect.objectContaining({ type: "object" }),
    ]);
    expect([wrong.status, right.status]).toEqual([400, 202]);
    await waitUntil(async () => ((await now()).last_end ? true : undefined));
    expect(await now()).toMatchObject({ status: "idle", input_requests: [] });
  });
});

describe("the session of a participant", () => {
  it("can be read, says its room, and takes nothing from elsewhere", async () => {
    const room = await openRoom();
    const { key } = room;
    const session_id = room.room.participants[0]?.session_id ?? "";
    const path = `/v1/sessions/${session_id}`;
    const code = async (method: string, rest: string, body?: object) =>
      (await request<Problem>(method, path + rest, { key, body })).body?.code;

    const read = await request<{ room_id: string }>("GET", path, { key });
    const refused = [
      await code("POST", "/replies", { input: "Hello." }),
      await code("POST", "/observe", { messages: "Hello." }),
      await code("PATCH", "", { title: "Mine" }),
      await code("PUT", "/state", {}),
      await code("POST", "/fork", {}),
      await code("DELETE", ""),
    ];

    expect(read.body.room_id).toBe(room.room.id);
    expect(refused).toEqual(Array.from(refused, () => "session_in_room"));
  });
});

describe("a room", () => {
  it("is exported by names and goes on where they are the same, else refused by name", async () => {
    const room = await openRoom();
    const { cursor } = await room.say(`Begin.\n${chain("I am Ann.", "I am Bob.")}`);
    await room.read(cursor);
    const { body: state } = await request<RoomStateExport>("GET", `${room.path}/state`, {
      key: room.key,
    });
    const body = {
      participants: [
        { name: "ann", agent_id: room.agent_id },
        { name: "bob", agent_id: room.agent_id },
        { name: "Mia", kind: "person" },
      ],
    };
    const { body: copy } = await request<Room>("POST", "/v1/rooms", { key: room.key, body });
    const put = (rest: object, headers: Record<string, string> = {}, query = "") =>
      request<RoomStateExport & Problem>("PUT", `/v1/rooms/${copy.id}/state${query}`, {
        key: room.key,
        headers,
        body: { messages: state.messages, ...rest },
      });

    const renamed = await put({ agents: { ann: state.agents["ann"], eve: state.agents["bob"] } });
    const right = await put({ agents: state.agents });
    const replaced = await put({ agents: state.agents }, {}, "?replace=true");
    const stale = await put({ agents: state.agents }, { "if-match": '"1"' }, "?replace=true");

    expect([renamed.status, renamed.body.code]).toEqual([409, "participants_mismatch"]);
    expect(right.status).toBe(200);
    expect([replaced.status, stale.status]).toEqual([400, 412]);
    const { body: page } = await request<{ data: readonly { name: string }[] }>(
      "GET",
      `/v1/rooms/${copy.id}/messages`,
      { key: room.key },
    );
    expect(page.data.map(({ name }) => name)).toEqual(["Mia", "ann", "bob"]);
  });

  it("lets others join and leave, ends by a reason, and is gone with its sessions", async () => {
    const room = await openRoom({ max_rounds: 1, turns: { order: "sequential", rounds: 5 } });
    const { key, path } = room;
    const agent_id = await createAgent(key, { tools: [] });
    const joining = { key, body: { participant: { name: "eve", agent_id } } };

    const joined = await request<Room>("POST", `${path}/participants`, joining);
    const other = { key, body: { participant: { name: "eve", kind: "person" } } };
    const twice = await request<Problem>("POST", `${path}/participants`, other);
    const left = await request("DELETE", `${path}/participants/bob`, { key });
    const { cursor } = await room.say(`Begin.\n${chain("I am Ann.", "I am Eve.")}`);
    const frames = await room.read(cursor);

    expect([joined.status, twice.status, left.status]).toEqual([201, 409, 204]);
    expect(turnsOf(frames)).toEqual(["ann", "eve"]);
    expect((await room.now()).last_end?.reason).toBe("max_rounds");
    const { body: list } = await request<RoomPage>("GET", `/v1/rooms?agent_id=${agent_id}`, {
      key,
    });
    expect(list.data[0]?.participants.map(({ name }) => name)).toEqual(["ann", "Mia", "eve"]);
    const sessions = joined.body.participants.flatMap(({ session_id }) => session_id ?? []);
    expect((await request("DELETE", path, { key })).status).toBe(204);
    const gone = [path, ...sessions.map((id) => `/v1/sessions/${id}`)];
    for (const one of gone) expect((await request("GET", one, { key })).status).toBe(404);
  });

  it("is ended by an interrupt, and is not another tenant's", async () => {
    const room = await openRoom();
    const { cursor } = await room.say("Begin.\n/wait 600000");

    const interrupted = await request("POST", `${room.path}/interrupt`, {
      key: room.key,
      body: {},
    });
    await room.read(cursor);

    expect(interrupted.body).toMatchObject({ interrupted: true });
    expect((await room.now()).last_end?.reason).toBe("interrupted");
    const stranger = without((await openRoom()).key, room);
    expect((await request("GET", stranger.path, { key: stranger.key })).status).toBe(404);
  });
});

describe("a client of AG-UI", () => {
  it("runs a room: each round is a run, each turn a subagent with its speaker's name", async () => {
    const room = await openRoom();
    const body = {
      threadId: room.room.id,
      runId: "run-1",
      protocolVersion: "1.0",
      messages: [{ id: "m1", role: "user", content: `Begin.\n${chain("I am Ann.", "I am Bob.")}` }],
    };
    const run = async () =>
      readSse(await openRequest("POST", `${room.path}/ag-ui`, { key: room.key, body }));

    const frames = (await run()).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
    const again = await request<Problem>("POST", `${room.path}/ag-ui`, {
      key: room.key,
      body: { ...body, messages: [] },
    });

    const types = frames.map(({ type }) => type);
    expect([types[0], types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    const lanes = frames.filter(({ type }) => type === "SUBAGENT_STARTED");
    expect(lanes.map(({ name }) => name)).toEqual(["ann", "bob"]);
    expect([again.status, again.body.code]).toEqual([409, "run_empty"]);
    expect((await room.said()).length).toBe(3);
  });

  it("takes a person's turn as the answer to an interrupt", async () => {
    const desk = await openRoom();
    const participants = [
      { name: "Noa", kind: "person", awaited: true },
      { name: "ann", agent_id: desk.agent_id },
    ];
    const made = { key: desk.key, body: { participants } };
    const { body: room } = await request<Room>("POST", "/v1/rooms", made);
    const path = `/v1/rooms/${room.id}`;
    const run = async (rest: object) => {
      const body = { threadId: room.id, runId: "run-1", messages: [], ...rest };
      const frames = await readSse(
        await openRequest("POST", `${path}/ag-ui`, { key: desk.key, body }),
      );
      return frames.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
    };

    const first = await run({ messages: [{ id: "m1", role: "user", content: "Begin." }] });
    const outcome = first.at(-1)?.["outcome"] as { interrupts: readonly { id: string }[] };
    const [asked] = outcome.interrupts;
    const resume = [
      { interruptId: asked?.id, status: "resolved", payload: { content: "Yes.\n/say So be it." } },
    ];
    await run({ resume });

    const { body: page } = await request<{ data: readonly { name: string }[] }>(
      "GET",
      `${path}/messages`,
      { key: desk.key },
    );
    expect(page.data.map(({ name }) => name)).toEqual(["Noa", "Noa", "ann"]);
  });
});
