// Pages of MCP servers (MCP Apps): results name them, apps read them by way of the session, and a server that lies gets
// none of them shown.
import { Buffer } from "node:buffer";

import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { offeredTools, openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer, type ServerKind } from "../../support/mcp/official-server.ts";
import { startRawServer, type RawMethod } from "../../support/mcp/raw-server.ts";
import { addPages, PAGE, PAGE_URI, UI_TYPE } from "../../support/mcp/ui-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";

const KINDS: readonly ServerKind[] = ["modern", "legacy stateless", "legacy stateful"];
type Desk = Awaited<ReturnType<typeof openMcpDesk>>;
type Refusal = Readonly<Record<"code" | "kind" | "detail", string>>;

async function open(kind: ServerKind = "modern", server: object = {}) {
  const mcp = await startOfficialServer(kind, addPages);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openMcpDesk(mcp.url, { server }) };
}

async function openLiar(read: RawMethod, server: object = {}) {
  const mcp = await startRawServer({ "resources/read": read });
  onTestFinished(() => mcp.stop());
  return openMcpDesk(mcp.url, { server });
}

const pageAt = (desk: Pick<Desk, "path" | "server_id">, uri: string = PAGE_URI) =>
  `${desk.path}/mcp-resources?server_id=${desk.server_id}&uri=${encodeURIComponent(uri)}`;

async function read(desk: Desk, uri?: string, key = desk.key) {
  const response = await openRequest("GET", pageAt(desk, uri), { key });
  const { status, headers } = response;
  const of = (name: string) => headers.get(name);
  return { status, of, text: await response.text() };
}

async function refusal(desk: Desk, uri?: string) {
  const { status, body } = await request<Refusal>("GET", pageAt(desk, uri), { key: desk.key });
  return [status, body.code, body.kind, body.detail];
}

/** A token of the session's end user, with one verb. */
async function tokenOf(desk: Pick<Desk, "path" | "key">, verb = "read"): Promise<string> {
  const { key, path } = desk;
  const body = { verbs: [verb], ttl_seconds: 600 };
  const made = await request<{ token: string }>("POST", `${path}/tokens`, { key, body });
  return made.body.token;
}

for (const [rows, breadth] of sampled(KINDS, 1))
  describe.each(rows)("a %s server", breadth, (kind) => {
    it("gives a page, which its tool's result names and the end user's token may read", async () => {
      const { mcp, desk } = await open(kind, { stateful: kind === "legacy stateful" });
      const { results } = await desk.say("/call mcp__wh__show_order {}\n/say There.");
      const before = mcp.sessions;
      const page = await read(desk, PAGE_URI, await tokenOf(desk));

      expect(results[0]?.["metadata"]).toMatchObject({
        mcp: {
          ui: { resource_uri: PAGE_URI, visibility: ["model", "app"] },
          structured_content: { shelf: 7 },
          meta: { ui: { prefersBorder: true } },
        },
      });
      expect([page.status, page.text]).toEqual([200, PAGE]);
      const headers = [
        "content-type",
        "content-security-policy",
        "permissions-policy",
        "x-content-type-options",
        "cross-origin-resource-policy",
        "cache-control",
        "content-disposition",
      ];
      expect(headers.map(page.of)).toEqual([
        `${UI_TYPE};charset=utf-8`,
        [
          "sandbox allow-scripts allow-forms; default-src 'none'",
          "script-src 'unsafe-inline' https://*.cdn.example:8443",
          "style-src 'unsafe-inline' https://*.cdn.example:8443",
          "img-src data: blob: https://*.cdn.example:8443",
          "font-src data: https://*.cdn.example:8443",
          "media-src data: blob: https://*.cdn.example:8443",
          "connect-src https://api.warehouse.example",
          "frame-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'",
        ].join("; "),
        "camera=*, microphone=(), geolocation=(), clipboard-write=()",
        "nosniff",
        "same-origin",
        "no-store",
        null,
      ]);
      // A stateful server is asked in the session that it has given to the conversation.
      if (kind === "legacy stateful") expect([before, mcp.sessions]).toEqual([1, 1]);
    });

    it("keeps a tool that is for its pages alone from the model, and not from programs", async () => {
      const { desk } = await open(kind);
      await desk.say("/say Hello.");
      const call = `/v1/mcp-servers/${desk.server_id}/tools/refresh_order/call`;
      const { body } = await request("POST", call, { key: desk.key, body: {} });

      const offered = await offeredTools(desk);
      expect(offered).toContain("mcp__wh__show_order");
      expect(offered).not.toContain("mcp__wh__refresh_order");
      expect(body["content"]).toEqual([{ type: "text", text: "Shelf 8." }]);
    });
  });

