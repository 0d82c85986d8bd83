// Tasks of MCP servers in the list of a session's tasks, and people who stop one.
import { expect, onTestFinished, test } from "vitest";

import type { SessionTask, SessionTaskList } from "../../../protocol/background/contract.ts";
import { ACT, lookedAt, openTaskDesk, statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { startTaskServer } from "../../support/mcp/task-server.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";
import { BROAD } from "../../support/breadth.ts";

async function open() {
  const mcp = await startTaskServer("modern");
  onTestFinished(() => mcp.stop());
  const desk = await openTaskDesk(mcp.url);
  const { key, path } = desk;
  const list = async () =>
    (await request<SessionTaskList>("GET", `${path}/tasks`, { key })).body.data;
  const cancel = (id: string) =>
    request<SessionTask>("POST", `${path}/tasks/${id}/cancel`, { key });
  return { mcp, desk, list, cancel };
}

test("a task of a server is listed under an id of the platform's while its call waits", async () => {
  const { mcp, desk, list } = await open();
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const { id: ofServer } = await lookedAt(mcp, 0);
  const [first, ...others] = await list();
  const [again] = await list();
  mcp.finish(0, "all of it");
  const reply = await desk.settled(id);

  expect([others, again?.id]).toEqual([[], first?.id]);
  expect(first).toEqual({
    id: expect.stringMatching(/^task_[0-9a-z]{26}$/),
    kind: "mcp",
    reply_id: id,
    tool_call_id: expect.any(String),
    tool_name: "mcp__wh__act",
    status: "working",
    message: first?.message,
    waits_for: null,
    created_at: expect.any(String),
    expires_at: expect.any(String),
    ended_at: null,
    woken_reply_id: null,
    paused: false,
  });
  expect(JSON.stringify(first)).not.toContain(ofServer);
  expect([statesOf(reply), await list()]).toEqual([["success"], []]);
});

test(
  "a person stops it: its call ends with an error, its server is told, and the reply goes on",
  BROAD,
  async () => {
    const { mcp, desk, list, cancel } = await open();
    const id = await desk.begin(`${ACT}\n/say Then without it.`);
    const task = await lookedAt(mcp, 0);
    const [listed] = await list();
    const stopped = await cancel(listed?.id ?? "");
    const reply = await desk.settled(id);
    await waitFor(() => expect(task.cancelled).toBe(true));

    expect([stopped.status, stopped.body.status]).toEqual([200, "cancelled"]);
    expect([reply.status, statesOf(reply), textsOf(reply)]).toEqual([
      "completed",
      ["error"],
      ["The task was stopped by a person. It is not known how much of its work was done."],
    ]);
    expect((await cancel(listed?.id ?? "")).status).toBe(404);
  },
);
