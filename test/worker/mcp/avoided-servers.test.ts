// A server whose catalogue could not be read is left alone for half a minute, by everybody who would have the same of it.
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { MCP_FAILURE_MS } from "../../../protocol/mcp/limits.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { makeMcpServer } from "../support/mcp-server.ts";

const FAILED = "The MCP server wh refused the request with error -32000.";
const REMEMBERED = `${FAILED} That was a moment ago, and it was not asked again.`;

async function open() {
  const { call } = await makeTenant();
  const made = await makeMcpServer(call, {}, "failing-");
  const tools = [{ type: "mcp", server_id: made.server.id }];
  const agent = await makeAgent(call, { name: "Desk", tools });
  const path = `/v1/mcp-servers/${made.server.id}`;
  return {
    call,
    path,
    asked: async () => (await made.calls()).length,
    /** The server's problem as a reply of a session of its own is told it. */
    say: async () => {
      const session = await makeSession(call, { agent_id: agent.id });
      const { json } = await ask<Reply>("POST", `/v1/sessions/${session.id}/replies`, {
        ...call,
        json: { input: "/say Hello." },
      });
      const hints = json.message?.content.filter((block) => block.type === "hint") ?? [];
      return hints.map(({ hint }) =>
        (typeof hint === "string" ? hint : "").split("\n")[1]?.slice(2),
      );
    },
    list: async (query = "") => {
      const { status, json } = await ask<Problem>("GET", `${path}/tools${query}`, call);
      return [status, json["kind"], json.detail];
    },
  };
}

test("the replies of that time are told why, and do not ask anew; after it the next one asks", async () => {
  const { asked, say } = await open();

  expect([await say(), await say(), await asked()]).toEqual([[FAILED], [REMEMBERED], 1]);
  await abortAllDurableObjects();
  expect([await say(), await asked()]).toEqual([[REMEMBERED], 1]);
  advanceClock(MCP_FAILURE_MS);
  expect([await say(), await asked()]).toEqual([[FAILED], 2]);
});

test("its tools are not listed and not called meanwhile, and `refresh=true` asks again", async () => {
  const { call, path, asked, say, list } = await open();
  await say();
  const kept = await list();
  const called = await ask("POST", `${path}/tools/act/call`, { ...call, json: {} });
  const before = await asked();
  const again = await list("?refresh=true");

  const detail = `${REMEMBERED} GET …/tools?refresh=true asks it now. It says: not today`;
  expect(kept).toEqual([502, "tool_error", detail]);
  expect([called.status, called.json.detail]).toEqual([502, detail]);
  expect(again).toEqual([502, "tool_error", `${FAILED} It says: not today`]);
  expect([before, await asked()]).toEqual([1, 2]);
});

test("another address is asked at once, and a server that was deleted is nobody's", async () => {
  const { call, path, asked, say } = await open();
  await say();
  await ask("PATCH", path, { ...call, json: { stateful: true } });
  const changed = await say();
  const looks = await asked();
  await ask("DELETE", path, call);
  const gone = await say();

  expect([changed, looks]).toEqual([[FAILED], 2]);
  expect([gone, await asked()]).toEqual([[expect.stringContaining("does not exist any more")], 2]);
});
