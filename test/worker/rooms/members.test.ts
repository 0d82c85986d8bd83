// Members of a room: joining, leaving, bounds, tokens, and the end of a room.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";

import type { SessionPage } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { mocked, mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  CALL,
  initOf,
  objectOf,
  openRoom,
  readRoom,
  roomOf,
  saidIn,
  say,
  sessionMessages,
  stepsOf,
  valueOf,
} from "./room-desk.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

const counted: MockModel["decide"] = ({ model: name }, number) => `${name} ${number}`;

async function textsOf(call: Parameters<typeof sessionMessages>[0], sessionId: string) {
  return (await sessionMessages(call, sessionId)).map(({ name, content }) => {
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return `${name}: ${text}`;
  });
}

describe("a participant who joins", () => {
  it("is told all of what was said, or nothing of it, and has turns", async () => {
    model = mockModel(counted);
    const desk = await openRoom({ agents: ["alpha"] });
    await say(desk, "Begin.");
    await atRest(desk);
    const delta = await makeAgent(desk.call, { name: "delta", model: mocked("delta") });
    const late = await makeAgent(desk.call, { name: "late", model: mocked("late") });
    const joined = { kind: "agent", name: "delta", agent_id: delta.id } as const;
    valueOf(await desk.room.addParticipant({ participant: joined, history: "all" }));
    const again = valueOf(await desk.room.addParticipant({ participant: joined, history: "all" }));
    const other = { kind: "agent", name: "late", agent_id: late.id } as const;
    valueOf(await desk.room.addParticipant({ participant: other, history: "none" }));
    await say(desk, "Go on.");
    const { participants } = await atRest(desk);

    expect(again.participants.filter(({ name }) => name === "delta")).toHaveLength(1);
    const session = (name: string) => participants.find((one) => one.name === name)?.session_id;
    expect(await textsOf(desk.call, session("delta")!)).toEqual([
      "Mia: Begin.",
      "alpha: alpha 1",
      "Mia: Go on.",
      "alpha: alpha 2",
      "delta: delta 1",
      "late: late 1",
    ]);
    expect((await textsOf(desk.call, session("late")!)).slice(0, 2)).toEqual([
      "Mia: Go on.",
      "alpha: alpha 2",
    ]);
    expect((await stepsOf(desk)).filter((step) => step === "team_updated")).toHaveLength(3);
  });

  it("needs a name of its own, and an agent that is there", async () => {
    const desk = await openRoom({ agents: ["alpha"] });
    const agent_id = desk.agents["alpha"]!;
    const join = async (name: string, id: string) =>
      desk.room.addParticipant({
        participant: { kind: "agent", name, agent_id: id },
        history: "all",
      });

    expect(await join("Mia", agent_id)).toMatchObject({ refusal: { code: "conflict" } });
    expect(await join("delta", "agt_none")).toMatchObject({
      refusal: { code: "validation_failed" },
    });
    expect((await readRoom(desk)).participants.map(({ name }) => name)).toEqual([
      "alpha",
      "Mia",
      "Ben",
    ]);
  });
});

describe("a participant who leaves", () => {
  it("in its turn ends the turn, and is told nothing more", async () => {
    model = mockModel((request, number) =>
      request.model === "alpha" ? { hangs: true } : counted(request, number),
    );
    const desk = await openRoom({ agents: ["alpha", "beta"] });
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    valueOf(await desk.room.removeParticipant("alpha"));
    await atRest(desk);
    await say(desk, "Go on.");
    const { participants } = await atRest(desk);

    expect(await saidIn(desk)).toEqual([
      "Mia: Begin.",
      "beta: beta 1",
      "Mia: Go on.",
      "beta: beta 2",
    ]);
    expect(await stepsOf(desk)).toContain("room_turn_ended alpha left");
    const [alpha] = participants;
    expect(alpha).toMatchObject({ name: "alpha", status: "left" });
    expect(await textsOf(desk.call, alpha!.session_id!)).not.toContain("Mia: Go on.");
    expect(await desk.room.removeParticipant("alpha")).toMatchObject({
      refusal: { code: "not_found" },
    });
  });
});

