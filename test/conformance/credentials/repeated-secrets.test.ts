// Tools that repeat the credential that they were sent, in every form that servers have for it: neither the model nor the
// log gets it.
import { describe, expect, it, onTestFinished } from "vitest";

import type { CalledTool } from "../../../protocol/tools/tool-calls.ts";
import type { ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import { sampled } from "../../support/breadth.ts";
import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startRawServer } from "../../support/mcp/raw-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { answer, pieces, startToolServer, type ToolRoute } from "../../support/tool-server.ts";

const HEADER_SECRET = `p/ss-w&rd<"1>'-4711`;

const FORMS: readonly [string, (secret: string) => string][] = [
  ["as it is", (secret) => secret],
  ["in JSON", (secret) => JSON.stringify({ key: secret })],
  ["in JSON in JSON", (secret) => JSON.stringify(JSON.stringify({ key: secret }))],
  ["in JSON of PHP", (secret) => JSON.stringify({ key: secret }).replaceAll("/", "\\/")],
  [
    "in JSON of Go",
    (secret) =>
      JSON.stringify({ key: secret }).replaceAll(
        /[<>&]/g,
        (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`,
      ),
  ],
  ["in an address", (secret) => `/login?key=${encodeURIComponent(secret)}`],
  ["in a form", (secret) => String(new URLSearchParams({ key: secret }))],
  ["in hex", (secret) => Buffer.from(secret).toString("hex")],
  ["in capital hex", (secret) => Buffer.from(secret).toString("hex").toUpperCase()],
  ["in base64", (secret) => Buffer.from(secret).toString("base64")],
  ["in Basic's base64", (secret) => Buffer.from(`user:${secret}`).toString("base64")],
  ["in base64 for addresses", (secret) => Buffer.from(secret).toString("base64url")],
  [
    "in HTML",
    (secret) =>
      secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;")
        .replaceAll("'", "&#39;"),
  ],
];

/** Whether a text still has four characters in a row of what the server wrote. */
function isLeft(shown: string, written: string): boolean {
  const parts = written.match(/[A-Za-z0-9+/%&;-]{12,}/g) ?? [written];
  return parts.some((part) => shown.includes(part));
}

async function credentialFor(key: string, url: string): Promise<string> {
  const made = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: {
      name: "Shop",
      type: "tool",
      secret: HEADER_SECRET,
      allowed_hosts: [new URL(url).host],
    },
  });
  return made.body.id;
}

/** The result of a call by hand of a tool that answers so. */
async function called(route: ToolRoute): Promise<CalledTool["result"]> {
  const server = await startToolServer({ "/pay": route });
  onTestFinished(() => server.stop());
  const { key } = await createTenant();
  const credential_id = await credentialFor(key, server.url);
  const tool = { type: "http", name: "pay", url: `${server.url}/pay`, credential_id };
  const agent = await createAgent(key, { tools: [tool] });
  const path = `/v1/agents/${agent}/tools/pay/call`;
  return (await request<CalledTool>("POST", path, { key, body: { input: {} } })).body.result;
}

for (const [rows, breadth] of sampled(FORMS, 2))
  describe.each(rows)("the credential of a tool, %s", breadth, (_form, write) => {
    const written = write(HEADER_SECRET);

    it("is not in the failure of an http tool that repeats it", async () => {
      const { state, output } = await called(answer(`Refused: ${written}!`, "text/plain", 401));

      const shown = output.map((block) => (block.type === "text" ? block.text : "")).join("");
      expect(state).toBe("error");
      expect(shown).toContain("Refused: ");
      expect(shown).toContain("[redacted]");
      expect(isLeft(shown, written)).toBe(false);
    });

    it("is not in the result of an MCP tool that repeats it", async () => {
      const mcp = await startRawServer({
        "tools/call": () => ({
          content: [{ type: "text", text: `Called with ${written}.` }],
          structuredContent: { said: written },
          _meta: { said: [written] },
        }),
      });
      onTestFinished(() => mcp.stop());
      const desk = await openMcpDesk(mcp.url);
      const credential_id = await credentialFor(desk.key, mcp.url);
      const path = `/v1/mcp-servers/${desk.server_id}`;
      await request("PATCH", path, { key: desk.key, body: { credential_id } });

      const { results } = await desk.say("/call mcp__wh__act {}\n/say Done.");

      expect(desk.textOf(results[0])).toContain("[redacted]");
      const { metadata } = results[0] as unknown as ToolResultBlock;
      expect(JSON.stringify(metadata).split("[redacted]").length).toBeGreaterThan(2);
      const shown = [
        desk.textOf(results[0]),
        ...Object.values(metadata["mcp"] as object).flatMap((one) => JSON.stringify(one)),
      ];
      expect(shown.some((text) => isLeft(text, written))).toBe(false);
    });
  });

it("a credential that is cut into pieces of a stream is found, and other words stay", async () => {
  const data = [...`Key ${HEADER_SECRET} is p/ss-w&rd, no.`].map(
    (letter) => `data: ${JSON.stringify({ delta: letter })}\n\n`,
  );
  const end = `data: ${JSON.stringify({ state: "error", metadata: { key: HEADER_SECRET } })}\n\n`;
  const { output, metadata } = await called(
    pieces([...data, end], { contentType: "text/event-stream" }),
  );

  expect(output).toMatchObject([{ type: "text", text: "Key [redacted] is p/ss-w&rd, no." }]);
  expect(metadata).toEqual({ key: "[redacted]" });
});

it("the beginning of a credential at the cut of a long failure is left out", async () => {
  const filler = "x".repeat(2_000 - 12);
  const { output } = await called(answer(`${filler}${HEADER_SECRET}`, "text/plain", 500));

  expect(output).toMatchObject([{ type: "text", text: `The tool answered 500: ${filler} …` }]);
});
