// Rights of the page of an MCP server in a browser: nothing that its server did not declare, and nothing through what
// it declares but origins.
import { describe, expect, it } from "vitest";

import {
  declaredOrigins,
  uiContentPolicy,
  uiPermissionsPolicy,
} from "../../../agent/mcp/ui-policy.ts";
import { MAX_MCP_UI_ORIGINS_CHARACTERS } from "../../../protocol/mcp/limits.ts";

const CLOSED =
  "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
  "img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; frame-src 'none'; base-uri 'none'; " +
  "object-src 'none'; form-action 'none'";

/** The origins that are left of these. */
function kept(...listed: readonly unknown[]): readonly string[] {
  return declaredOrigins({ connectDomains: listed }).connectDomains;
}

describe("the content policy of a page", () => {
  it.each([
    undefined,
    null,
    "https://a.example",
    [],
    7,
    {},
    { connectDomains: "https://a.example" },
  ])("is closed where %j is declared", (csp) => {
    expect(uiContentPolicy(csp)).toBe(CLOSED);
  });

  it("is opened by each list for what it is of, and for nothing else", () => {
    const declared = {
      resourceDomains: ["https://r.example"],
      connectDomains: ["https://c.example", "wss://c.example"],
      frameDomains: ["https://f.example"],
      baseUriDomains: ["https://b.example"],
    };

    expect(uiContentPolicy(declared)).toBe(
      "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline' https://r.example; " +
        "style-src 'unsafe-inline' https://r.example; img-src data: blob: https://r.example; " +
        "font-src data: https://r.example; media-src data: blob: https://r.example; " +
        "connect-src https://c.example wss://c.example; frame-src https://f.example; base-uri https://b.example; " +
        "object-src 'none'; form-action 'none'",
    );
  });
});

describe("an origin", () => {
  it.each([
    ["https://a.example", "https://a.example"],
    ["https://A.Example/", "https://a.example"],
    ["https://a-b.example:8443", "https://a-b.example:8443"],
    ["wss://a.example", "wss://a.example"],
    ["https://localhost", "https://localhost"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["ws://127.0.0.1:3000", "ws://127.0.0.1:3000"],
    ["https://*.a.example", "https://*.a.example"],
    [`https://${"a".repeat(63)}.example`, `https://${"a".repeat(63)}.example`],
  ])("is %s", (listed, origin) => {
    expect(kept(listed)).toEqual([origin]);
  });

  it.each([
    "",
    "*",
    "https:",
    "https://",
    "https://*",
    "https://*.example",
    "https://a.*.example",
    "https://*a.b.example",
    "http://a.example",
    "ws://a.example",
    "http://127.0.0.2",
    "http://127x0.0.1",
    "http://localhost.example",
    "data:",
    "blob:",
    "'unsafe-eval'",
    "a.example",
    "https://a.example/path",
    "https://a.example//",
    "https://a.example?x",
    "https://a.example#x",
    "https://u:p@a.example",
    "https://a.example; script-src *",
    "https://a.example https://b.example",
    "https://a.example\n",
    " https://a.example",
    "xhttps://a.example",
    "https://a.example:",
    "https://a.example:123456",
    "https://a.example:8x",
    "https://-a.example",
    "https://a-.example",
    "https://.example",
    "https://a..example",
    "https://a_b.example",
    "https://é.example",
    `https://${"a".repeat(64)}.example`,
    7,
    null,
    ["https://a.example"],
    { toString: () => "https://a.example" },
  ])("is not %j", (listed) => {
    expect(kept(listed, "https://z.example")).toEqual(["https://z.example"]);
  });

  it("is listed once", () => {
    expect(kept("https://a.example", "https://A.example/", "https://b.example")).toEqual([
      "https://a.example",
      "https://b.example",
    ]);
  });

  it("has its place in a list of bounded length, whose rest is left out", () => {
    // 20 characters, and one between each two.
    const many = Array.from({ length: 60 }, (_, index) => `https://a${100 + index}.example`);
    const room = Math.floor((MAX_MCP_UI_ORIGINS_CHARACTERS + 1) / 21);
    const long = `https://${"a".repeat(60)}.${"b".repeat(60)}.example`;

    expect(many[0]).toHaveLength(20);
    expect(kept(...many)).toEqual(many.slice(0, room));
    // One that is too long for what is left makes room for a shorter one behind it.
    expect(kept(...many.slice(0, room - 2), long, "https://z.example")).toEqual([
      ...many.slice(0, room - 2),
      "https://z.example",
    ]);
  });
});

describe("the permissions of a page", () => {
  const closed = "camera=(), microphone=(), geolocation=(), clipboard-write=()";

  it.each([
    undefined,
    null,
    "camera",
    [],
    { camera: true },
    { camera: [] },
    { camera: null },
    { payment: {} },
  ])("are none where %j is declared", (permissions) => {
    expect(uiPermissionsPolicy(permissions)).toBe(closed);
  });

  it("are those that it asks for", () => {
    expect(uiPermissionsPolicy({ microphone: {}, clipboardWrite: { x: 1 }, usb: {} })).toBe(
      "camera=(), microphone=*, geolocation=(), clipboard-write=*",
    );
  });
});