describe("bounds of a discussion", () => {
  it("end it by name: rounds, tokens, time", async () => {
    model = mockModel((request, number) =>
      request.model === "slow" ? { hangs: true } : counted(request, number),
    );
    const turns = { order: "sequential", rounds: 5 };
    const reasons: unknown[] = [];
    for (const bounds of [{ max_rounds: 2 }, { max_tokens: 20 }]) {
      const desk = await openRoom({ agents: ["alpha", "beta"], turns, bounds });
      await say(desk, "Begin.");
      reasons.push((await atRest(desk)).last_end?.reason);
    }
    const desk = await openRoom({ agents: ["slow"], turns, bounds: { max_ms: 1_000 } });
    await say(desk, "Begin.");
    reasons.push((await atRest(desk)).last_end?.reason);

    expect(reasons).toEqual(["max_rounds", "max_tokens", "timeout"]);
  });

  it("can be changed, and hold from then on", async () => {
    model = mockModel(counted);
    const turns = { order: "sequential", rounds: 5 };
    const desk = await openRoom({ agents: ["alpha"], turns });
    const changed = valueOf(await desk.room.update({ title: "Talk", bounds: { max_rounds: 1 } }));
    await say(desk, "Begin.");

    expect([changed.title, changed.max_rounds]).toEqual(["Talk", 1]);
    expect((await atRest(desk)).last_end?.reason).toBe("max_rounds");
  });
});

describe("a room", () => {
  it("that is created again is the same one", async () => {
    const desk = await openRoom({ agents: ["alpha"], announcement: "Hello." });
    const before = await atRest(desk);
    const again = valueOf(await desk.room.create(desk.init));

    expect(again.participants).toEqual(before.participants);
    expect((await stepsOf(desk)).filter((step) => step === "message_added")).toHaveLength(1);
  });

  it("that a quota refuses leaves no session behind", async () => {
    const desk = await openRoom({ agents: ["alpha", "beta"] });
    await changeTenant(desk.tenantId, { quotas: { sessions: 3 } });
    const init = initOf(desk.tenantId, desk.agents, {});
    const refused = await roomOf(init).create(init);
    const { json: listed } = await ask<SessionPage>("GET", "/v1/sessions?limit=100", desk.call);

    expect(refused).toMatchObject({ refusal: { code: "quota_exceeded" } });
    expect(await roomOf(init).read()).toMatchObject({ refusal: { code: "not_found" } });
    expect(listed.data).toHaveLength(2);
  });

  it("that is deleted ends what runs, and takes its sessions along", async () => {
    model = mockModel(() => ({ hangs: true }));
    const desk = await openRoom();
    await say(desk, "Begin.");
    await expect.poll(() => model?.requests.length).toBe(1);
    const { participants } = await readRoom(desk);
    valueOf(await desk.room.remove());
    const { json } = await ask<SessionPage>("GET", "/v1/sessions?limit=100", desk.call);
    const reads = await Promise.all(
      participants.flatMap(({ session_id }) =>
        session_id ? [ask("GET", `/v1/sessions/${session_id}`, desk.call)] : [],
      ),
    );

    expect(json.data).toEqual([]);
    expect(reads.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await desk.room.read()).toMatchObject({ refusal: { code: "not_found" } });
    expect(await desk.room.remove()).toMatchObject({ refusal: { code: "not_found" } });
    expect(await desk.room.postMessage({ content: "Hm?" }, CALL)).toMatchObject({ ok: false });
  });

  it("has tokens that speak as one person, until they are revoked", async () => {
    const desk = await openRoom({ agents: ["alpha"] });
    const token = {
      id: "tok_01kaj2vf3h8m2p6r0t4w7y1a5c",
      verbs: ["read", "reply"] as const,
      participant: "Mia",
      expires_at: new Date(Date.now() + 60_000).toISOString(),
      created_at: new Date().toISOString(),
      key_id: "key_1",
      allowed_origins: null,
    };
    valueOf(await desk.room.addToken(token));
    const listed = valueOf(await desk.room.listTokens({ limit: 10 }));
    const before = await desk.room.admitsToken(token.id);
    const url = `https://session/stream?after=0&follow=session&token_id=${token.id}`;
    const stream = await desk.room.fetch(url);
    valueOf(await desk.room.revokeToken(token.id));

    expect(listed.data).toMatchObject([{ id: token.id, participant: "Mia", verbs: token.verbs }]);
    expect([before, await desk.room.admitsToken(token.id)]).toEqual([true, false]);
    // The stream ends, before a reader has taken anything.
    expect(await stream.text()).toBe("retry: 1000\n\n");
    expect(await desk.room.addToken({ ...token, participant: "alpha" })).toMatchObject({
      refusal: { code: "validation_failed" },
    });
  });
});

describe("a room whose state cannot be read", () => {
  it("is still erased, with its sessions", async () => {
    const desk = await openRoom({ agents: ["alpha"] });
    await runInDurableObject(objectOf(desk.init), (_, { storage }) => {
      storage.sql.exec("UPDATE room SET state = '{'");
    });
    await evictDurableObject(objectOf(desk.init));
    expect(await desk.room.read()).toMatchObject({ refusal: { code: "session_unreadable" } });
    valueOf(await desk.room.remove());
    const { json } = await ask<SessionPage>("GET", "/v1/sessions?limit=100", desk.call);

    expect(json.data).toEqual([]);
    expect(await desk.room.read()).toMatchObject({ refusal: { code: "not_found" } });
  });
});
