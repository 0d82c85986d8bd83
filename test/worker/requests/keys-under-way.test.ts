// A request that comes again under its Idempotency-Key while the first one is still at work.
import { expect, it } from "vitest";

import { performAct } from "../../../durable-objects/acts/perform-act.ts";
import type { ReplyStart } from "../../../durable-objects/api/session-api.ts";
import { eventsBetween } from "../../../durable-objects/sessions/replay-events.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { repliesIn } from "../replies/queued.ts";
import { valueOf } from "../sessions/session.ts";

const KEY = { key: "createReply k", fingerprint: "f" };
const URGENT: ReplyStart = { input: "/say urgent", on_busy: "interrupt" };

it("a reply that interrupts another is started once, however often it is asked for meanwhile", () =>
  withHeldSession({}, async ({ session, hold, release }) => {
    const slow = { input: "/rate 50\n/words 20000", on_busy: "reject" } as const;
    const running = valueOf(await session.queue.start(slow));
    hold(true);
    const first = performAct(session, "startReply", URGENT, { idempotency: KEY });
    const again = performAct(session, "startReply", URGENT, { idempotency: KEY });
    const other = performAct(session, "startReply", URGENT, {
      idempotency: { ...KEY, fingerprint: "g" },
    });
    hold(false);
    await release();
    const urgent = valueOf(await first);
    const later = await performAct(session, "startReply", URGENT, { idempotency: KEY });
    await session.queue.read(urgent.id, 60_000);

    expect(await Promise.all([again, other])).toMatchObject([
      { ok: false, refusal: { code: "idempotency_in_flight" } },
      { ok: false, refusal: { code: "idempotency_key_reused" } },
    ]);
    expect(later).toMatchObject({ ok: true, value: { id: urgent.id }, is_replayed: true });
    const events = [...eventsBetween(session, 0, session.log.visibleSeq)];
    expect(repliesIn(events)).toEqual([
      [running.id, "interrupted"],
      [urgent.id, "completed"],
    ]);
  }));

it("a request that was refused leaves its key to be used again", () =>
  withHeldSession({}, async ({ session }) => {
    const slow = { input: "/rate 50\n/words 20000", on_busy: "reject" } as const;
    await session.queue.start(slow);
    const busy = { ...URGENT, on_busy: "reject" } as const;
    const refused = await performAct(session, "startReply", busy, { idempotency: KEY });
    await session.runner.interrupt();
    const taken = await performAct(session, "startReply", busy, { idempotency: KEY });

    expect([refused, taken]).toMatchObject([
      { ok: false, refusal: { code: "reply_running" } },
      { ok: true, value: { status: "running" } },
    ]);
    expect(taken).not.toHaveProperty("is_replayed");
  }));
