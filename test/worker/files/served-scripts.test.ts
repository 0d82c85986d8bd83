// Uploads that a page could run or be styled by: on the origin of the console, and on that of any other site.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { FileLink } from "../../../protocol/files/contract.ts";
import { ask, makeTenant, send, type Call } from "../support/api.ts";
import { PNG, upload } from "./files.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** The headers of a file at a link, which needs no credential. */
async function linkedHeaders(call: Call, body: BodyInit, type: string): Promise<Headers> {
  const file = await upload(call, body, { type });
  const link = await ask<FileLink>("POST", `/v1/files/${file.json.id}/links`, {
    ...call,
    json: {},
  });
  const { pathname } = new URL(link.json.url);
  const answer = await send("GET", pathname);
  await answer.arrayBuffer();
  expect(answer.headers.get("Content-Type")).toMatch(new RegExp(`^${type.replace("+", "\\+")}`));
  return answer.headers;
}

describe("a file that is linked", () => {
  test.each([
    ["text/javascript", "alert(1)", "same-origin"],
    ["text/css", "body { color: red }", "same-origin"],
    ["text/html", "<!doctype html><script>alert(1)</script>", "same-origin"],
    ["image/svg+xml", SVG, "cross-origin"],
    ["image/png", PNG, "cross-origin"],
  ])(
    "as %s is what it says, alone, and for the pages that may have it",
    async (type, body, policy) => {
      const { call } = await makeTenant();
      const headers = await linkedHeaders(call, body, type);

      expect([
        headers.get("X-Content-Type-Options"),
        headers.get("Cross-Origin-Resource-Policy"),
        headers.get("Content-Security-Policy"),
      ]).toEqual(["nosniff", policy, "sandbox; default-src 'none'; frame-ancestors 'none'"]);
    },
  );
});

/** Whether a policy lets a page load a script from there, of the sources that are written here. */
function allowsScript(policy: string, address: string): boolean {
  const sources = /script-src ([^;]*)/.exec(policy)?.[1]?.split(" ") ?? [];
  return sources.some((source) =>
    source.endsWith("/") ? address.startsWith(source) : address === source,
  );
}

describe("a page of the platform's own origin", () => {
  test.each(["/console", "/console/sessions/ses_1", "/operator", "/docs", "/docs/deploy"])(
    "%s runs and is styled by no upload",
    async (path) => {
      const { call } = await makeTenant();
      const file = await upload(call, "alert(1)", { type: "text/javascript" });
      const link = await ask<FileLink>("POST", `/v1/files/${file.json.id}/links`, {
        ...call,
        json: {},
      });
      const { headers } = await send("GET", path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      const own = path.startsWith("/docs") ? "/docs/search.js" : "/console/assets/index-1.js";

      expect(policy).not.toMatch(/(?:script|style)-src [^;]*'self'/);
      expect([
        allowsScript(policy, `https://api.test${own}`),
        allowsScript(policy, link.json.url),
        allowsScript(policy, `https://api.test/v1/files/${file.json.id}/content`),
        allowsScript(policy, `https://api.test/console/assets`),
      ]).toEqual([true, false, false, false]);
    },
  );

  test.each([
    [
      "https://agents.example",
      "https://api.test/console/assets/ https://agents.example/console/assets/",
    ],
    ["https://api.test", "https://api.test/console/assets/"],
    ["https://[2606:4700::1]", "https://api.test/console/assets/"],
  ])("behind %s names the folder of its build at both origins", async (PUBLIC_URL, sources) => {
    const { headers } = await send("GET", "/console", { bindings: { ...env, PUBLIC_URL } });

    expect(headers.get("Content-Security-Policy")).toContain(
      `default-src 'none'; script-src ${sources}; style-src ${sources}; connect-src 'self';`,
    );
  });
});
