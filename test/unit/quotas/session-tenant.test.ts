import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { SessionTenant } from "../../../durable-objects/tenants/session-tenant.ts";
import type {
  Lease,
  LeaseRequest,
  TenantApi,
  TenantNotification,
} from "../../../durable-objects/api/tenant-api.ts";
import { accept, refuse, type Result } from "../../../protocol/errors.ts";

const MINUTE = 60_000;

/** A session beside a tenant's object that answers as the test says. */
function setUp(answer: (request: LeaseRequest) => Promise<Result<Lease>>) {
  const asked: LeaseRequest[] = [];
  const stopped = vi.fn<() => void>();
  const notify = vi.fn<(notification: TenantNotification) => void>();
  const background: Promise<unknown>[] = [];
  const following = { count: 0 };
  const tenant = {
    lease: (request: LeaseRequest) => {
      asked.push(request);
      return answer(request);
    },
    settle: async () => undefined,
  } as Partial<TenantApi> as TenantApi;
  const session = new SessionTenant({ session_id: "ses_1", holder: "u:ada" }, () => tenant, {
    stop: stopped,
    notify,
    isFollowed: () => following.count > 0,
    inBackground: (work) => background.push(work),
  });
  return { session, asked, stopped, notify, following, background };
}

const granted = (tokens: number) => async () => accept({ tokens });
const lost = () => Promise.reject(new Error("the object was reset"));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a session's lease", () => {
  test("of the start is good for the model calls of half a minute, and asks for no token", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();

    for (const tokens of [0, 40, 99]) await session.check({ reply_id: "rep_1", tokens });

    expect(asked.map(({ use }) => use)).toEqual(["start"]);
  });

  test("is asked for anew when what was granted is used up, with all that the reply has used", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();
    await session.check({ reply_id: "rep_1", tokens: 0 });

    await session.check({ reply_id: "rep_1", tokens: 120 });
    await session.check({ reply_id: "rep_1", tokens: 219 });
    await session.check({ reply_id: "rep_1", tokens: 220 });

    expect(asked.slice(1).map(({ reply }) => reply?.tokens)).toEqual([120, 220]);
  });

  test("is asked for anew after half a minute", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();
    vi.setSystemTime(Date.now() + 30_000);

    await session.check({ reply_id: "rep_1", tokens: 1 });

    expect(asked.map(({ use }) => use)).toEqual(["start", "running"]);
  });

  test("of one reply is none for the next", async () => {
    const { session, asked } = setUp(granted(100));
    await session.check({ reply_id: "rep_1", tokens: 0 });

    await session.check({ reply_id: "rep_2", tokens: 0 });

    expect(asked).toHaveLength(2);
  });

  test("ends with a reply that waits: when it was answered it asks, however soon", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();
    await session.check({ reply_id: "rep_1", tokens: 0 });
    await session.settle([{ reply_id: "rep_1", usage: null }], false);

    await session.check({ reply_id: "rep_1", tokens: 10 });

    expect(asked.map(({ use }) => use)).toEqual(["start", "running"]);
  });

  test("that was granted before the tenant was stopped is good for no model call after it", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();
    session.forget();
    await session.check({ reply_id: "rep_1", tokens: 0 });
    const admitted = session.admit();
    session.forget();
    await admitted;

    await session.check({ reply_id: "rep_2", tokens: 0 });

    expect(asked.map(({ use }) => use)).toEqual(["start", "running", "start", "running"]);
  });

  test("that is refused says which quota it is; a tenant that is stopped stops the session", async () => {
    const spent = refuse("quota_exceeded", "no", { extensions: { quota: "tokens_per_day" } });
    const over = setUp(async () => spent);
    const suspended = setUp(async () => refuse("tenant_suspended", "no"));
    const reply = { reply_id: "rep_1", tokens: 0 };

    const limits = [await over.session.check(reply), await suspended.session.check(reply)];

    expect(limits).toEqual([{ quota: "tokens_per_day", retry_after_ms: undefined }, null]);
    expect([over.stopped.mock.calls.length, suspended.stopped.mock.calls.length]).toEqual([0, 1]);
  });
});

describe("a tenant that is stopped while a reply is let in", () => {
  test("has its next model call asked about, whether the answer came before the news or after", async () => {
    const answers: PromiseWithResolvers<Result<Lease>>[] = [];
    const { session, asked, stopped } = setUp(() => {
      const answer = Promise.withResolvers<Result<Lease>>();
      answers.push(answer);
      return answer.promise;
    });
    const reply = { reply_id: "rep_1", tokens: 0 };
    const early = session.admit();
    answers[0]?.resolve(accept({ tokens: 100 }));
    await early;
    const late = session.admit();
    session.forget();
    answers[1]?.resolve(accept({ tokens: 100 }));
    await late;

    const checking = session.check(reply);
    answers[2]?.resolve(refuse("tenant_suspended", "no"));

    expect(await checking).toBeNull();
    expect(asked.map(({ use }) => use)).toEqual(["start", "start", "running"]);
    expect(stopped).toHaveBeenCalledOnce();
  });
});

