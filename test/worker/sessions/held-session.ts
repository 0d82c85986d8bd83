// A session on a real object's storage whose `sync` the test holds in its hand.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { assembleSession } from "../../../durable-objects/sessions/assemble-session.ts";
import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import { wakeSession } from "../../../durable-objects/sessions/wake-session.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { writeSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import { sessionInit } from "./session-init.ts";

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface HeldSession {
  readonly session: OpenSession;
  readonly state: DurableObjectState;
  /** While true, nothing becomes durable. */
  readonly hold: (isHeld: boolean) => void;
  /** Lets everything that was written become durable. */
  readonly release: () => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
  readonly aborts: string[];
}

export function withHeldSession(
  agent: object,
  test: (held: HeldSession) => Promise<void>,
  bindings: Partial<Env> = {},
): Promise<void> {
  const init = sessionInit(agent);
  return runInDurableObject(env.SESSION.getByName(init.session_id), async (_, state) => {
    migrate(state.storage);
    writeSessionInit(state.storage.sql, init);
    let isHeld = false;
    const waiting: Waiting[] = [];
    const aborts: string[] = [];
    const storage = proxied(state.storage, {
      sync: () =>
        isHeld
          ? new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
          : state.storage.sync(),
    });
    const ctx = proxied(state, { storage, abort: (reason: string) => aborts.push(reason) });
    const session = assembleSession(ctx, { ...env, ...bindings }, init);
    await test({
      session,
      state,
      aborts,
      hold: (value) => (isHeld = value),
      release: async () => {
        for (const { resolve } of waiting.splice(0)) resolve();
        await pauseMs(5);
      },
      fail: async (error) => {
        for (const { reject } of waiting.splice(0)) reject(error);
        await pauseMs(5);
      },
    });
    closeSession(session);
  });
}

/** The session as its next object finds it. */
export async function wokenSession(
  state: DurableObjectState,
  init: SessionInit,
  bindings: Partial<Env> = {},
): Promise<OpenSession> {
  const session = assembleSession(state, { ...env, ...bindings }, init);
  await wakeSession(session);
  return session;
}

function proxied<Target extends object>(target: Target, own: object): Target {
  return new Proxy(target, {
    get(_, key) {
      if (key in own) return Reflect.get(own, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The promise's value, or "pending" when it has none after a while. */
export function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | "pending"> {
  return Promise.race([promise, pauseMs(ms).then(() => "pending" as const)]);
}
