// The SDK while the platform is away for a moment, against servers that say exactly when they are.
import type { ServerResponse } from "node:http";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { ApiError, ConnectionError, type Reprise } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { QUICK } from "./desk.ts";
import { cut, failure, frame, json, refuse, startStage, stream, type Scene } from "./stage.ts";

const agent = json(200, { id: "agt_1" });
const START = frame(1, "REPLY_START", { name: "Desk", role: "assistant" });
const END = frame(3, "REPLY_END", { finished_reason: "completed", error: null });

describe("a request", () => {
  it.each([
    ["429", refuse(429)],
    [
      "502 that is a page of a proxy",
      (response: ServerResponse) => {
        response.writeHead(502, { "content-type": "text/html" });
        response.end("<h1>Bad gateway</h1>");
      },
    ],
    ["503", refuse(503)],
    ["504", refuse(504)],
    ["a cut connection", cut],
    ["a page that is not the platform's", (response: ServerResponse) => response.end("<html>")],
  ] satisfies [string, Scene][])("is sent again after %s", async (_, scene) => {
    const { reprise, requests } = await startStage([scene, scene, agent]);

    expect(await reprise.agents.get("agt_1")).toEqual({ id: "agt_1" });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(3).fill("GET /v1/agents/agt_1"),
    );
  });

  it.each([400, 401, 403, 404, 409, 500])("is not sent again after %i", async (status) => {
    const { reprise, requests } = await startStage([refuse(status), agent]);

    expect(await failure(reprise.agents.get("agt_1"))).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it("is not sent again when an MCP server has failed", async () => {
    const { reprise, requests } = await startStage([json(502, { code: "mcp_failed" }), agent]);

    expect(await failure(reprise.mcpServers.tools("mcp_1"))).toMatchObject({
      status: 502,
      retryable: false,
    });
    expect(requests).toHaveLength(1);
  });

  it("gives up after maxRetries, with the last failure", async () => {
    const { reprise, requests } = await startStage([refuse(503)], { maxRetries: 2 });

    const error = await failure(reprise.agents.get("agt_1"));

    expect(ApiError.isInstance(error) && error.retryable).toBe(true);
    expect(requests).toHaveLength(3);
  });

  it("waits as long as Retry-After asks", async () => {
    const { reprise, requests } = await startStage([refuse(503, { "retry-after": "1" }), agent]);

    await reprise.agents.get("agt_1");

    expect(requests[1]!.atMs - requests[0]!.atMs).toBeGreaterThanOrEqual(995);
  });

  it("that creates something is sent again with the same key when it was refused", async () => {
    const { reprise, requests } = await startStage([refuse(429), refuse(503), json(201, {})]);

    await reprise.agents.create({ name: "Desk" });
    await reprise.agents.create({ name: "Desk" });

    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^req_.{20,}$/);
    expect(keys.slice(0, 3)).toEqual(Array(3).fill(keys[0]));
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("that creates something is sent again with the same key when nobody knows whether it did", async () => {
    const inFlight = json(409, { code: "idempotency_in_flight" });
    const { reprise, requests } = await startStage([cut, inFlight, json(201, { id: "agt_1" })]);

    const made = await reprise.agents.create({ name: "Desk" });

    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect([made, keys]).toEqual([{ id: "agt_1" }, Array(3).fill(keys[0])]);
  });

  it.each<[string, (reprise: Reprise) => Promise<unknown>]>([
    ["an API key", ({ apiKeys }) => apiKeys.create()],
    ["a sign-in link", ({ consoleLinks }) => consoleLinks.create()],
    ["an API key's new secret", ({ apiKeys }) => apiKeys.rotate("key_1")],
    ["a tenant", ({ tenants }) => tenants.create({ name: "Shop" })],
    ["a client token", (reprise) => reprise.session("ses_1").tokens.create()],
    ["an inbound endpoint", (reprise) => reprise.inboundEndpoints.create({ name: "Till" })],
    [
      "a webhook endpoint",
      (reprise) => reprise.webhookEndpoints.create({ url: "https://shop.example/", events: ["*"] }),
    ],
  ])(
    "that makes %s is not sent again: its first answer alone shows the secret",
    async (_, make) => {
      const { reprise, requests } = await startStage([cut, json(201, {})]);

      const error = await failure(make(reprise));

      expect(ConnectionError.isInstance(error)).toBe(true);
      expect(requests).toHaveLength(1);
    },
  );

  it("that deletes and finds nothing the second time has deleted", async () => {
    const { reprise } = await startStage([cut, refuse(404)]);

    expect(await reprise.agents.delete("agt_1")).toBeUndefined();
  });

  it("is a ConnectionError when no answer begins in time", async () => {
    const { reprise } = await startStage([() => undefined], { timeoutMs: 30, maxRetries: 0 });

    const error = await failure(reprise.agents.get("agt_1"));

    expect(ConnectionError.isInstance(error) && error.message).toBe(
      "GET /v1/agents/agt_1: nothing came for 30 ms",
    );
  });

  it("ends with the signal's reason, also while it waits for the next try", async () => {
    const abort = new AbortController();
    const scene: Scene = (response, request) => {
      refuse(503, { "retry-after": "30" })(response, request);
      setTimeout(() => abort.abort(new Error("enough")), 20);
    };
    const { reprise } = await startStage([scene]);

    await expect(reprise.agents.get("agt_1", { signal: abort.signal })).rejects.toThrow("enough");
  });
});

describe("a stream", () => {
  it("reconnects after as long as the stream itself asked for", async () => {
    const scenes = [stream(`retry: 200\n\n${START}`, { isCut: true }), stream(END)];
    const { reprise, requests } = await startStage(scenes, { reconnect: {} });
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());

    await collect(reprise.session("ses_1").reply("Hi"));

    // Without a word of the stream's it is half a second at least; up to a half is added at random.
    const delays = timers.mock.calls.map(([, delayMs = 0]) => delayMs);
    expect(delays.filter((delayMs) => delayMs >= 200 && delayMs <= 300)).toHaveLength(1);
    expect(delays.filter((delayMs) => delayMs >= 500 && delayMs <= 750)).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it("drops what it has seen, passes on what it does not know, and shows no half of a frame", async () => {
    const NEW = frame(2, "HOLOGRAM_START", { depth: 3 });
    const scenes = [
      stream(START + NEW.slice(0, -1), { isCut: true }),
      stream(START + NEW + NEW.slice(0, 20), { isCut: true }),
      stream(START + NEW + END),
    ];
    const { reprise, requests } = await startStage(scenes);
    const reply = reprise.session("ses_1").reply("Hi");

    const events = await collect(reply);

    expect(events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 REPLY_START",
      "2 HOLOGRAM_START",
      "3 REPLY_END",
    ]);
    expect(events[1]).toMatchObject({ depth: 3 });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /v1/sessions/ses_1/replies",
      "GET /v1/sessions/ses_1/events?after=1&reply_id=rep_1",
      "GET /v1/sessions/ses_1/events?after=2&reply_id=rep_1",
    ]);
  });

  it("takes the POST's message id and key along to each of its tries", async () => {
    const { reprise, requests } = await startStage([cut, refuse(503), stream(START + END)]);

    await collect(reprise.session("ses_1").reply("Hi"));

    const sent = requests.map(({ body, headers }) => ({ body, key: headers["idempotency-key"] }));
    expect(sent).toEqual(Array(3).fill(sent[0]));
    expect(sent[0]?.body).toEqual({
      input: { id: expect.stringMatching(/^msg_.{20,}$/), content: "Hi" },
      stream: true,
    });
  });

  it("that is refused for a moment reads the reply that the refusal names", async () => {
    const { reprise, requests } = await startStage([
      refuse(429, { "reprise-reply-id": "rep_1" }),
      stream(START + END),
    ]);

    await collect(reprise.session("ses_1").reply("Hi"));

    expect(requests.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("ends when the platform says that nothing more will come", async () => {
    const { reprise } = await startStage([stream(START), json(204, {})]);

    const events = await collect(reprise.session("ses_1").reply("Hi"));

    expect(events.map(({ type }) => type)).toEqual(["REPLY_START"]);
  });

  it("gives up when it has heard nothing for giveUpAfterMs", async () => {
    const { reprise, requests } = await startStage([stream(START), cut], {
      reconnect: { ...QUICK, giveUpAfterMs: 1_000 },
    });
    const states: string[] = [];
    const reply = reprise
      .session("ses_1")
      .reply("Hi", { onConnectionChange: (state) => states.push(state) });

    const error = await failure(collect(reply));

    expect(ConnectionError.isInstance(error)).toBe(true);
    expect(requests.length).toBeGreaterThan(1);
    expect(states).toEqual(["connecting", "open", "reconnecting", "closed"]);
  });

  it("gives up at once when the platform refuses for good", async () => {
    const { reprise, requests } = await startStage([stream(START), refuse(401)]);

    const error = await failure(collect(reprise.session("ses_1").reply("Hi")));

    expect(error).toMatchObject({ name: "ApiError", status: 401 });
    expect(requests).toHaveLength(2);
  });
});
