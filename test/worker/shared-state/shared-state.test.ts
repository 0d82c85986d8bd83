// The state that a session's app and its agent share: whole or not at all, in the log, and the same after a crash.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { applyPatch } from "../../../agent/json/apply-patch.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { abilityStateOf } from "../../../protocol/ability-state.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { PatchOperation } from "../../../protocol/json-patch.ts";
import type {
  StateObject,
  SharedStateUpdatedValue,
} from "../../../protocol/shared-state/events.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import {
  confirmation,
  KEY,
  LOOK,
  parkedSession,
  post,
  withTools,
} from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { sessionInit } from "../sessions/session-init.ts";
import { BROAD } from "../../support/breadth.ts";

const NAME = "update_shared_state";
const WRITES = { shared_state: { enabled: true } };

function add(path: string, value: unknown): PatchOperation {
  return { op: "add", path, value };
}

function callOf(...patch: readonly PatchOperation[]): string {
  return `/call ${NAME} ${JSON.stringify({ patch })}`;
}

async function change(
  init: SessionInit,
  ...patch: readonly PatchOperation[]
): Promise<SharedState> {
  return valueOf(await stubOf(init).act("patchSharedState", { patch }));
}

async function read(init: SessionInit): Promise<SharedState> {
  return valueOf(await stubOf(init).act("readSharedState"));
}

function updatesOf(events: readonly LoggedEvent[]) {
  return events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "shared_state_updated" ? [event] : [],
  );
}

/** The state of a client that takes the log's snapshot, applies its patches and never asks. */
function folded(events: readonly LoggedEvent[]): { state: StateObject; version: number } {
  const [snapshot] = events.flatMap((event) => abilityStateOf(event) ?? []);
  let kept = (snapshot?.state ?? { state: {}, version: 0 }) as {
    state: StateObject;
    version: number;
  };
  for (const { value } of updatesOf(events)) {
    const { patch, version } = value as unknown as SharedStateUpdatedValue;
    expect(version).toBe(kept.version + 1);
    const outcome = applyPatch(kept.state, patch);
    if (!outcome.ok) throw new Error(outcome.detail);
    kept = { state: outcome.state, version };
  }
  return kept;
}

