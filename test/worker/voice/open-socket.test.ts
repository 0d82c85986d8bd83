// Sockets to others, over the wire: their server is one of this machine.
import { describe, expect, inject, it } from "vitest";

import {
  openSocket,
  type OpenedSocket,
  type SocketEnd,
  type SocketRequest,
} from "../../../outgoing/open-socket.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { createSecretSource } from "../../../outgoing/secret-source.ts";
import { waitUntil } from "../../support/wait-for.ts";

// As test/support/voice/provide-voice-servers.ts provides it; that file is of Node and not of this program.
declare module "vitest" {
  interface ProvidedContext {
    readonly fakeSocketsUrl: string;
  }
}

const SECRET = "sk-secret-of-the-tests";

interface Opened {
  readonly opened: OpenedSocket;
  readonly messages: (string | ArrayBuffer)[];
  readonly ends: SocketEnd[];
}

async function open(path: string, request: Partial<SocketRequest> = {}): Promise<Opened> {
  const messages: (string | ArrayBuffer)[] = [];
  const ends: SocketEnd[] = [];
  const opened = await openSocket({
    outgoing: createOutgoing({ fetch, environment: "local" }),
    url: `${inject("fakeSocketsUrl")}${path}`,
    openMs: 60_000,
    maxMessageBytes: 1_000,
    stop: new AbortController().signal,
    onMessage: (data) => messages.push(data),
    onEnd: (end) => ends.push(end),
    ...request,
  });
  return { opened, messages, ends };
}

function socketOf({ opened }: Opened) {
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.socket;
}

function credential(hosts: readonly string[] | null): SocketRequest["credential"] {
  return {
    id: "cred_1",
    source: createSecretSource(new Map([["cred_1", { secret: SECRET, allowed_hosts: hosts }]])),
    place: (secret) => ({
      headers: { authorization: `Bearer ${secret}` },
      query: { key: secret },
    }),
  };
}

