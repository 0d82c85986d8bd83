// A room that speaks: people say something, and hear the agents one after the other.
import { describe, expect, it, onTestFinished } from "vitest";

import type { StreamTicket } from "../../../protocol/events/stream-tickets.ts";
import type { RoomMessagePage } from "../../../protocol/rooms/conversation.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { speaks, startFakeAudio } from "../../support/voice/fake-audio.ts";
import {
  connectPerson,
  heardSpeakers,
  lines,
  openSpeakingRoom,
  ownFrames,
  untilEnded,
  untilItems,
  untilReady,
} from "../../support/voice/room-voice.ts";
import { CASCADE, REALTIME } from "../../support/voice/voice-desk.ts";

describe("a room that speaks", () => {
  it.each([
    ["realtime", REALTIME],
    ["cascade", CASCADE],
  ])("hears a person, and is heard agent by agent, in mode %s", async (_mode, voice) => {
    const room = await openSpeakingRoom({ voice });
    const mia = await room.connect();
    await untilReady(mia);
    mia.speak(lines("Good.", "Fine."));
    mia.send({ type: "commit" });
    await untilEnded(mia);
    await untilItems(mia, 2);

    expect(heardSpeakers(mia)).toEqual(["ann: Good. /say Fine.", "bob: Fine."]);
    expect(await room.said()).toEqual(["Mia: Go.", "ann: Good.", "bob: Fine."]);
    expect(
      ownFrames(mia)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(["agent_ready", "agent_ready", "item", "item"]);
    expect(mia.errors).toEqual([]);
  });

  it("ends a person's turn by silence, and says how the words were spoken", async () => {
    const room = await openSpeakingRoom({ hears: {} });
    const mia = await room.connect();
    mia.silence(300);
    mia.speak("/say Yes.");
    mia.silence(1_000);
    await untilEnded(mia);
    const { body } = await request<{ data: { metadata: object; usage: object }[] }>(
      "GET",
      `${room.path}/messages`,
      { key: room.key },
    );

    expect(body.data[0]).toMatchObject({
      metadata: { speech: { state: "transcribed" } },
      usage: { audio: { input_ms: expect.any(Number) } },
    });
    expect(mia.customs("voice_opened")).toHaveLength(1);
  });

  it("writes words down by an endpoint of others, with a secret of the tenant", async () => {
    const fake = await startFakeAudio();
    onTestFinished(() => fake.stop());
    const { key } = await createTenant();
    const agent_id = await createAgent(key, { tools: [], voice: CASCADE });
    const { host } = new URL(fake.baseUrl);
    const secret = { name: "Ears", type: "model", secret: "sk-ears", allowed_hosts: [host] };
    const made = await request<{ id: string }>("POST", "/v1/credentials", { key, body: secret });
    const credential_id = made.body.id;
    const model = { provider: "openai", name: "m", base_url: fake.baseUrl, credential_id };
    const participants = [
      { name: "ann", agent_id },
      { name: "Mia", kind: "person" },
    ];
    const voice = { transcription: model, turns: { type: "manual" } };
    const body = { participants, voice };
    const { body: room } = await request<{ id: string }>("POST", "/v1/rooms", { key, body });
    const mia = await connectPerson(`/v1/rooms/${room.id}`, undefined, { key });
    mia.speak("Hello.");
    mia.send({ type: "commit" });
    await untilEnded(mia);

    expect(fake.heard.map(({ authorization }) => authorization)).toEqual(["Bearer sk-ears"]);
    const foreign = await createTenant();
    const other = await createAgent(foreign.key, { tools: [], voice: CASCADE });
    const stolen = { participants: [{ name: "ann", agent_id: other }], voice };
    const refused = await request("POST", "/v1/rooms", { key: foreign.key, body: stolen });
    expect(refused.status).toBe(404);

    // As with an agent's: it is deleted at once, and whoever names it does without.
    await request("DELETE", `/v1/credentials/${credential_id}`, { key });
    mia.speak("Hello again.");
    mia.send({ type: "commit" });
    await mia.until(() => mia.errors.length > 0);
    mia.send({ type: "text", text: "/say I write." });
    await untilEnded(mia, 2);
    const again = await request("POST", "/v1/rooms", { key, body });
    expect(mia.errors.map(({ code }) => code)).toEqual(["speech_not_transcribed"]);
    expect([fake.heard.length, again.status]).toEqual([1, 404]);
  });

  it("tells a person whose words nobody could write down, and says nothing", async () => {
    const fake = await startFakeAudio({
      transcription: [(body) => body.refuse(500, { error: { message: "Rack 7 is on fire" } })],
    });
    onTestFinished(() => fake.stop());
    const transcription = { provider: "openai", name: "m", base_url: fake.baseUrl };
    const room = await openSpeakingRoom({ hears: { transcription, turns: { type: "manual" } } });
    const mia = await room.connect();
    mia.speak("Hello.");
    mia.send({ type: "commit" });
    await mia.until(() => mia.errors.length > 0);
    mia.send({ type: "text", text: "/say I write." });
    await untilEnded(mia);

    expect(mia.errors.map(({ code }) => code)).toEqual(["speech_not_transcribed"]);
    expect(JSON.stringify(mia.frames)).not.toContain("Rack 7");
    expect((await room.said()).filter((line) => line.startsWith("Mia"))).toEqual([
      "Mia: /say I write.",
    ]);
  });

  it("gives the floor by a moderator, too, who is not heard", async () => {
    const { key } = await createTenant();
    const agent_id = await createAgent(key, { tools: [], voice: CASCADE });
    const moderator = await createAgent(key, { tools: [] });
    const body = {
      participants: [
        { name: "ann", agent_id },
        { name: "Mia", kind: "person" },
      ],
      turns: { order: "moderated", moderator: { agent_id: moderator } },
      voice: { transcription: { provider: "scripted" }, turns: { type: "manual" } },
      max_rounds: 1,
    };
    const { body: room } = await request<{ id: string }>("POST", "/v1/rooms", { key, body });
    const mia = await connectPerson(`/v1/rooms/${room.id}`, undefined, { key });
    await untilReady(mia, 1);
    mia.send({ type: "text", text: "/say I am here." });
    await untilEnded(mia);

    const speakers = new Set(
      ownFrames(mia).flatMap((frame) => (frame.type === "item" ? frame.participant : [])),
    );
    expect([...speakers]).not.toContain("moderator");
    expect(ownFrames(mia)).not.toContainEqual(
      expect.objectContaining({ type: "agent_ended", participant: "moderator" }),
    );
    expect(mia.errors).toEqual([]);
  });

  it("goes on in writing when an agent loses its voice in the middle of a sentence", async () => {
    let asked = 0;
    const fake = await startFakeAudio({
      speech: [
        async (body, request) => {
          asked += 1;
          if (asked !== 2) return speaks(body, request);
          body.head(200, { "content-type": "audio/pcm" });
          body.raw(Buffer.alloc(4_800));
          await body.cut();
        },
      ],
    });
    onTestFinished(() => fake.stop());
    const model = { provider: "openai", name: "model-1", base_url: fake.baseUrl };
    const voice = { ...CASCADE, speech: model };
    const room = await openSpeakingRoom({ voice });
    const mia = await room.connect();
    await untilReady(mia);
    mia.send({ type: "text", text: lines("One is said. Two is lost.", "Three.") });
    await untilEnded(mia);
    await mia.until(() => heardSpeakers(mia).includes("bob: Three."));

    expect(await room.said()).toEqual([
      "Mia: Go.",
      "ann: One is said. Two is lost.",
      "bob: Three.",
    ]);
    expect(mia.errors.map(({ code }) => code)).toEqual(["voice_failed"]);
    expect(heardSpeakers(mia).at(-1)).toBe("bob: Three.");
  });

  it("is stopped for all by whoever may interrupt it", async () => {
    const people = ["Mia", "Tom"].map((name) => ({ name, kind: "person" }));
    const room = await openSpeakingRoom({ people });
    const [mia, tom] = [await room.connect("Mia"), await room.connect("Tom")];
    await untilReady(tom);
    mia.sendText(JSON.stringify({ type: "stop" }));

    expect(await Promise.all([mia.untilClosed(), tom.untilClosed()])).toEqual([
      { code: 1000, reason: "" },
      { code: 1000, reason: "" },
    ]);
    const ended = ownFrames(tom).filter(({ type }) => type === "agent_ended");
    expect(ended).toEqual(
      ["ann", "bob"].map((participant) => ({
        type: "agent_ended",
        participant,
        reason: "stopped",
      })),
    );
  });

  it("answers the turn of a person who is awaited", async () => {
    const people = [{ name: "Mia", kind: "person", awaited: true }];
    const room = await openSpeakingRoom({ people });
    const mia = await room.connect();
    await untilReady(mia);
    mia.send({ type: "text", text: lines("On.", "And on.") });
    await mia.until(() => mia.customs("room_input_required").length > 0);
    mia.speak("My answer.");
    mia.send({ type: "commit" });
    await untilEnded(mia);

    expect(await room.said()).toEqual(["Mia: Go.", "ann: On.", "bob: And on.", "Mia: My answer."]);
    const { body: page } = await request<RoomMessagePage>("GET", `${room.path}/messages`, {
      key: room.key,
    });
    const { metadata, usage } = page.data.at(-1) ?? {};
    const input_ms = usage?.audio?.input_ms;
    expect(input_ms).toBeGreaterThan(0);
    expect(metadata?.["speech"]).toEqual({ state: "transcribed", item: "1", ms: input_ms });
  });
});

describe("a person of a room that speaks", () => {
  it("comes with a token of its own, or its ticket, as that person alone", async () => {
    const room = await openSpeakingRoom();
    const body = { participant: "Mia", verbs: ["read", "speak"] };
    const minted = { key: room.key, body };
    const { body: token } = await request<RoomToken>("POST", `${room.path}/tokens`, minted);
    const path = `${room.path}/realtime`;
    const asked = { key: token.token, body: { path } };
    const { body: ticket } = await request<StreamTicket>(
      "POST",
      `${room.path}/stream-tickets`,
      asked,
    );
    const mia = await connectPerson(room.path, undefined, { ticket: ticket.ticket });
    await untilReady(mia);
    mia.speak("Here.");
    mia.send({ type: "commit" });
    await untilEnded(mia);
    mia.sendText(JSON.stringify({ type: "stop", id: "mine" }));
    await mia.until(() => mia.errors.length > 0);

    expect(mia.errors).toMatchObject([{ code: "verb_missing", ref: "mine" }]);
    expect((await room.said())[0]).toBe("Mia: Here.");
    await request("DELETE", `${room.path}/tokens/${token.id}`, { key: room.key });
    expect(await mia.untilClosed()).toEqual({ code: 4401, reason: "unauthenticated" });
  });

  it("has one connection, the newest", async () => {
    const room = await openSpeakingRoom();
    const first = await room.connect();
    const second = await room.connect();

    expect(await first.untilClosed()).toEqual({ code: 4409, reason: "voice_connected" });
    expect(second.closed).toBeNull();
  });

  it("is refused where nobody speaks, and as nobody", async () => {
    const people = ["Mia", "Tom"].map((name) => ({ name, kind: "person" }));
    const room = await openSpeakingRoom({ people });
    const written = await openSpeakingRoom({ room: { voice: undefined } });
    const other = await openSpeakingRoom();
    const refused = [
      await written.connect(),
      await room.connect(),
      await room.connect("ann"),
      await connectPerson(room.path, "Mia", { key: other.key }),
    ];

    const reasons = await Promise.all(refused.map((one) => one.untilClosed()));
    expect(reasons.map(({ reason }) => reason)).toEqual([
      "voice_off",
      "validation_failed",
      "validation_failed",
      "not_found",
    ]);
  });
});

describe("the definition of a room that speaks", () => {
  it("has agents with voices, who speak one after the other", async () => {
    const { key } = await createTenant();
    const agent_id = await createAgent(key, { tools: [] });
    const spoken = await createAgent(key, { tools: [], voice: CASCADE });
    const voice = { transcription: { provider: "scripted" } };
    const create = (id: string, more: object) =>
      request<{ code: string; errors?: { pointer: string }[] }>("POST", "/v1/rooms", {
        key,
        body: { participants: [{ name: "ann", agent_id: id }], voice, ...more },
      });
    const model = { provider: "dashscope", name: "qwen", base_url: "http://127.0.0.1:1" };
    const deaf = await createAgent(key, { tools: [], voice: { mode: "realtime", model } });
    const refused = [
      await create(agent_id, {}),
      await create(deaf, {}),
      await create(spoken, { turns: { order: "parallel" } }),
      await create(spoken, {
        voice: {
          transcription: { provider: "openai", name: "m", credential_id: "crd_none" },
        },
      }),
    ];

    expect(
      refused.map(({ status, body }) => [status, body.code, body.errors?.[0]?.pointer]),
    ).toEqual([
      [409, "voice_off", undefined],
      [409, "voice_off", undefined],
      [400, "validation_failed", "#/turns/order"],
      [404, "not_found", "#/voice/transcription/credential_id"],
    ]);
  });
});
