// The key itself: its form, whose it is, and what uses it up.
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, makeTenant, openSession, refusalOf, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { keyed } from "../support/keyed.ts";

async function countReplies(path: string, call: Call): Promise<number> {
  return (await ask<Page<Reply>>("GET", `${path}/replies`, call)).json.data.length;
}

describe("a key", () => {
  test.each([
    ["empty", ""],
    ["with a space", "order 1"],
    ["with a control character", "order\t1"],
    ["too long", "k".repeat(256)],
    ["an empty quoted string", '""'],
  ])("that is %s is refused, and nothing is done", async (_, key) => {
    const { call, path } = await openSession();
    const refused = await ask("POST", `${path}/replies`, {
      ...keyed(call, key),
      json: { input: "/say hello" },
    });

    expect([refusalOf(refused), await countReplies(path, call)]).toEqual([
      { status: 400, code: "validation_failed", pointers: ["#/headers/idempotency-key"] },
      0,
    ]);
  });

  test("in quotes is the same as without", async () => {
    const { call, path } = await openSession();
    const json = { input: "/say hello", background: true };
    const first = await ask<Reply>("POST", `${path}/replies`, {
      ...keyed(call, 'a"b\\c'),
      json,
    });
    const second = await ask<Reply>("POST", `${path}/replies`, {
      ...keyed(call, '"a\\"b\\\\c"'),
      json,
    });

    expect([second.json, second.headers.get("Idempotent-Replayed")]).toEqual([first.json, "true"]);
  });

  test("belongs to its tenant and to its path", async () => {
    const [one, other] = [await openSession(), await openSession()];
    const json = { name: "Front desk" };
    const agents = await Promise.all(
      [one, other].map(({ call }) => ask("POST", "/v1/agents", { ...keyed(call), json })),
    );
    const observed = await ask("POST", `${one.path}/observe`, {
      ...keyed(one.call),
      json: { messages: "hi" },
    });
    const replied = await ask("POST", `${one.path}/replies`, {
      ...keyed(one.call),
      json: { input: "/say hello" },
    });

    const answers = [...agents, observed, replied];
    expect(
      answers.map(({ status, headers }) => [status, headers.get("Idempotent-Replayed")]),
    ).toEqual([
      [201, null],
      [201, null],
      [201, null],
      [200, null],
    ]);
  });

  test("is not used up by a request that was refused", async () => {
    const { call, path } = await openSession();
    const send = (json: object) => ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    const running = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "/rate 20\n/words 20000", background: true },
    });
    const refused = await send({ input: "/say hello" });
    await ask("POST", `${path}/interrupt`, call);
    const taken = await send({ input: "/say hello" });
    const agent = await ask("POST", "/v1/agents", { ...keyed(call), json: { nam: "x" } });
    const corrected = await ask("POST", "/v1/agents", { ...keyed(call), json: { name: "x" } });

    expect([running, refused, taken, agent, corrected].map(({ status }) => status)).toEqual([
      202, 409, 200, 400, 201,
    ]);
  });

  test("shows its answer to nobody who has other rights", async () => {
    const { call } = await makeTenant();
    const json = { name: "Front desk" };
    const made = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["agents:write"] },
    });
    await ask("POST", "/v1/agents", { ...keyed(call), json });
    const other = await ask("POST", "/v1/agents", { ...keyed({ key: made.json.api_key }), json });

    expect(refusalOf(other)).toMatchObject({ status: 422, code: "idempotency_key_reused" });
  });

  test("of a client token outlives the token", async () => {
    const { call, path } = await openSession();
    const json = { input: "/say hello", background: true };
    const [old, renewed] = [
      await mintCall(path, call, { verbs: ["reply"] }),
      await mintCall(path, call, { verbs: ["reply"] }),
    ];
    const first = await ask<Reply>("POST", `${path}/replies`, { ...keyed(old), json });
    const second = await ask<Reply>("POST", `${path}/replies`, { ...keyed(renewed), json });

    expect([second.json, await countReplies(path, call)]).toEqual([first.json, 1]);
  });

  test("is ignored by a POST that only asks", async () => {
    const { call, path } = await openSession({
      name: "Desk",
      tools: [{ type: "external", name: "print_label" }],
    });
    const answers = [];
    for (const tool_name of ["print_label", "print_label", "print_label"]) {
      answers.push(
        await ask("POST", `${path}/permission-rules/test`, {
          ...keyed(call),
          json: { tool_name, input: { n: answers.length } },
        }),
      );
    }

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe("while D1 is down", () => {
  const down = new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return () => {
        throw new Error("D1_ERROR: Network connection lost.");
      };
    },
  });

  test("a session keeps its keys all the same, and what needs D1 is not done", async () => {
    for (const log of [vi.spyOn(console, "error"), vi.spyOn(console, "warn")]) {
      log.mockImplementation(() => {});
      onTestFinished(() => log.mockRestore());
    }
    const { call, path } = await openSession();
    const bindings = { ...env, DB: down };
    const json = { input: "/say hello", background: true };
    const reply = () => ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json, bindings });
    const [first, second] = [await reply(), await reply()];
    const agent = (more: Call) =>
      ask("POST", "/v1/agents", { ...keyed(call), json: { name: "x" }, ...more });
    const refused = await agent({ bindings });
    const taken = await agent({});

    expect([first.status, second.json, second.headers.get("Idempotent-Replayed")]).toEqual([
      202,
      first.json,
      "true",
    ]);
    expect([refusalOf(refused).code, taken.status]).toEqual(["unavailable", 201]);
  });
});
