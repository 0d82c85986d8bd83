/** @module-tag broad */
// Calls of MCP servers that wait are in the list of all that waits in a tenant, as they are in their session.
import { expect, it, onTestFinished } from "vitest";

import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { openSignInDesk } from "../../support/mcp/sign-in-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

interface Listed {
  readonly tool_call_id: string;
  readonly elicitation?: object;
  readonly authorization?: object;
}

/** The tenant's only waiting call, when the list has it. */
async function listed(key: string): Promise<Listed> {
  return waitFor(async () => {
    const { body } = await request<{ data: readonly Listed[] }>("GET", "/v1/confirmations", {
      key,
    });
    const [call] = body.data;
    if (!call) throw new Error("nothing is listed yet");
    return call;
  });
}

it("a question is listed with its form", async () => {
  const mcp = await startAskingServer("modern");
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const { pending } = await desk.say("/call mcp__wh__both {}\n/say Done.");
  const call = await listed(desk.key);

  expect(call.tool_call_id).toBe(pending[0]?.tool_call.id);
  expect(call.elicitation).toMatchObject({
    server: "wh",
    round: 1,
    requests: {
      seat: { mode: "form", message: "Which seat?" },
      page: { mode: "url", url: "https://pay.example/42" },
    },
  });
  expect(call.authorization).toBeUndefined();
});

it("a sign-in is listed with its address and its connection", async () => {
  const server = await startAuthorizationServer();
  onTestFinished(() => server.stop());
  const desk = await openSignInDesk(server);
  const ada = await desk.openSession("ada");
  const { pending } = await ada.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  const call = await listed(desk.key);

  expect(call.authorization).toEqual(pending[0]?.authorization);
  expect(call.authorization).toMatchObject({ mcp_server_id: desk.server_id });
  expect(call.elicitation).toBeUndefined();
});
