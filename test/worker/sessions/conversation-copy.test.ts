// Forks at the object: what a copy leaves when it comes to no end, and what it takes along.
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { copyConversation } from "../../../durable-objects/sessions/conversation-copy.ts";
import { hasSchema } from "../../../durable-objects/tables/schema.ts";
import type { SessionFork, SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { COPY_BATCH_BYTES } from "../../../protocol/sessions/limits.ts";
import { rowsOf } from "../confirmations/parked.ts";
import { sessionInit } from "./session-init.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  readState,
  stubOf,
  valueOf,
} from "./session.ts";

const ACTOR = {
  kind: "api_key",
  id: "key_1",
  may_write_rules: true,
  may_take_rules: true,
  may_edit: true,
  must_prove_input: false,
} as const;

async function observe(init: SessionInit, ...contents: readonly string[]): Promise<void> {
  const messages = contents.map((content, index) => {
    return { id: `note-${index}`, content, name: "shop", role: "user" as const, metadata: {} };
  });
  valueOf(await stubOf(init).act("observe", messages));
}

async function forkOf(source: SessionInit): Promise<SessionFork> {
  const read = valueOf(await stubOf(source).act("readForkSource"));
  const { cursor, message_id, init, rules, ability_states } = read;
  const { session_id } = sessionInit();
  const forked_from = { session_id: source.session_id, message_id, cursor };
  return { init: { ...init, session_id, forked_from }, rules, ability_states, actor: ACTOR };
}

async function messagesOf(init: SessionInit): Promise<readonly Msg[]> {
  return valueOf(await listMessages(init, { limit: 100 })).data;
}

function tablesOf(init: SessionInit): Promise<readonly unknown[]> {
  return runInDurableObject(objectOf(init), (_, { storage }) =>
    storage.sql
      .exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray(),
  );
}

/** A copy whose source is lost after its first batch. */
async function halfCopy(fork: SessionFork): Promise<void> {
  let asked = 0;
  const source = { ...fork.init, session_id: fork.init.forked_from.session_id };
  const dying = {
    readForkMessages(after: number, upTo: number) {
      asked += 1;
      if (asked > 1) throw new Error("the source is lost");
      return stubOf(source).readForkMessages(after, upTo);
    },
  };
  const broken = { ...env, SESSION: { getByName: () => dying } } as unknown as Env;
  await runInDurableObject(objectOf(fork.init), async (_, state) => {
    await expect(copyConversation(state, broken, fork)).rejects.toThrow("the source is lost");
  });
}

function hasEvents({ sql }: DurableObjectStorage): boolean {
  return hasSchema(sql) && sql.exec("SELECT 1 FROM events").toArray().length > 0;
}