describe("A socket to others", () => {
  it("carries texts and bytes both ways, in order", async () => {
    const echo = await open("/echo");
    const socket = socketOf(echo);

    const isSent = [
      socket.send("one"),
      socket.send(new Uint8Array([1, 2, 3])),
      socket.send("a".repeat(900)),
    ];
    await waitUntil(() => (echo.messages.length === 3 ? true : undefined));
    socket.close();

    expect(isSent).toEqual([true, true, true]);
    expect(echo.messages).toEqual(["one", new Uint8Array([1, 2, 3]).buffer, "a".repeat(900)]);
    expect([socket.send("late"), echo.ends]).toEqual([false, []]);
  });

  it("sends headers and a secret to the hosts that may have it, and tells the subprotocol", async () => {
    const { port } = new URL(inject("fakeSocketsUrl"));
    const hello = await open("/hello", {
      headers: { "x-own": "yes" },
      protocols: ["realtime", "other"],
      credential: credential([`127.0.0.1:${port}`]),
    });

    const said = (await waitUntil(() => hello.messages[0])) as string;
    const { url, headers } = JSON.parse(said) as Record<string, Record<string, string>>;
    expect(socketOf(hello).protocol).toBe("realtime");
    expect(url).toBe(`/hello?key=${SECRET}`);
    expect(headers).toMatchObject({
      "x-own": "yes",
      authorization: `Bearer ${SECRET}`,
      "sec-websocket-protocol": "realtime, other",
    });
  });

  it("does not connect with a secret that is for other hosts", async () => {
    const { opened } = await open("/echo", { credential: credential(["api.example.com"]) });

    const { host } = new URL(inject("fakeSocketsUrl"));
    expect(opened).toEqual({
      ok: false,
      failure: {
        kind: "setup",
        message: `The credential cred_1 may not be sent to ${host}; its allowed_hosts say where it may.`,
      },
    });
  });

  it("gives JSON that comes in bytes as bytes", async () => {
    const { messages } = await open("/binary-json");

    const bytes = await waitUntil(() => messages[0]);
    expect(new TextDecoder().decode(bytes as ArrayBuffer)).toBe('{"setupComplete":{}}');
  });

  it.each<[string, string, object]>([
    [
      "a status and words, without the secret",
      `/refuse?status=401&body=${encodeURIComponent(`{"error":"no ${SECRET}"}`)}`,
      { kind: "credential_refused", http_status: 401, message: '{"error":"no [redacted]"}' },
    ],
    ["a status alone", "/refuse?status=429", { kind: "rate_limited", http_status: 429 }],
    [
      "a redirect, which is not followed",
      "/refuse?status=302",
      { kind: "redirect", http_status: 302 },
    ],
    [
      "a success that is no socket",
      "/refuse?status=200&body=Welcome",
      { kind: "malformed_answer", http_status: 200, message: "Welcome" },
    ],
  ])("reads a refusal: %s", async (_name, path, failure) => {
    const { opened, ends } = await open(path, { credential: credential(null) });

    expect(opened).toEqual({ ok: false, failure });
    expect(ends).toEqual([]);
  });

  it("reads no more of a refusal than its beginning", async () => {
    const { opened } = await open("/flood");

    expect(opened).toEqual({
      ok: false,
      failure: {
        kind: "provider_error",
        http_status: 503,
        message: expect.stringMatching(/^(?:no room ?)+.{0,8}…$/),
      },
    });
  });

  it.each<[string, Partial<SocketRequest>, object]>([
    [
      "a private address",
      { url: "wss://10.0.0.1/v1" },
      { kind: "egress_refused", message: expect.stringContaining("private") },
    ],
    [
      "plain ws:// to others",
      { url: "ws://voice.example.com/v1" },
      { kind: "egress_refused", message: expect.stringContaining("https://") },
    ],
    [
      "an address of another kind",
      { url: "ftp://voice.example.com" },
      { kind: "setup", message: "the address is not a URL of a WebSocket" },
    ],
    [
      "a socket that was stopped before",
      { stop: AbortSignal.abort() },
      { kind: "connection_lost" },
    ],
  ])("opens none: %s", async (_name, request, failure) => {
    expect((await open("/echo", request)).opened).toEqual({ ok: false, failure });
  });

  it("gives up a server that does not answer", async () => {
    const { opened } = await open("/hang", { openMs: 50 });

    expect(opened).toEqual({ ok: false, failure: { kind: "timeout" } });
  });

  it("tells how the other side has closed it, without the secret", async () => {
    const path = `/close?code=4400&reason=${encodeURIComponent(`bad key ${SECRET}`)}`;
    const closed = await open(path, { credential: credential(null) });

    const end = await waitUntil(() => closed.ends[0]);
    expect(end).toEqual({ code: 4400, reason: "bad key [redacted]", is_too_large: false });
    expect(socketOf(closed).send("late")).toBe(false);
  });

  it("tells the end of a socket that dies without a word", async () => {
    const { messages, ends } = await open("/die");

    const end = await waitUntil(() => ends[0]);
    expect(messages).toEqual(["last words"]);
    expect(end).toEqual({ code: 1006, reason: expect.any(String), is_too_large: false });
  });

  it.each([
    ["reset", 2, "the head"],
    ["reset", 60, "the content"],
    ["end", 2, "the head"],
    ["end", 60, "the content"],
  ])(
    "tells the end of a socket whose connection %ss after %i bytes of a frame, in %s",
    async (by, bytes) => {
      const broken = await open(`/break?by=${by}&bytes=${bytes}`);

      const end = await waitUntil(() => broken.ends[0]);
      expect(broken.messages).toEqual(["last words"]);
      expect(end).toEqual({ code: 1006, reason: expect.any(String), is_too_large: false });
      expect(socketOf(broken).send("late")).toBe(false);
    },
  );

  it.each([
    ["a kind that there is not", "131,0"],
    ["a second part without a first", "128,1,65"],
  ])("tells the end of a socket with a frame of %s", async (_name, frame) => {
    const broken = await open(`/break-rules?frame=${frame}`);

    const end = await waitUntil(() => broken.ends[0]);
    expect(broken.messages).toEqual(["last words"]);
    expect([1002, 1006]).toContain(end.code);
    expect(end.is_too_large).toBe(false);
  });

  it.each([
    ["1000 bytes", "/large?bytes=1000", 1],
    ["1001 bytes", "/large?bytes=1001", 0],
  ])("takes messages up to its bound: %s", async (_name, path, count) => {
    const { messages, ends } = await open(path);

    await waitUntil(() => messages[0] ?? ends[0]);
    expect(messages).toHaveLength(count);
    expect(ends).toEqual(count === 1 ? [] : [{ code: 1009, reason: "", is_too_large: true }]);
  });

  it("closes when it is stopped, and tells nothing more", async () => {
    const stopping = new AbortController();
    const echo = await open("/echo", { stop: stopping.signal });
    const socket = socketOf(echo);
    socket.send("one");
    await waitUntil(() => echo.messages[0]);

    stopping.abort();

    expect([socket.send("two"), echo.ends]).toEqual([false, []]);
  });
});