it("what is no page of the extension is a download that runs nothing", BROAD, async () => {
  const { desk } = await open();
  const other = await read(desk, "ui://warehouse/plain");

  expect([other.status, other.of("content-type"), other.of("content-disposition")]).toEqual([
    200,
    "application/octet-stream",
    "attachment",
  ]);
  expect(other.of("content-security-policy")).toBe(
    "sandbox; default-src 'none'; frame-ancestors 'none'",
  );
});

it("the platform says to servers that apps show pages", async () => {
  const capabilities: unknown[] = [];
  const mcp = await startRawServer({
    initialize: ({ params }) => {
      capabilities.push((params as { capabilities?: unknown }).capabilities);
      const serverInfo = { name: "raw", version: "1" };
      return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    },
  });
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  await desk.say("/say Hello.");

  expect(capabilities[0]).toMatchObject({
    extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [UI_TYPE] } },
  });
});

describe("nothing is asked of a server for", BROAD, () => {
  it.each([
    "https://warehouse.example/page",
    "file:///etc/passwd",
    "UI://warehouse/order",
    "ui://",
    "ui://a b",
    "ui://a\r\nX: 1",
    `ui://${"a".repeat(2_048)}`,
  ])("the address %j", async (uri) => {
    const { mcp, desk } = await open();
    const { status, body } = await request<{ code: string; errors: { pointer: string }[] }>(
      "GET",
      pageAt(desk, uri),
      { key: desk.key },
    );

    expect([status, body.code, body.errors[0]?.pointer]).toEqual([
      400,
      "validation_failed",
      "#/query/uri",
    ]);
    expect(mcp.requests).toEqual([]);
  });

  it("another session's agent, tenant, or end user", async () => {
    const { mcp, desk } = await open();
    const { key } = desk;
    const agent = await createAgent(key);
    const other = { ...desk, path: `/v1/sessions/${await createSession(key, agent)}` };
    const sibling = { ...desk, path: `/v1/sessions/${await createSession(key, desk.agent)}` };
    const stranger = await createTenant();
    const own = { path: `/v1/sessions/${await createSession(stranger.key)}`, key: stranger.key };

    const answers = [
      // A server of the tenant, which this session's agent does not name.
      await read(other),
      // The session's own server, of another tenant's session, and of a key of another tenant.
      await read({ ...desk, ...own }),
      await read(desk, PAGE_URI, stranger.key),
      // Another end user's token, one without the verb, and none.
      await read(desk, PAGE_URI, await tokenOf(sibling)),
      await read(desk, PAGE_URI, await tokenOf(desk, "reply")),
      await read(desk, PAGE_URI, ""),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 403, 401]);
    expect(mcp.requests).toEqual([]);
  });
});

/** More than any page may have, as fast as it is taken. */
const flood: RawMethod = async ({ id }, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write(`{"jsonrpc":"2.0","id":"${id}","result":{"filler":"`);
  const piece = "x".repeat(1_000_000);
  const closed = new Promise((resolve) => response.once("close", resolve));
  for (let sent = 0; sent < 100 && !response.destroyed; sent += 1) {
    if (response.write(piece)) continue;
    await Promise.race([closed, new Promise((resolve) => response.once("drain", resolve))]);
  }
  response.end('"}}');
  return undefined;
};
const give =
  (content: object): RawMethod =>
  () => ({ contents: [{ uri: PAGE_URI, mimeType: UI_TYPE, text: PAGE, ...content }] });