describe("a fork", () => {
  test("that was cut off is no session, and its alarm erases it", async () => {
    const source = await createdSession();
    const big = "x".repeat(COPY_BATCH_BYTES);
    await observe(source, big, big, "last");
    const fork = await forkOf(source);
    await halfCopy(fork);
    await abortAllDurableObjects();

    const read = await stubOf(fork.init).act("read");
    const isErased = await runDurableObjectAlarm(objectOf(fork.init));

    expect(read).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    expect([isErased, await tablesOf(fork.init)]).toEqual([true, []]);
    expect((await messagesOf(source)).length).toBe(3);
  });

  test("without messages that was cut off is erased by its alarm, with the states that it has brought", async () => {
    const source = await createdSession();
    const patch = [{ op: "add" as const, path: "/secret", value: "kept" }];
    valueOf(await stubOf(source).act("patchSharedState", { patch }));
    const fork = await forkOf(source);
    await runInDurableObject(objectOf(fork.init), async (_, state) => {
      const dying = new Proxy(state.storage, {
        get(target, key) {
          if (key === "transactionSync" && hasEvents(target))
            throw new Error("the machine is lost");
          const value: unknown = Reflect.get(target, key);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      const ctx = new Proxy(state, {
        get: (target, key) => (key === "storage" ? dying : Reflect.get(target, key)),
      });
      await expect(copyConversation(ctx, env, fork)).rejects.toThrow("the machine is lost");
    });
    await abortAllDurableObjects();

    expect(await runDurableObjectAlarm(objectOf(fork.init))).toBe(true);
    expect(await tablesOf(fork.init)).toEqual([]);
  });

  test("that was cut off begins anew, and then holds each message once", async () => {
    const source = await createdSession();
    const big = "x".repeat(COPY_BATCH_BYTES);
    await observe(source, big, big, "last");
    const fork = await forkOf(source);
    await halfCopy(fork);

    const made = valueOf(await stubOf(fork.init).createFork(fork));

    expect([made.cursor, made.forked_from]).toEqual([3, fork.init.forked_from]);
    expect(await messagesOf(fork.init)).toEqual(await messagesOf(source));
    expect((await allEvents(fork.init)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    // D1 is to list it, and to be told its size.
    const timers = await rowsOf(fork.init, "SELECT kind FROM timers ORDER BY kind");
    expect(timers).toEqual([{ kind: "listing" }, { kind: "watch" }]);
  });

  test("survives its object, and takes replies", async () => {
    const source = await createdSession();
    await observe(source, "The order is A-1001.");
    const fork = await forkOf(source);
    valueOf(await stubOf(fork.init).createFork(fork));
    await abortAllDurableObjects();

    const started = valueOf(
      await stubOf(fork.init).act("startReply", { input: "Hi", on_busy: "reject" }),
    );
    const reply = valueOf(
      await stubOf(fork.init).act("readReply", { reply_id: started.id, wait_ms: 60_000 }),
    );

    expect(reply.status).toBe("completed");
    expect((await messagesOf(fork.init)).map(({ id }) => id).slice(0, 1)).toEqual(["note-0"]);
  });

  test("of a session that is gone leaves nothing", async () => {
    const source = await createdSession();
    await observe(source, "Hello");
    const fork = await forkOf(source);
    valueOf(await stubOf(source).remove());

    const refused = await stubOf(fork.init).createFork(fork);

    expect(refused).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    expect(await tablesOf(fork.init)).toEqual([]);
  });

  test("goes into an object that was never created only", async () => {
    const [source, other] = [await createdSession(), await createdSession()];
    const fork = await forkOf(source);

    const refused = await stubOf(other).createFork({
      ...fork,
      init: { ...other, forked_from: fork.init.forked_from },
    });

    expect(refused).toMatchObject({ ok: false, refusal: { code: "conflict" } });
  });

  test("knows the ids of the calls that came with it", async () => {
    const tools = [
      { type: "http", name: "lookup_order", url: "http://tools.invalid/", read_only: true },
    ];
    const source = await createdSession({ tools });
    const { id } = valueOf(
      await stubOf(source).act("startReply", { input: "Where is A-1001?", on_busy: "reject" }),
    );
    const reply = valueOf(await stubOf(source).act("readReply", { reply_id: id, wait_ms: 60_000 }));
    const fork = await forkOf(source);
    valueOf(await stubOf(fork.init).createFork(fork));

    const calls = reply.message!.content.flatMap((block) =>
      block.type === "tool_call" ? [block.id] : [],
    );
    const known = await runInDurableObject(objectOf(fork.init), (_, { storage }) =>
      storage.sql.exec<{ id: string }>("SELECT id FROM tool_calls").toArray(),
    );
    expect(calls.length).toBe(1);
    expect(known).toEqual(calls.map((call) => ({ id: call })));
  });
});

describe("a state", () => {
  test("says when older messages were left out of it", async () => {
    const init = await createdSession();
    const large = "x".repeat(3_000_000);
    await observe(init, "first", large, large, large);

    const state = valueOf(await readState(init));

    expect([state.context_truncated, state.context.map(({ id }) => id)]).toEqual([
      true,
      ["note-2", "note-3"],
    ]);
  });
});