describe("a change by a client", () => {
  it("is one event under no reply, and is there after an eviction with the position that it is folded to", async () => {
    const init = await createdSession();
    const before = await read(init);
    const after = await change(init, { op: "test", path: "", value: {} }, add("/a", [1]));
    await evictDurableObject(objectOf(init));

    expect(before).toEqual({ state: {}, version: 0, cursor: 0 });
    expect(after).toEqual({ state: { a: [1] }, version: 1, cursor: 1 });
    expect(await read(init)).toEqual(after);
    const [event] = updatesOf(await allEvents(init));
    expect(event).toEqual({
      id: "evt_1",
      created_at: expect.any(String),
      metadata: {},
      type: "CUSTOM",
      name: "shared_state_updated",
      value: { patch: [add("/a", [1])], version: 1 },
      visibility: "user",
      seq: 1,
    });
  });

  it("that fails anywhere changes nothing and leaves no event", async () => {
    const init = await createdSession();
    const before = await change(init, add("/a", 1));
    const refused = await Promise.all([
      stubOf(init).act("patchSharedState", {
        patch: [add("/b", 1), { op: "test", path: "/a", value: 2 }],
      }),
      stubOf(init).act("patchSharedState", {
        patch: [add("/b", 1), { op: "replace", path: "", value: [] }],
      }),
      stubOf(init).act("patchSharedState", { patch: [add("/b", 1)], if_version: [0, 2] }),
    ]);

    expect(refused.map((result) => result.ok || result.refusal)).toEqual([
      {
        code: "state_conflict",
        detail: 'the test of "/a" failed: another value is there',
        errors: [{ pointer: "#/1", detail: 'the test of "/a" failed: another value is there' }],
        extensions: { version: 1 },
      },
      {
        code: "state_invalid",
        detail: "a state is an object",
        errors: [{ pointer: "#", detail: "a state is an object" }],
        extensions: { version: 1 },
      },
      {
        code: "version_mismatch",
        detail: "the state is at version 1",
        extensions: { version: 1 },
      },
    ]);
    expect(await read(init)).toEqual(before);
    expect(updatesOf(await allEvents(init))).toHaveLength(1);
  });

  it("to what is there already makes no version", async () => {
    const init = await createdSession();
    const before = await change(init, add("/a", { b: 1 }));

    expect(await change(init, { op: "replace", path: "/a", value: { b: 1 } })).toEqual(before);
    expect(await change(init, { op: "test", path: "/a/b", value: 1 })).toEqual(before);
  });

  it("of many at once is made by each in turn: of equal ones that test the same, one wins", async () => {
    const init = await createdSession();
    await change(init, add("/owner", null), add("/list", []));
    const claims = await Promise.all(
      ["kim", "lee", "max"].map((name) =>
        stubOf(init).act("patchSharedState", {
          patch: [{ op: "test", path: "/owner", value: null }, add("/owner", name)],
        }),
      ),
    );
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => change(init, add("/list/-", index))),
    );
    const { state, version } = await read(init);

    expect(claims.map(({ ok }) => ok).toSorted()).toEqual([false, false, true]);
    expect([...(state["list"] as number[])].toSorted((a, b) => a - b)).toEqual([
      ...Array(20).keys(),
    ]);
    expect(version).toBe(22);
    expect(folded(await allEvents(init))).toEqual({ state, version });
  });

  it("is held to the agent's schema, which what is there already need not fit", async () => {
    const schema = { type: "object", required: ["n"], properties: { n: { type: "integer" } } };
    const init = await createdSession({ shared_state: { enabled: false, schema } });

    expect(await stubOf(init).act("patchSharedState", { patch: [add("/m", 1)] })).toMatchObject({
      refusal: { code: "state_invalid" },
    });
    expect(await change(init, add("/n", 1))).toMatchObject({ state: { n: 1 }, version: 1 });
  });

  it("has no object to be made in", async () => {
    const init = sessionInit();
    const refusals = [
      await stubOf(init).act("readSharedState"),
      await stubOf(init).act("patchSharedState", { patch: [add("/a", 1)] }),
    ];

    expect(refusals.map((result) => !result.ok && result.refusal.code)).toEqual([
      "not_found",
      "not_found",
    ]);
  });
});

describe("a change by the agent", () => {
  it("is under its reply, in the commit of the call's result, and folds to what is read", async () => {
    const init = await createdSession(WRITES);
    await change(init, add("/items", []));
    const ended = await reply(init, `${callOf(add("/items/-", "lamp"))}\n/say done`);
    const events = await allEvents(init);

    expect(ended.status).toBe("completed");
    expect(await read(init)).toMatchObject({ state: { items: ["lamp"] }, version: 2 });
    expect(folded(events)).toEqual({ state: { items: ["lamp"] }, version: 2 });
    expect(updatesOf(events).map(({ reply_id }) => reply_id)).toEqual([undefined, ended.id]);
    const rows = await runInDurableObject(objectOf(init), (_, { storage }) =>
      storage.sql.exec<{ frames: ArrayBuffer }>("SELECT frames FROM events").toArray(),
    );
    const row = rows
      .map(({ frames }) => new TextDecoder().decode(frames))
      .find((text) => text.includes('"version":2}'));
    expect([...(row ?? "").matchAll(/^event: (.+)$/gm)].map(([, type]) => type)).toEqual([
      "TOOL_RESULT_START",
      "CUSTOM",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
    ]);
  });

  it("is made once, whichever moment the machine is lost at", BROAD, async () => {
    const init = await createdSession(WRITES);
    await change(init, add("/n", []));
    const turns = Array.from({ length: 6 }, (_, index) => callOf(add("/n/-", index)));
    const script = `/rate 200\n${turns.join("\n/words 20\n")}\n/say done`;
    const { id } = await startReply(init, script);
    for (let lost = 1; lost <= 3; lost += 1) {
      await readEvents(await openStream(init, "after=0"), (event) => {
        return event.type === "REPLY_END" || updatesOf([event])[0]?.value["version"] === 2 * lost;
      });
      await abortAllDurableObjects();
    }
    const ended = await readReply(init, id, 60_000);
    const { state, version } = await read(init);

    expect(ended.status).toBe("completed");
    expect({ state, version }).toEqual({ state: { n: [0, 1, 2, 3, 4, 5] }, version: 7 });
    expect(folded(await allEvents(init))).toEqual({ state, version });
  });

  it("and those of clients at the same time leave one history", BROAD, async () => {
    const init = await createdSession({ ...WRITES, max_iters: 30 });
    await change(init, add("/tool", []), add("/app", []));
    const turns = Array.from({ length: 10 }, (_, index) => callOf(add("/tool/-", index)));
    const { id } = await startReply(init, `/rate 500\n${turns.join("\n/words 5\n")}\n/say done`);
    for (let index = 0; index < 10; index += 1) {
      await change(init, add("/app/-", index));
    }
    await readReply(init, id, 60_000);
    const { state, version } = await read(init);

    const counted = [...Array(10).keys()];
    expect({ state, version }).toEqual({ state: { tool: counted, app: counted }, version: 21 });
    expect(folded(await allEvents(init))).toEqual({ state, version });
  });

  it("that a person has to allow is made over the state as it is then", async () => {
    const rule = { tool_name: NAME, rule_content: null, behavior: "ask", source: "x" };
    const permission = { mode: "default", rules: [rule] };
    const script = `${callOf(add("/list/-", 2))}\n/say done`;
    const { init, parked, call } = await parkedSession(script, { ...WRITES, permission });
    await change(init, add("/list", [1]));
    valueOf(await post(init, confirmation(parked.id, call)));
    await readReply(init, parked.id, 60_000);

    expect(await read(init)).toMatchObject({ state: { list: [1, 2] }, version: 2 });
  });

  it("is not offered to an agent that was not given the tool", async () => {
    const init = await createdSession();
    const ended = await reply(init, `${callOf(add("/a", 1))}\n/say done`);

    expect(ended.message?.content.filter(({ type }) => type === "tool_result")).toMatchObject([
      { name: NAME, state: "error" },
    ]);
    expect(await read(init)).toMatchObject({ state: {}, version: 0 });
  });
});

