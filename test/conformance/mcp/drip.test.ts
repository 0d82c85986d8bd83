/** @module-tag broad */
// Servers that answer a byte at a time, or give sessions that no header holds; and pages of sign-ins with forged words.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { openMcpDesk, sayWithTools } from "../../support/mcp/mcp-desk.ts";
import { startRawServer } from "../../support/mcp/raw-server.ts";
import { openPage, openSignInDesk } from "../../support/mcp/sign-in-desk.ts";
import { waitFor } from "../../support/wait-for.ts";

it.each(["application/json", "text/event-stream"])(
  "a body of %s that comes a byte at a time is left after the timeout",
  async (type) => {
    const mcp = await startRawServer({
      "tools/call": (_message, response) => {
        response.writeHead(200, { "content-type": type });
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
        return undefined;
      },
    });
    onTestFinished(() => mcp.stop());
    const desk = await openMcpDesk(mcp.url, { server: { timeout_ms: 1_000 } });
    // On a busy machine a call may reach the server only after its timeout: then another one is made.
    const reply = await waitFor(async () => {
      const said = await sayWithTools(desk, "/call mcp__wh__act {}\n/say So be it.");
      if (!mcp.methods.includes("tools/call")) throw new Error("the call reached it too late");
      return said;
    });

    expect([reply.status, desk.textOf(reply.results[0])]).toEqual([
      "completed",
      "The MCP server wh did not answer within 1000 ms.",
    ]);
    expect(mcp.methods.filter((method) => method === "tools/call")).toHaveLength(1);
  },
);

it.each([10_000, 1_000_000])(
  "a session's id of %i characters is refused, and the reply ends well",
  async (size) => {
    const mcp = await startRawServer({
      initialize: (_message, response) => {
        response.setHeader("mcp-session-id", "x".repeat(size));
        response.writeHead(200, { "content-type": "application/json" });
        response.end("{}");
        return undefined;
      },
    });
    onTestFinished(() => mcp.stop());
    const desk = await openMcpDesk(mcp.url);
    const reply = await desk.say("/say So be it.");

    expect([reply.status, reply.hints.length]).toEqual(["completed", 1]);
    expect(mcp.methods).not.toContain("tools/list");
  },
);

it("what an authorization server says of a failure is not on the page, and a forged state ends nothing", async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const ada = await desk.openSession("ada");
  const asked = await ada.say("/call mcp__wh__sign_in {}\n/say So be it.");
  const url = asked.pending[0]?.authorization?.url ?? "";
  const back = new URL(await server.signIn(url, "nobody"));
  back.searchParams.set("error_description", "<script>alert(1)</script>");
  back.searchParams.set("error", '"><img src=x onerror=alert(1)>');
  const forged = new URL(back);
  forged.searchParams.set("state", `${back.searchParams.get("state")}x`);
  const unknown = await openPage(forged.href);
  const before = await ada.reply(asked.id);
  const page = await openPage(back.href);

  expect([unknown.status, before.status, page.status]).toEqual([
    404,
    "awaiting_external_result",
    200,
  ]);
  expect(unknown.html + page.html).not.toMatch(/alert|onerror|<img/);
});
