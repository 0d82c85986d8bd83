// A store over connections that break, devices that sleep, and sessions that are not there.
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { connectSession, type LoggedEvent, type RepriseOptions } from "../../sdk/index.ts";
import { BROAD, sampled, seeds } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { randomFates, startCuttingProxy, type Fate } from "../support/cutting-proxy.ts";
import { HOLD, startGateTool } from "../support/gate-tool.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { waitFor } from "../support/wait-for.ts";
import { openDesk, QUICK } from "./desk.ts";
import { isIdle, textOf, watchStore } from "./watch-store.ts";

const LONG = '/think Let me see.\n/rate 300\n/call lookup_order {"order_id":"A-1001"}\n/words 150';
const HELD = `/rate 100\n/words 30\n${HOLD}\n/words 90`;
const desk = await openDesk();

/** A desk whose reply to `HELD` has its last words only when the test lets it go on. */
async function openHeldDesk() {
  const gate = await startGateTool();
  return { ...(await openDesk({ tools: [gate.tool] })), openGate: () => gate.open() };
}

async function openProxy(
  deal: (connection: number) => Fate,
  options: Partial<RepriseOptions> = {},
) {
  const proxy = await startCuttingProxy(inject("baseUrl"), deal);
  onTestFinished(() => proxy.stop());
  const direct = await desk.openSession();
  const phone = desk.clientOf({ baseUrl: proxy.url, maxRetries: 30, ...options });
  return { proxy, direct, session: phone.session(direct.id) };
}

/** A device whose app comes to the front, and whose network comes and goes, when a test says so. */
function openDevice() {
  const foreground = new Set<() => void>();
  const network = new Set<(isOnline: boolean) => void>();
  const add =
    <Listener>(listeners: Set<Listener>) =>
    (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
  return {
    signals: { onForeground: add(foreground), onNetworkChange: add(network) },
    listeners: () => foreground.size + network.size,
    comeToFront: () => foreground.forEach((listener) => listener()),
    setOnline: (isOnline: boolean) => network.forEach((listener) => listener(isOnline)),
  };
}

/** A network that is cut and mended by hand: requests and streams fail while it is cut. */
function openNetwork() {
  const open = new Set<AbortController>();
  let isCut = false;
  const requests: string[] = [];
  const request = async (url: string, init: RequestInit): Promise<Response> => {
    requests.push(`${init.method} ${url.replace(/^.*\/v1/, "").replace(/\?.*/, "")}`);
    if (isCut) throw new TypeError("no network");
    const cable = new AbortController();
    open.add(cable);
    const signal = init.signal ? AbortSignal.any([init.signal, cable.signal]) : cable.signal;
    return fetch(url, { ...init, signal });
  };
  return {
    fetch: request,
    requests,
    cut: () => {
      isCut = true;
      for (const cable of open) cable.abort(new TypeError("cut"));
      open.clear();
    },
    mend: () => (isCut = false),
  };
}

describe("a reply over connections that are cut", () => {
  for (const [rows, breadth] of sampled(seeds(5), 1))
    it.each(rows)("has every word once, and each event once (seed %i)", breadth, async (seed) => {
      const fates = randomFates(seededRandom(seed), { cuts: 40, maxBytes: 6_000 });
      const { proxy, direct, session } = await openProxy(fates);
      const { store, states, until } = watchStore(session);
      const heard: LoggedEvent[] = [];
      store.onEvent((event) => heard.push(event));

      const { id } = await store.send(LONG);
      const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);

      const stored = (await direct.messages.list().page()).data;
      expect(JSON.stringify(messages)).toBe(JSON.stringify(stored));
      expect(proxy.fates.length).toBeGreaterThan(5);
      const lengths = states.map(({ messages: shown }) => textOf(shown[1]).length);
      expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
      const seqs = heard.map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
      expect((await direct.replies.list().page()).data.map((reply) => reply.id)).toEqual([id]);
    });

  it("goes on in a page that is opened in its middle, as after a reload", BROAD, async () => {
    const session = await desk.openSession();
    const first = watchStore(session);
    const { id } = await first.store.send("/rate 100\n/words 120");
    await first.until((state) => textOf(state.messages[1]).length > 100);
    first.leave();

    const second = watchStore(session);
    const { messages } = await second.until(
      (state) => isIdle(state) && state.messages.length === 2,
    );

    expect(messages[1]).toEqual((await session.message(id)).message);
    expect((await session.replies.list().page()).data).toHaveLength(1);
  });

  it("goes on behind its last event when a store gets a subscriber again", BROAD, async () => {
    const network = openNetwork();
    const { clientOf, openSession, openGate } = await openHeldDesk();
    const direct = await openSession();
    const session = clientOf({ fetch: network.fetch }).session(direct.id);
    const { store, until, leave } = watchStore(session);
    const { id } = await store.send(HELD);
    await until((state) => textOf(state.messages[1]).length > 60);
    leave();
    openGate();
    await waitFor(() =>
      direct.replies.get(id).then(({ status }) => expect(status).toBe("completed")),
    );
    const seen = textOf(store.getState().messages[1]).length;
    network.requests.length = 0;

    onTestFinished(store.subscribe(() => undefined));
    const { messages } = await until(isIdle);

    expect(textOf(messages[1]).length).toBeGreaterThan(seen);
    expect(messages).toEqual((await direct.messages.list().page()).data);
    expect(network.requests).toEqual([`GET /sessions/${direct.id}/events`]);
  });
});