describe("the agent", () => {
  it("is told the state when a reply begins, and what a client has made of it meanwhile", () =>
    withTools(async () => {
      const gates = holdGates();
      const init = await createdSession({ tools: [LOOK] });
      await change(init, add("/a", 1));
      const { id } = await startReply(init, `/words 20\n${GATE}\n/call look {}\n/say done`);
      await readEvents(
        await openStream(init, "after=0"),
        ({ type }) => type === "TEXT_BLOCK_START",
      );
      await change(init, add("/a", 2));
      gates.release();
      const ended = await readReply(init, id, 60_000);

      expect(ended.message?.content.filter(({ type }) => type === "hint")).toMatchObject([
        { source: "shared_state", hint: expect.stringMatching(/ version 1\..*\{"a":1\}$/) },
        { source: "shared_state", hint: expect.stringMatching(/ version 2\..*\{"a":2\}$/) },
      ]);
    }));
});

describe("a session's state", () => {
  it("goes with a fork as its first version, and both go their own ways", async () => {
    const source = await createdSession();
    await reply(source, "/say hi");
    await change(source, add("/a", 1));
    await change(source, add("/b", 2));
    const fork = valueOf(await stubOf(source).act("readForkSource"));
    const { session_id } = sessionInit();
    const { message_id, cursor, rules, ability_states } = fork;
    const forked_from = { session_id: source.session_id, message_id, cursor };
    const init = { ...fork.init, session_id, forked_from };
    valueOf(await stubOf(init).createFork({ init, rules, ability_states, actor: KEY }));
    await change(source, add("/a", 3));

    expect(await read(init)).toMatchObject({ state: { a: 1, b: 2 }, version: 1 });
    expect(folded(await allEvents(init))).toEqual({ state: { a: 1, b: 2 }, version: 1 });
    expect(await change(init, add("/c", 4))).toMatchObject({ version: 2 });
    expect(await read(source)).toMatchObject({ state: { a: 3, b: 2 }, version: 3 });
  });

  it("is erased with it", async () => {
    const init = await createdSession();
    await change(init, add("/a", 1));
    await stubOf(init).remove();
    valueOf(await stubOf(init).create(init));

    expect(await read(init)).toEqual({ state: {}, version: 0, cursor: 0 });
  });
});
