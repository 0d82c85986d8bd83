/** @module-tag broad */
// The platform killed with kill -9 around background tasks.
import { expect, onTestFinished, test } from "vitest";

import type { Answer } from "../../support/platform-client.ts";
import {
  deskOf,
  reportTool,
  resultOf,
  saidIn,
  startReportServer,
  type BackgroundDesk,
} from "../../support/background-desk.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();
const CALL = "/call report {}\n/say It is on its way.";

async function open(tool: object = {}): Promise<BackgroundDesk> {
  const server = await startReportServer();
  onTestFinished(() => server.stop());
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: (text ? JSON.parse(text) : null) as Body };
  }
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    tools: [reportTool(server, tool)],
  });
  const session = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: agent.body.id });
  return deskOf({ key, session: session.body.id, server, ask });
}

/** To the platform that runs now: its port may be another one. */
async function post(address: string | null | undefined, body: object): Promise<number> {
  const { base_url } = await platform.running();
  const { pathname } = new URL(address ?? "");
  const headers = { "content-type": "application/json" };
  const response = await fetch(base_url + pathname, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return response.status;
}

test("a held request is lost with its machine, and the model is told that the outcome is unknown", async () => {
  const desk = await open();
  await desk.say(CALL);
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  await platform.kill();
  await platform.running();
  const woken = await desk.woken(task_id);
  const [task] = await desk.tasks();

  expect(task).toMatchObject({
    status: "failed",
    message: "Its request was lost with its machine: the outcome is unknown.",
    woken_reply_id: woken.id,
  });
  expect(await post(callback_url, { output: "late" })).toBe(409);
  expect(desk.server.calls("/report")).toBe(1);
  expect(await desk.replies()).toHaveLength(2);
});

test("a result that is posted behind the kill begins its reply", async () => {
  const desk = await open({ background_after_ms: 500_000 });
  const said = desk.say(CALL);
  await desk.server.answer(0, {}, 202);
  await said;
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  await platform.kill();

  expect(await post(callback_url, { output: "/say Posted." })).toBe(200);
  expect(saidIn(await desk.woken(task_id))).toBe("Posted.");
});

test("a result that was taken before the kill is neither lost nor told twice", async () => {
  const desk = await open({ background_after_ms: 500_000 });
  const said = desk.say(CALL);
  await desk.server.answer(0, {}, 202);
  await said;
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  expect(await post(callback_url, { output: "/say Posted." })).toBe(200);
  await platform.kill();
  await platform.running();

  expect(await post(callback_url, { output: "/say Posted." })).toBe(200);
  expect(saidIn(await desk.woken(task_id))).toBe("Posted.");
  expect(await desk.replies()).toHaveLength(2);
});

test("a result that was posted to a call which the kill cut off is the call's result", async () => {
  const desk = await open({ background_after_ms: 500_000 });
  const begun = await desk.ask<{ id: string }>("POST", `/v1/sessions/${desk.session}/replies`, {
    input: CALL,
    background: true,
  });
  const { callback_url } = await desk.server.sent(0);
  const posted = post(callback_url, { output: "as posted" });
  expect(await posted).toBe(200);
  await platform.kill();
  const reply = await waitFor(async () => {
    const path = `/v1/sessions/${desk.session}/replies/${begun.body.id}`;
    const { body } = await desk.ask<Parameters<typeof resultOf>[0]>("GET", path);
    if (body.status === "running") throw new Error("it runs");
    return body;
  });

  expect([reply.status, resultOf(reply)]).toEqual(["completed", "as posted"]);
  expect(desk.server.calls("/report")).toBe(1);
});