describe("a device", () => {
  it("that is offline shows so, keeps what is shown, sends later, and goes on when it is back", async () => {
    const device = openDevice();
    const network = openNetwork();
    const { clientOf, openSession, openGate } = await openHeldDesk();
    const direct = await openSession();
    const session = clientOf({ fetch: network.fetch }).session(direct.id);
    const { store, until } = watchStore(session, { signals: device.signals });
    const { id } = await store.send(HELD);
    await until((state) => textOf(state.messages[1]).length > 100);

    network.cut();
    device.setOnline(false);
    const offline = await until(({ status }) => status === "offline");
    const sending = store.send("/say Sent offline.");
    expect(offline.replyId).toBe(id);
    expect(store.getState()).toMatchObject({ status: "offline", outgoing: [{ state: "sending" }] });
    openGate();
    await waitFor(() =>
      direct.replies.get(id).then(({ status }) => expect(status).toBe("completed")),
    );
    network.mend();
    device.setOnline(true);

    await sending;
    const { messages } = await until((state) => isIdle(state) && state.messages.length === 4);
    expect(messages).toEqual((await direct.messages.list().page()).data);
  });

  it("that says it is offline while the platform is reached is not believed", BROAD, async () => {
    const device = openDevice();
    const session = await desk.openSession();
    const { store, until } = watchStore(session, { signals: device.signals });
    await until(isIdle);

    device.setOnline(false);

    await until(isIdle);
    await store.send("/say Still here.");
    await until((state) => isIdle(state) && state.messages.length === 2);
  });

  it(
    "that comes back to the front connects at once, and not when its delay is over",
    BROAD,
    async () => {
      const device = openDevice();
      const network = openNetwork();
      const { clientOf, openSession, openGate } = await openHeldDesk();
      const direct = await openSession();
      const slow = { ...QUICK, firstDelayMs: 3_600_000, maxDelayMs: 3_600_000 };
      const client = clientOf({ fetch: network.fetch, reconnect: slow });
      const { store, until } = watchStore(client.session(direct.id), { signals: device.signals });
      const { id } = await store.send(HELD);
      await until((state) => textOf(state.messages[1]).length > 60);

      network.cut();
      await until(({ status }) => status === "reconnecting");
      network.mend();
      openGate();
      await waitFor(() =>
        direct.replies.get(id).then(({ status }) => expect(status).toBe("completed")),
      );
      expect(store.getState().status).toBe("reconnecting");
      device.comeToFront();

      const { messages } = await until(isIdle);
      expect(messages).toEqual((await direct.messages.list().page()).data);
    },
  );

  it(
    "is no longer listened to by a store without subscribers, which has ended its stream",
    BROAD,
    async () => {
      const device = openDevice();
      const open = new Set<AbortSignal>();
      const session = desk.clientOf({
        fetch: (url, init) => {
          if (init.signal) open.add(init.signal);
          return fetch(url, init);
        },
      });
      const { id } = await desk.openSession();
      const { until, leave } = watchStore(session.session(id), { signals: device.signals });
      await until(isIdle);
      expect(device.listeners()).toBe(2);

      leave();

      await waitFor(() => expect([...open].every(({ aborted }) => aborted)).toBe(true));
      expect(device.listeners()).toBe(0);
    },
  );
});

