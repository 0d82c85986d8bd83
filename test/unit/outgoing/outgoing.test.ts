import { describe, expect, it, onTestFinished } from "vitest";

import { createOutgoing, findRefusal, OutgoingRefused } from "../../../outgoing/outgoing.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

describe("the outgoing door", () => {
  it.each([
    "http://localhost:8787/x",
    "http://LOCALHOST./",
    "http://127.0.0.1/",
    "http://127.9.8.7:1/",
    "http://127.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://127.0.0.1./",
    "http://[::1]:80/",
    "http://[0:0:0:0:0:0:0:1]/",
  ])("opens %s to the local environment and to no other", (address) => {
    expect(findRefusal(address, { environment: "local" })).toBe(null);
    expect(findRefusal(address, { environment: "production" })).toBe(
      "plain http:// is not allowed; use https://",
    );
  });

  it.each([
    ["http://127.0.0.1:8080/", true],
    ["https://localhost:8081/", true],
    ["http://[::1]:8080/", true],
    ["http://127.0.0.1/", false],
    ["http://127.0.0.1:80801/", false],
    ["http://127.0.0.1:808/", false],
    ["https://127.0.0.1/", false],
  ])("where ports are named, opens %s only if its port is: %s", (address, isOpen) => {
    expect(
      findRefusal(address, { environment: "local", loopbackPorts: "8080, 8081" }) === null,
    ).toBe(isOpen);
    expect(
      findRefusal(address, { environment: "production", loopbackPorts: "8080, 8081" }),
    ).not.toBe(null);
  });

  it("opens no port of this machine when none is named, and the schemes' own when they are", () => {
    expect(
      findRefusal("http://127.0.0.1:8080/", { environment: "local", loopbackPorts: "" }),
    ).not.toBe(null);
    expect(findRefusal("http://127.0.0.1/", { environment: "local", loopbackPorts: "80" })).toBe(
      null,
    );
    expect(findRefusal("https://127.0.0.1/", { environment: "local", loopbackPorts: "443" })).toBe(
      null,
    );
    expect(
      findRefusal("https://tools.example.com/", { environment: "local", loopbackPorts: "" }),
    ).toBe(null);
  });

  it.each([
    "http://example.com/",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "http://localhost../",
    "http://128.0.0.1/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://169.254.169.254/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::]/",
  ])("refuses %s everywhere", (address) => {
    expect(findRefusal(address, { environment: "local" })).toBe(
      "plain http:// is allowed to this machine only; use https://",
    );
    expect(findRefusal(address, { environment: "production" })).not.toBe(null);
  });

  it("lets https:// pass to public hosts in every environment", () => {
    expect(findRefusal("https://tools.example.com/refund", { environment: "local" })).toBe(null);
    expect(findRefusal("HTTPS://tools.example.com./refund", { environment: "production" })).toBe(
      null,
    );
  });

  it.each([
    ["ftp://example.com/", "ftp:// addresses cannot be reached; use https://"],
    ["file:///etc/passwd", "file:// addresses cannot be reached; use https://"],
    ["data:text/plain,hello", "data:// addresses cannot be reached; use https://"],
    ["/relative", "the address is not a URL"],
    ["https://", "the address is not a URL"],
    [
      "https://user:secret@example.com/",
      "the address holds a user name or a password; send credentials in a header",
    ],
    [
      "http://127.0.0.1@example.com/",
      "the address holds a user name or a password; send credentials in a header",
    ],
  ])("refuses %s", (address, reason) => {
    expect(findRefusal(address, { environment: "local" })).toBe(reason);
  });

  it("sends nothing to an address that it refuses, however the address is given", async () => {
    const server = await startToolServer({ "/": answer("reached", "text/plain") });
    onTestFinished(() => server.stop());
    const outgoing = createOutgoing({ environment: "production", fetch });

    for (const input of [server.url, new URL(server.url), new Request(server.url)]) {
      const error: unknown = await outgoing(input).catch((reason: unknown) => reason);
      expect(OutgoingRefused.isInstance(error)).toBe(true);
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["production", "https://10.0.0.1/"],
    ["production", "https://169.254.169.254/latest/meta-data"],
    ["production", "https://127.0.0.1/"],
    ["production", "https://localhost./"],
    ["production", "https://vault.internal/"],
    ["local", "https://[fd00:ec2::254]/"],
    ["local", "https://192.168.0.1/"],
  ])("sends nothing from %s to %s", async (environment, address) => {
    const sent: unknown[] = [];
    const outgoing = createOutgoing({
      environment,
      fetch: async (input) => {
        sent.push(input);
        return new Response();
      },
    });

    const error: unknown = await outgoing(address).catch((reason: unknown) => reason);

    expect(String(error)).toMatch(/^OutgoingRefused: the host is private, local or reserved/);
    expect(sent).toEqual([]);
  });

  it("puts the trace on every request, over what the request says of one", async () => {
    const server = await startToolServer({ "/": answer("reached", "text/plain") });
    onTestFinished(() => server.stop());
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
    const trace = { traceparent, tracestate: "shop=17" };
    const own = { traceparent: "its own", tracestate: "tool=1", "x-shop": "17" };

    const withState = createOutgoing({ environment: "local", fetch, trace });
    const withoutState = createOutgoing({ environment: "local", fetch, trace: { traceparent } });
    const untraced = createOutgoing({ environment: "local", fetch });
    await withState(server.url, { headers: own });
    await withState(new Request(server.url, { headers: own }));
    await withState(new URL(server.url));
    await withoutState(server.url, { headers: own });
    await untraced(server.url, { headers: own });

    const seen = server.requests.map(({ headers }) => [
      headers["traceparent"],
      headers["tracestate"],
      headers["x-shop"],
    ]);
    expect(seen).toEqual([
      [traceparent, "shop=17", "17"],
      [traceparent, "shop=17", "17"],
      [traceparent, "shop=17", undefined],
      [traceparent, undefined, "17"],
      ["its own", "tool=1", "17"],
    ]);
  });

  it("hands a redirect back instead of following it", async () => {
    const server = await startToolServer({
      "/from": (response) => response.writeHead(302, { location: "/to" }).end(),
      "/to": answer("reached", "text/plain"),
    });
    onTestFinished(() => server.stop());
    const outgoing = createOutgoing({ environment: "local", fetch });

    const response = await outgoing(`${server.url}/from`, { redirect: "follow" });

    expect(response.status).toBe(302);
    expect(server.calls("/to")).toBe(0);
  });
});