const LIE = "The MCP server wh answered with something else than this resource.";

describe("a server that", BROAD, () => {
  it.each([
    [
      "answers 100 MB",
      flood,
      ["too_large", "The MCP server wh answered with more than 5000000 bytes."],
    ],
    ["gives another resource", give({ uri: "ui://warehouse/other" }), ["malformed_answer", LIE]],
    ["gives nothing", () => ({ contents: [] }), ["malformed_answer", LIE]],
    ["gives no list", () => ({ contents: PAGE }), ["malformed_answer", LIE]],
    ["gives no text", give({ text: 7 }), ["malformed_answer", LIE]],
    ["gives half of base64", give({ text: undefined, blob: "a" }), ["malformed_answer", LIE]],
    [
      "never answers",
      () => undefined,
      ["timeout", "The MCP server wh did not answer within 1000 ms."],
    ],
    [
      "redirects",
      (_message: object, response: Parameters<RawMethod>[1]) => {
        response.writeHead(302, { location: "http://127.0.0.1:1/stolen" }).end();
        return undefined;
      },
      ["redirect", "The MCP server wh answered 302, a redirect; redirects are not followed."],
    ],
  ] as const)("%s is refused", async (what, answer, expected) => {
    const desk = await openLiar(answer, what === "never answers" ? { timeout_ms: 1_000 } : {});

    expect(await refusal(desk)).toEqual([502, "mcp_failed", ...expected]);
  });

  it("is not there is refused, and so is one that was deleted", async () => {
    const { mcp, desk } = await open();
    await mcp.stop();
    const gone = await refusal(desk);
    await request("DELETE", `/v1/mcp-servers/${desk.server_id}`, { key: desk.key });

    expect(gone.slice(0, 2)).toEqual([502, "mcp_failed"]);
    expect((await refusal(desk)).slice(0, 2)).toEqual([404, "not_found"]);
  });

  it("puts directives into its origins adds none to the policy", async () => {
    const evil = [
      "https://a.example; script-src *",
      "https://b.example\r\nSet-Cookie: a=1",
      "'unsafe-eval'",
      "*",
      "https://*",
      "https://*.com",
      "data:",
      "https://c.example/path",
      "https://user@d.example",
      "http://e.example",
      "https://f.example,https://g.example",
      7,
      "HTTPS://Good.example/",
    ];
    const csp = {
      connectDomains: evil,
      resourceDomains: evil,
      frameDomains: evil,
      baseUriDomains: evil,
    };
    const desk = await openLiar(give({ _meta: { ui: { csp, permissions: "camera" } } }));
    const { of, text } = await read(desk);

    expect(text).toBe(PAGE);
    expect(of("set-cookie")).toBe(null);
    expect(of("permissions-policy")).toBe(
      "camera=(), microphone=(), geolocation=(), clipboard-write=()",
    );
    const good = "https://good.example";
    expect(of("content-security-policy")).toBe(
      [
        "sandbox allow-scripts allow-forms; default-src 'none'",
        `script-src 'unsafe-inline' ${good}; style-src 'unsafe-inline' ${good}`,
        `img-src data: blob: ${good}; font-src data: ${good}; media-src data: blob: ${good}`,
        `connect-src ${good}; frame-src ${good}; base-uri ${good}`,
        "object-src 'none'; form-action 'none'",
      ].join("; "),
    );
  });

  it("declares origins without end has as many of them as headers hold", async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `https://host-${index}.example`);
    const desk = await openLiar(give({ _meta: { ui: { csp: { resourceDomains: many } } } }));
    const { status, of } = await read(desk);

    expect(status).toBe(200);
    expect(of("content-security-policy")?.length).toBeLessThan(6_000);
  });

  it("sends a page as base64 is read", async () => {
    const desk = await openLiar(
      give({ text: undefined, blob: Buffer.from(PAGE).toString("base64") }),
    );

    expect((await read(desk)).text).toBe(PAGE);
  });
});
