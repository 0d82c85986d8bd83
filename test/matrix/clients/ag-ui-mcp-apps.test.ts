// Pages of MCP servers over AG-UI, with its released client: the activity that names one, and the request by which front ends
// read it.
import { HttpAgent } from "@ag-ui/client";
import { expect, inject, it, onTestFinished } from "vitest";

import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { addPages, PAGE, PAGE_URI, UI_TYPE } from "../../support/mcp/ui-server.ts";
import { openRequest } from "../../support/platform-client.ts";
import { readRun, typesOf } from "../../support/run-answer.ts";

async function open() {
  const mcp = await startOfficialServer("modern", addPages);
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const threadId = desk.path.replace("/v1/sessions/", "");
  const url = `${inject("baseUrl")}/v1/agents/${desk.agent}/ag-ui`;
  const agent = new HttpAgent({ url, threadId, headers: { Authorization: `Bearer ${desk.key}` } });
  return { desk, threadId, agent };
}

const requestOf = (server_id: string) => ({
  __proxiedMCPRequest: {
    serverHash: server_id,
    serverId: server_id,
    method: "resources/read",
    params: { uri: PAGE_URI },
  },
});

it("a result with a page is an activity, live and in a snapshot, and the page is read by a run", async () => {
  const { desk, threadId, agent } = await open();
  const content = '/call mcp__wh__show_order {"order_id":"A-1"}\n/say There.';
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  await agent.runAgent();
  const live = agent.messages.find(({ role }) => role === "activity");
  const path = `/v1/agents/${desk.agent}/ag-ui?thread_id=${threadId}`;
  const joined = await readRun(await openRequest("GET", path, { key: desk.key }));
  const snapshot = joined.frames.find(({ event }) => event.type === "MESSAGES_SNAPSHOT")?.event;
  const before = agent.messages.length;
  const { result } = await agent.runAgent({ forwardedProps: requestOf(desk.server_id) });

  expect(live).toMatchObject({
    activityType: "mcp-apps",
    content: {
      resourceUri: PAGE_URI,
      serverHash: desk.server_id,
      serverId: desk.server_id,
      toolInput: { order_id: "A-1" },
      result: {
        content: [{ type: "text", text: "Shelf 7." }],
        structuredContent: { shelf: 7 },
        _meta: { ui: { prefersBorder: true } },
        isError: false,
      },
    },
  });
  expect(snapshot?.["messages"]).toContainEqual(live);
  expect(result).toEqual({
    contents: [
      {
        uri: PAGE_URI,
        mimeType: UI_TYPE,
        text: PAGE,
        _meta: {
          ui: {
            csp: {
              connectDomains: ["https://api.warehouse.example"],
              resourceDomains: ["https://*.cdn.example:8443"],
              frameDomains: [],
              baseUriDomains: [],
            },
            permissions: { camera: {} },
          },
        },
      },
    ],
  });
  // The request is no run of the conversation.
  expect(agent.messages).toHaveLength(before);
  const after = await readRun(await openRequest("GET", path, { key: desk.key }));
  expect(typesOf(after)).toEqual(typesOf(joined));
});
