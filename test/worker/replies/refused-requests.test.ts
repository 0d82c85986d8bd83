// Traces of a refused request, and a clash of shell and settings.
import { describe, expect, it } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, openSession } from "../support/api.ts";
import { withHeldSession, pauseMs } from "../sessions/held-session.ts";
import { openStream } from "../../../durable-objects/open-stream.ts";
import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";

describe("a request that is refused", () => {
  it("does not move the session to another version of its agent", async () => {
    const { path, call, agent } = await openSession({ name: "Before" });
    await ask("PATCH", path, { ...call, json: { agent_version: "latest" } });
    const running = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "/rate 50\n/words 20000", background: true },
    });
    expect(running.status).toBe(202);
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "After" } });
    const before = (await ask<Session>("GET", path, call)).json.agent_version;
    const refused = await ask("POST", `${path}/replies`, { ...call, json: { input: "hi" } });
    expect(refused.status).toBe(409);
    const after = (await ask<Session>("GET", path, call)).json.agent_version;
    await ask("POST", `${path}/interrupt`, call);

    expect(after).toBe(before);
  });
});

describe("a stream whose storage fails", () => {
  it("gives its place back", () =>
    withHeldSession({}, async ({ session, state }) => {
      // Longer than what the log keeps in memory: the stream has to read a row.
      const input = `/rate 50\n/words 20000${" ".repeat(5_000)}`;
      await session.queue.start({ input, on_busy: "reject" });
      await pauseMs(20);
      const opened = openStream(session, parseStreamRequest(`${STREAM_URL}?after=0`));
      if (!opened.ok || !opened.value) throw new Error("no stream");
      const reader = opened.value.getReader();
      await reader.read();
      state.storage.sql.exec("ALTER TABLE events RENAME TO away");
      await reader.read().catch(() => undefined);
      const { count } = session.subscribers;
      state.storage.sql.exec("ALTER TABLE away RENAME TO events");
      await session.runner.interrupt();

      expect(count).toBe(0);
    }));
});

describe("the watch timer", () => {
  it("stays while the outbox holds something, though a reply ends while it is being looked at", () =>
    withHeldSession({}, async ({ session, state, hold, release }) => {
      await session.queue.start({ input: "/rate 50\n/words 20000", on_busy: "reject" });
      await pauseMs(20);
      hold(true);
      const watching = session.queue.runWatchdog();
      // As a runner does whose last append comes a microtask later.
      queueMicrotask(() => void session.runner.interrupt());
      await watching;
      const count = (table: string) =>
        state.storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n;
      const left = { outbox: count("outbox"), timers: count("timers") };
      hold(false);
      await release();

      expect(left).toEqual({ outbox: 1, timers: 1 });
    }));
});
