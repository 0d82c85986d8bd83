/** @module-tag broad */
// A call that waits for a task, as streams, runs of AG-UI and webhooks have it: nobody has to answer, so nobody is asked.
import { expect, it, onTestFinished } from "vitest";

import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { openPage, openSignInDesk } from "../../support/mcp/sign-in-desk.ts";
import { ACT, lookedAt, openTaskDesk, statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { startTaskServer } from "../../support/mcp/task-server.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open(options?: Parameters<typeof openTaskDesk>[1]) {
  const mcp = await startTaskServer("modern");
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openTaskDesk(mcp.url, options) };
}

it("is part of a run of AG-UI that goes on to its end, without an interrupt", async () => {
  const { mcp, desk } = await open();
  const running = await openRequest("POST", `/v1/agents/${desk.agent}/ag-ui`, {
    key: desk.key,
    body: {
      threadId: crypto.randomUUID(),
      runId: "run-1",
      state: {},
      messages: [{ id: "m1", role: "user", content: `${ACT}\n/say Done.` }],
      tools: [],
      context: [],
      forwardedProps: {},
    },
  });
  await lookedAt(mcp, 0, 2);
  mcp.finish(0, "all of it");
  const frames = (await running.text())
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as object] : []));
  const types = frames.map((frame) => (frame as { type: string }).type);

  expect(types.filter((type) => type.startsWith("RUN_"))).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(frames.at(-1)).not.toHaveProperty("outcome.interrupts");
  expect(
    frames.find((frame) => "type" in frame && frame.type === "TOOL_CALL_RESULT"),
  ).toMatchObject({ content: "all of it" });
});

it("leaves the stream of its reply open, and is in the log when it begins to wait and when it goes on", async () => {
  const { mcp, desk } = await open();
  const { key, path } = desk;
  const id = await desk.begin(`${ACT}\n/say Done.`);
  await lookedAt(mcp, 0);
  const stream = openRequest("GET", `${path}/events?reply_id=${id}&after=0`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  mcp.finish(0, "all of it");
  const frames = await readSse(await stream);
  const events = frames.map(
    ({ data }) => JSON.parse(data) as { type: string; name?: string; value?: object },
  );
  const ofTask = events.filter(({ name }) => name === "mcp_task").map(({ value }) => value);

  expect(ofTask).toMatchObject([
    { waits: true, server: "wh", status: "working", message: null },
    { waits: false, server: "wh", status: "completed", message: null },
  ]);
  expect(events.map(({ type }) => type)).not.toContain("REQUIRE_EXTERNAL_EXECUTION");
  expect(events.at(-1)?.type).toBe("REPLY_END");
  expect(JSON.stringify(events)).not.toContain(mcp.tasks[0]?.id);
});

it("ends its call when its server refuses the credential, and says that the outcome is unknown", async () => {
  const { mcp, desk } = await open();
  const id = await desk.begin(`${ACT}\n/say Done.`);
  await lookedAt(mcp, 0);
  mcp.raw.on("tasks/get", (_message, response) => {
    response.writeHead(401).end();
    return undefined;
  });
  const reply = await desk.settled(id);

  expect(statesOf(reply)).toEqual(["error"]);
  expect(textsOf(reply)[0]).toMatch(/answered 401.*outcome is unknown/);
});

it("begins behind the confirmation of its call", async () => {
  const { mcp, desk } = await open({ tool: { permissions: { "*": "ask" } } });
  const { key, path } = desk;
  const id = await desk.begin(`${ACT}\n/say Done.`);
  const asked = await desk.settled(id);
  const confirm_results = asked.pending.map(({ tool_call }) => ({ confirmed: true, tool_call }));
  await request("POST", `${path}/events`, {
    key,
    body: { type: "USER_CONFIRM_RESULT", reply_id: id, confirm_results },
  });
  await lookedAt(mcp, 0);
  const waiting = await waitFor(() => desk.read(id));
  mcp.finish(0, "all of it");

  expect([asked.status, waiting.status]).toEqual(["awaiting_permission", "running"]);
  expect(textsOf(await desk.settled(id))).toEqual(["all of it"]);
});

it("parks for a sign-in that has expired meanwhile, and goes on with the same task", async () => {
  const mcp = await startTaskServer("modern");
  const server = await startAuthorizationServer({}, mcp.url);
  onTestFinished(() => server.stop());
  onTestFinished(() => mcp.stop());
  const desk = await openSignInDesk(server);
  const person = await desk.openSession("ada");
  const signIn = async ({ pending }: { readonly pending: readonly Waiting[] }): Promise<void> => {
    const { url = "", connection_id = "" } = pending[0]?.authorization ?? {};
    const { code } = await openPage(await server.signIn(url, "Ada"));
    const path = `/v1/connections/${connection_id}/complete`;
    await request("POST", path, { key: desk.key, body: { code } });
  };
  const first = await person.say("/call mcp__wh__sign_in {}\n/say Thanks.");
  await signIn(first);
  await person.settled(first.id);
  const body = { input: `${ACT}\n/say Done.`, background: true };
  const begun = await request<{ id: string }>("POST", `${person.path}/replies`, {
    key: desk.key,
    body,
  });
  await lookedAt(mcp, 0);
  server.revokeAll();
  const parked = await person.settled(begun.body.id);
  await signIn(parked);
  mcp.finish(0, "all of it");
  const reply = await person.settled(begun.body.id);

  expect(parked.pending).toMatchObject([
    { kind: "external_result", tool_call: { name: "mcp__wh__act" }, authorization: {} },
  ]);
  expect([reply.status, mcp.posted("tools/call").length]).toEqual(["completed", 1]);
  expect(JSON.stringify(reply.message)).toContain("all of it");
});

interface Waiting {
  readonly authorization?: { readonly connection_id: string; readonly url: string };
}