describe("while the tenant's object cannot be reached", () => {
  test("replies begin and go on for ten minutes, and then they do not", async () => {
    const { session } = setUp(lost);
    const reply = { reply_id: "rep_1", tokens: 5 };
    const look = async () => [(await session.admit()).ok, await session.check(reply)];

    const seen = [await look()];
    vi.setSystemTime(Date.now() + 10 * MINUTE - 1);
    seen.push(await look());
    vi.setSystemTime(Date.now() + 1);
    seen.push(await look());

    expect(seen).toEqual([
      [true, null],
      [true, null],
      [false, { quota: "lease" }],
    ]);
  });

  test("an answer that comes too late counts as none", async () => {
    const { session } = setUp(() => new Promise(() => {}));

    const admitted = session.admit();
    await vi.advanceTimersByTimeAsync(2_000);

    expect((await admitted).ok).toBe(true);
  });

  test("it is asked once in five seconds, so that not every model call waits for it", async () => {
    const { session, asked } = setUp(lost);
    const reply = { reply_id: "rep_1", tokens: 5 };
    for (const step of [0, 1, 4_998, 1, 1]) {
      vi.setSystemTime(Date.now() + step);
      await session.check(reply);
      await session.admit();
    }

    expect(asked.map(({ use }) => use)).toEqual(["running", "running"]);
  });

  test("one answer in between begins the ten minutes anew", async () => {
    let isLost = true;
    const { session } = setUp(async () => (isLost ? lost() : accept({ tokens: 1 })));
    vi.setSystemTime(Date.now() + 9 * MINUTE);
    isLost = false;
    await session.admit();
    isLost = true;

    vi.setSystemTime(Date.now() + 9 * MINUTE);

    expect((await session.admit()).ok).toBe(true);
  });
});

describe("a session that is read", () => {
  test("asks once in five minutes, whoever reads, and at the next beat again when it was not heard", async () => {
    let isLost = true;
    const { session, asked, background } = setUp(async () =>
      isLost ? lost() : accept({ tokens: 0 }),
    );
    const read = async () => {
      session.noteReader();
      await Promise.all(background);
    };
    await read();
    isLost = false;
    for (let beat = 0; beat < 40; beat += 1) {
      await read();
      vi.setSystemTime(Date.now() + 10_000);
    }

    expect(asked.map(({ use }) => use)).toEqual(["reading", "reading", "reading"]);
  });

  test("asks for the next reader when its lease was ended, or nobody would tell that one", () => {
    const { session, asked } = setUp(granted(0));
    session.noteReader();
    session.forget();

    session.noteReader();

    expect(asked.map(({ use }) => use)).toEqual(["reading", "reading"]);
  });

  test("asks nothing while the lease of a reply is fresh, and asks when a stream outlives the reply", async () => {
    const { session, asked, following } = setUp(granted(100));
    const reply = { reply_id: "rep_1", usage: null };
    await session.admit();
    session.noteReader();
    await session.settle([reply], false);
    expect(asked.map(({ use }) => use)).toEqual(["start"]);

    await session.admit();
    following.count = 1;
    await session.settle([reply], true);
    expect(asked.map(({ use }) => use)).toEqual(["start", "start"]);
    await session.settle([reply], false);
    expect(asked.map(({ use }) => use)).toEqual(["start", "start", "reading"]);
  });

  test("asks when half of a reply's lease is over without a renewal: the reply may be over", async () => {
    const { session, asked } = setUp(granted(100));
    await session.admit();
    vi.setSystemTime(Date.now() + 44_999);
    session.noteReader();
    expect(asked.map(({ use }) => use)).toEqual(["start"]);

    vi.setSystemTime(Date.now() + 1);
    session.noteReader();

    expect(asked.map(({ use }) => use)).toEqual(["start", "reading"]);
  });

  test("hears of revoked keys with the lease of a reply, too", async () => {
    const news = [{ cut_keys: ["key_1"] }];
    const { session, notify } = setUp(async () => accept({ tokens: 1, news }));
    await session.admit();

    expect(notify.mock.calls).toEqual([[{ cut_keys: ["key_1"] }]]);
  });
});
