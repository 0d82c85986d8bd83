// The session of a refused first message goes only while nobody has used it.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { openAgentDesk } from "../agents/agent-desk.ts";
import { createdSession, reply, stubOf } from "../sessions/session.ts";

it("a session in which a reply has begun is not removed as an unused one", async () => {
  const init = await createdSession();
  await reply(init, "/say Hello.");
  expect(await stubOf(init).remove(init.created_at, true)).toMatchObject({
    refusal: { code: "conflict" },
  });
  expect(await stubOf(init).act("read")).toMatchObject({ ok: true });
});

it("a session in which nothing was said is", async () => {
  const init = await createdSession();
  expect(await stubOf(init).remove(init.created_at, true)).toEqual({ ok: true, value: null });
  expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
});

it("a deletion that is taken back shows the session again, and that of another request does not", async () => {
  const { tenantId, session } = await openAgentDesk();
  const { sessions } = tenantStorage(env.DB, tenantId);
  const deletedAt = "2026-01-01T00:00:00.000Z";
  await sessions.beginRemoval(session.id, deletedAt);
  await sessions.endRemoval(session.id, "2026-01-01T00:00:00.001Z");
  expect((await sessions.findRemoval(session.id))?.deleted_at).toBe(deletedAt);
  await sessions.endRemoval(session.id, deletedAt);
  expect(await sessions.findRemoval(session.id)).toBe(null);
});
