// Pages of MCP servers over AG-UI: the activity that names one, and the request by which front ends
// read it.
import { expect, it, onTestFinished } from "vitest";

import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { addPages, PAGE, PAGE_URI, UI_TYPE } from "../../support/mcp/ui-server.ts";
import { createSession, createTenant, openRequest } from "../../support/platform-client.ts";
import { readRun, refusalOf, typesOf } from "../../support/run-answer.ts";

async function open() {
  const mcp = await startOfficialServer("modern", addPages);
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url);
  const threadId = desk.path.replace("/v1/sessions/", "");
  return { mcp, desk, threadId };
}

interface Shown {
  readonly messageId: string;
  readonly activityType: string;
  readonly content: unknown;
}

const requestOf = (server_id: string, more: object = {}) => ({
  __proxiedMCPRequest: {
    serverHash: server_id,
    serverId: server_id,
    method: "resources/read",
    params: { uri: PAGE_URI },
    ...more,
  },
});

it("a result with a page is an activity, live and in a snapshot, and the page is read by a run", async () => {
  const { desk, threadId } = await open();
  const path = `/v1/agents/${desk.agent}/ag-ui`;
  const run = async (input: object) => {
    const body = { threadId, runId: crypto.randomUUID(), messages: [], ...input };
    return readRun(await openRequest("POST", path, { key: desk.key, body }));
  };
  const content = '/call mcp__wh__show_order {"order_id":"A-1"}\n/say There.';
  const messages = [{ id: crypto.randomUUID(), role: "user", content }];
  const { frames } = await run({ messages });
  const [shown] = frames.filter(({ event }) => event.type === "ACTIVITY_SNAPSHOT");
  if (!shown) throw new Error("the run shows no page");
  const { activityType, content: shownContent, messageId: id } = shown.event as unknown as Shown;
  const activity = { activityType, content: shownContent };
  const join = `${path}?thread_id=${threadId}`;
  const joined = await readRun(await openRequest("GET", join, { key: desk.key }));
  const snapshot = joined.frames.find(({ event }) => event.type === "MESSAGES_SNAPSHOT")?.event;
  const read = await run({ forwardedProps: requestOf(desk.server_id) });

  expect(activity).toMatchObject({
    activityType: "mcp-apps",
    content: { resourceUri: PAGE_URI, serverId: desk.server_id, toolInput: { order_id: "A-1" } },
  });
  expect(snapshot?.["messages"]).toContainEqual({ id, role: "activity", ...activity });
  expect(typesOf(read)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(read.frames[1]?.event["result"]).toMatchObject({
    contents: [{ uri: PAGE_URI, mimeType: UI_TYPE, text: PAGE }],
  });
});

it("a page reads pages of its conversation's servers alone, and calls no tool", async () => {
  const { mcp, desk, threadId } = await open();
  const other = await createSession(desk.key);
  const stranger = await createTenant();
  const ask = async (more: object, thread = threadId, key = desk.key) => {
    const forwardedProps = requestOf(desk.server_id, more);
    const body = { threadId: thread, runId: crypto.randomUUID(), messages: [], forwardedProps };
    const path = `/v1/agents/${desk.agent}/ag-ui`;
    return refusalOf(await readRun(await openRequest("POST", path, { key, body })));
  };
  const before = mcp.requests.length;
  const at = (member: string) => [`#/forwardedProps/__proxiedMCPRequest/${member}`];

  const call = { method: "tools/call", params: { name: "refresh_order", arguments: {} } };
  expect(await ask(call)).toEqual([400, "validation_failed", at("method")]);
  expect(await ask({ method: undefined })).toEqual([400, "validation_failed", at("method")]);
  const file = { params: { uri: "file:///etc/passwd" } };
  expect(await ask(file)).toEqual([400, "validation_failed", at("params/uri")]);
  const foreign = { serverId: "mcp_01kaj2vm5p8r2t6v9x3z7b1d4f" };
  expect((await ask(foreign)).slice(0, 2)).toEqual([404, "not_found"]);
  expect((await ask({}, other)).slice(0, 2)).toEqual([404, "not_found"]);
  expect((await ask({}, threadId, stranger.key)).slice(0, 2)).toEqual([404, "not_found"]);
  expect(mcp.calls).toEqual([]);
  expect(mcp.requests).toHaveLength(before);
});
