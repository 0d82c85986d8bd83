// Many readers of one object over WebSockets: what they are sent together is bounded, and nobody loses anything by that.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { MAX_READERS_BYTES } from "../../../protocol/events/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession, send, type Call } from "../support/api.ts";
import { openSocket } from "../support/event-socket.ts";

const READERS = 40;
/** Messages that are together longer than a reader's share. */
const MESSAGES = 10;
const MESSAGE_CHARACTERS = 100_000;

async function tell(path: string, call: Call): Promise<void> {
  for (let number = 1; number <= MESSAGES; number += 1) {
    const content = `${number} `.padEnd(MESSAGE_CHARACTERS, "word ");
    await ask("POST", `${path}/observe`, { ...call, json: { messages: [{ content }] } });
  }
}

test("forty readers that read nothing are sent 32 MB together, with one event more each", async () => {
  const { tenantId, session, path, call } = await openSession();
  const upgrade = { Upgrade: "websocket", "Sec-WebSocket-Protocol": "reprise.events.v1" };
  const unread = await Promise.all(
    Array.from({ length: READERS }, async () => {
      const options = { ...call, headers: upgrade };
      // A socket that is never accepted reads nothing, and answers no close.
      return (await send("GET", `${path}/events?follow=session`, options)).webSocket;
    }),
  );
  await tell(path, call);
  const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const sentBytes = () =>
    runInDurableObject(object, (_, state) =>
      state
        .getWebSockets()
        .map((socket) => (socket.deserializeAttachment() as { readonly sent: number }).sent),
    );
  await waitFor(async () => {
    const least = Math.min(...(await sentBytes()));
    expect(least).toBeGreaterThanOrEqual(MAX_READERS_BYTES / READERS);
  });
  const sent = await sentBytes();

  expect(sent).toHaveLength(READERS);
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(
    MAX_READERS_BYTES + READERS * (MESSAGE_CHARACTERS + 1_000),
  );
  for (const socket of unread) socket?.accept();
});

test("readers that were sent their share go on with their cursors to the end, without a gap", async () => {
  const { path, call } = await openSession();
  const open = (after: number) => openSocket(`${path}/events?follow=session&after=${after}`, call);
  const readers = await Promise.all(Array.from({ length: READERS }, () => open(0)));
  await tell(path, call);
  const ended = await Promise.all(
    readers.map(async (reader) => {
      const hasAll = reader.until(() => reader.seqs().length === MESSAGES).then(() => null);
      return Promise.race([reader.closed, hasAll]);
    }),
  );
  const seqs = await Promise.all(
    readers.map(async (reader) => {
      const before = reader.seqs();
      const next = await open(before.at(-1) ?? 0);
      await next.until(() => before.length + next.seqs().length === MESSAGES);
      next.leave();
      return [...before, ...next.seqs()];
    }),
  );

  const closes = ended.filter((close) => close !== null);
  expect(closes.length).toBeGreaterThan(0);
  expect(closes).toEqual(closes.map(() => [1012, "unavailable"]));
  const all = Array.from({ length: MESSAGES }, (_, index) => index + 1);
  expect(seqs).toEqual(seqs.map(() => all));
});