describe("a session", () => {
  it.each([["that is not there"], ["of another tenant"]])(
    "%s is an error, asked for once",
    async (kind) => {
      const network = openNetwork();
      const other = await openDesk();
      const id = kind === "of another tenant" ? (await other.openSession()).id : "ses_unknown";
      const device = openDevice();
      const client = desk.clientOf({ fetch: network.fetch });
      const { store, until } = watchStore(client.session(id), { signals: device.signals });

      const { error, messages } = await until(({ status }) => status === "error");
      device.comeToFront();
      await expect(store.send("Hello?")).rejects.toMatchObject({ code: "not_found" });

      expect([messages, error]).toMatchObject([[], { status: 404, code: "not_found" }]);
      expect(network.requests).toEqual([
        `GET /sessions/${id}/messages`,
        `POST /sessions/${id}/replies`,
      ]);
      expect(store.getState()).toMatchObject({ status: "error", outgoing: [{ state: "failed" }] });
    },
  );

  it("that is deleted while it is read ends in an error, with what was shown", async () => {
    const session = await desk.openSession();
    await collect(session.reply("/say Before."));
    const { until } = watchStore(session);
    const { messages } = await until(isIdle);

    await desk.reprise.sessions.delete(session.id);

    const state = await until(({ status }) => status === "error");
    expect(state.error).toMatchObject({ code: "not_found" });
    expect(state.messages).toBe(messages);
  });

  it("is read anew by reload, also after an error", async () => {
    const session = await desk.openSession();
    await collect(session.reply("/say Before."));
    let isRefused = true;
    const client = desk.clientOf({
      fetch: (url, init) =>
        isRefused
          ? Promise.resolve(Response.json({ code: "not_found", detail: "no" }, { status: 404 }))
          : fetch(url, init),
    });
    const { store, until } = watchStore(client.session(session.id));
    await until(({ status }) => status === "error");

    isRefused = false;
    store.reload();

    const { messages, error } = await until(isIdle);
    expect([messages.length, error]).toEqual([2, null]);
    store.reload();
    await until((state) => isIdle(state) && state.messages !== messages);
  });

  it("goes on with the next token when the first one is revoked", BROAD, async () => {
    const { openSession, openGate } = await openHeldDesk();
    const session = await openSession();
    const verbs = ["read", "reply"] as const;
    const tokens: { readonly id: string }[] = [];
    const phone = connectSession(session.id, {
      baseUrl: inject("baseUrl"),
      reconnect: QUICK,
      token: async () => {
        const made = await session.tokens.create({ verbs: [...verbs] });
        tokens.push(made);
        return made.token;
      },
    });
    const { store, until } = watchStore(phone);
    const { id } = await store.send(HELD);
    await until((state) => textOf(state.messages[1]).length > 60);

    await session.tokens.revoke(tokens[0]?.id ?? "");
    await waitFor(() => expect(tokens).toHaveLength(2));
    openGate();

    const { messages } = await until(isIdle);
    expect(messages[1]).toEqual((await session.message(id)).message);
    expect(tokens).toHaveLength(2);
  });
});

describe("a long reply", BROAD, () => {
  it("of 20,000 words tells its subscribers once for each frame, and is whole", async () => {
    const session = await desk.openSession();
    let frames = 0;
    let told = 0;
    let tell: (() => void) | null = null;
    const schedule = (next: () => void) => {
      expect(tell).toBeNull();
      tell = next;
    };
    const { store, until, states } = watchStore(session, { schedule });
    const timer = setInterval(() => {
      const next = tell;
      tell = null;
      if (next) frames += 1;
      next?.();
    }, 50);
    onTestFinished(() => clearInterval(timer));
    await until(isIdle);
    let events = 0;
    store.onEvent(() => (events += 1));
    told = states.length;

    const { id } = await store.send("/words 20000");
    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);

    expect(messages[1]).toEqual((await session.message(id)).message);
    // Beside the frames: the message that is shown at once, and that the platform has it.
    expect(states.length - told).toBeLessThanOrEqual(frames + 4);
    expect(events).toBeGreaterThan(0);
  });
});
