// The shared state over HTTP: what is refused and how, versions as ETags, and who may read and change it.
import { beforeAll, describe, expect, it } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { SharedState } from "../../../protocol/shared-state/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import {
  MAX_PATCH_OPERATIONS,
  MAX_SHARED_STATE_BYTES,
} from "../../../protocol/shared-state/limits.ts";
import { ask, makeAgent, openSession, refusalOf, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";

let call: Call;
let session: string;
let path: string;

beforeAll(async () => {
  const opened = await openSession();
  call = opened.call;
  session = opened.path;
  path = `${session}/shared-state`;
});

function patch(json: unknown, more: Call = call) {
  return ask("PATCH", path, { ...more, json });
}

function add(value: unknown, at = "/a") {
  return { op: "add", path: at, value };
}

async function isUnchangedBy(refusing: () => Promise<unknown>): Promise<[boolean, unknown]> {
  const before = await ask("GET", path, call);
  const refused = await refusing();
  const after = await ask("GET", path, call);
  return [before.text === after.text, refused];
}

describe("a patch", () => {
  it("is answered with the state after it, whose version is its ETag", async () => {
    const { path: own, call: owner } = await openSession();
    const empty = await ask<SharedState>("GET", `${own}/shared-state`, owner);
    const json = [add({ b: [] }), add(1, "/a/b/-")];
    const changed = await ask<SharedState>("PATCH", `${own}/shared-state`, { ...owner, json });
    const read = await ask<SharedState>("GET", `${own}/shared-state`, owner);

    expect([empty.status, empty.headers.get("ETag"), empty.json]).toEqual([
      200,
      '"0"',
      { state: {}, version: 0, cursor: 0 },
    ]);
    expect([changed.status, changed.headers.get("ETag"), changed.json]).toEqual([
      200,
      '"1"',
      { state: { a: { b: [1] } }, version: 1, cursor: 1 },
    ]);
    expect(read.json).toEqual(changed.json);
    const events = await ask<Page<LoggedEvent>>("GET", `${own}/events?after=0`, owner);
    expect(events.json.data).toMatchObject([
      { type: "CUSTOM", name: "shared_state_updated", value: { patch: json, version: 1 }, seq: 1 },
    ]);
    expect(events.json.data[0]).not.toHaveProperty("reply_id");
  });

  it.each<[string, unknown, number, string, string]>([
    ["no list", {}, 400, "validation_failed", "#"],
    ["an empty list", [], 400, "validation_failed", "#"],
    ["an unknown operation", [{ op: "inc", path: "/a" }], 400, "validation_failed", "#/0/op"],
    ["no value", [{ op: "add", path: "/a" }], 400, "validation_failed", "#/0/value"],
    ["no pointer", [add(1), add(1, "a")], 400, "validation_failed", "#/1/path"],
    ["__proto__", [add(1, "/__proto__/x")], 400, "validation_failed", "#/0/path"],
    ["a constructor within", [add({ constructor: 1 })], 400, "validation_failed", "#/0/value"],
    [
      "too many operations",
      Array(MAX_PATCH_OPERATIONS + 1).fill(add(1)),
      400,
      "validation_failed",
      "#",
    ],
    [
      "a failing test",
      [add(1), { op: "test", path: "/a", value: 2 }],
      409,
      "state_conflict",
      "#/1",
    ],
    ["nothing to remove", [{ op: "remove", path: "/none" }], 409, "state_conflict", "#/0"],
    ["a list for a state", [add([], "")], 422, "state_invalid", "#"],
    ["a large state", [add("x".repeat(MAX_SHARED_STATE_BYTES))], 422, "state_invalid", "#"],
  ])("with %s is refused and changes nothing", async (_, json, status, code, pointer) => {
    const [isUnchanged, refused] = await isUnchangedBy(async () => refusalOf(await patch(json)));

    expect(refused).toEqual({ status, code, pointers: [pointer] });
    expect(isUnchanged).toBe(true);
  });

  it("that is nested too deeply, or no JSON of ours, is not read", async () => {
    const deep = `[{"op":"add","path":"/a","value":${"[".repeat(63)}${"]".repeat(63)}}]`;
    const headers = { "Content-Type": "application/json" };
    const asText = { "Content-Type": "text/plain" };

    expect(refusalOf(await ask("PATCH", path, { ...call, headers, body: deep })).code).toBe(
      "input_too_deep",
    );
    expect(refusalOf(await ask("PATCH", path, { ...call, headers: asText, body: "[]" })).code).toBe(
      "unsupported_media_type",
    );
  });

  it("with If-Match is made at that version alone", async () => {
    const { json: now } = await ask<SharedState>("GET", path, call);
    const at = (tag: string) => ({ ...call, headers: { "If-Match": tag } });
    const stale = await patch([add("stale")], at(`"${now.version + 1}"`));
    const fresh = await patch([add("fresh")], at(`"99", "${now.version}"`));
    const any = await patch([add("any")], at("*"));
    const [isUnchanged, wrong] = await isUnchangedBy(async () =>
      refusalOf(await patch([add("wrong")], at("3"))),
    );

    expect(refusalOf(stale)).toEqual({
      status: 412,
      code: "version_mismatch",
      pointers: undefined,
    });
    expect(stale.json).toMatchObject({ version: now.version });
    expect([fresh.status, any.status, any.headers.get("ETag")]).toEqual([
      200,
      200,
      `"${now.version + 2}"`,
    ]);
    expect([isUnchanged, wrong]).toEqual([
      true,
      { status: 400, code: "validation_failed", pointers: ["#/headers/if-match"] },
    ]);
  });
});

describe("a client token", () => {
  it("reads with `read`, and changes with `reply` beside it", async () => {
    const reader = await mintCall(session, call, { verbs: ["read"] });
    const speaker = await mintCall(session, call, { verbs: ["reply"] });
    const both = await mintCall(session, call, { verbs: ["read", "reply"] });
    const other = await mintCall((await openSession()).path, call, {}).catch(() => null);
    const outcomes = [];
    for (const by of [reader, speaker, both]) {
      outcomes.push([(await ask("GET", path, by)).status, (await patch([add("by")], by)).status]);
    }

    expect(outcomes).toEqual([
      [200, 403],
      [403, 403],
      [200, 200],
    ]);
    expect(refusalOf(await patch([add("by")], speaker)).code).toBe("verb_missing");
    expect(other).toBeNull();
  });
});

describe("an agent", () => {
  it("says what its model may do with the state, and keeps the tool's name free", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const shared_state = { enabled: true, schema };
    const agent = await makeAgent(call, { name: "Desk", shared_state });
    const tool = { type: "external", name: "update_shared_state" };
    const refused = await ask("POST", "/v1/agents", {
      ...call,
      json: { name: "X", tools: [tool] },
    });
    const odd = { name: "X", shared_state: { enabled: true, schema: { type: "array" } } };

    expect(agent.shared_state).toEqual(shared_state);
    expect(refusalOf(refused)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/tools"],
    });
    expect(refusalOf(await ask("POST", "/v1/agents", { ...call, json: odd })).pointers).toEqual([
      "#/shared_state/schema",
    ]);
  });
});
