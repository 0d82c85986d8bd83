// Calls of http tools that are let go: by their time, or by a 202 with a result that is posted.
import { expect, inject, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import {
  openBackgroundDesk,
  resultOf,
  saidIn,
  type BackgroundDesk,
} from "../../support/background-desk.ts";
import { waitFor } from "../../support/wait-for.ts";

const CALL = "/call report {}\n/say It is on its way.";

async function post(address: string | null | undefined, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const response = await fetch(address ?? "", { method: "POST", headers, body: text });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The messages of the conversation that have hints. */
async function hints({ ask, session }: BackgroundDesk) {
  const { body } = await ask<{ data: { content: { type: string }[] }[] }>(
    "GET",
    `/v1/sessions/${session}/messages?limit=100`,
  );
  return body.data.filter(({ content }) => content.some(({ type }) => type === "hint"));
}

test("a call that takes longer is let go, and its end begins a reply", async () => {
  const desk = await openBackgroundDesk();
  const reply = await desk.say(CALL);
  const sent = await desk.server.sent(0);
  const id = sent.task_id ?? "";

  expect([reply.status, saidIn(reply)]).toEqual(["completed", "It is on its way."]);
  expect(resultOf(reply)).toBe(
    `The tool works on in the background, as the task ${id}. There is no result yet: you will be told when there is, also after you have answered. Do not call the tool again for the same work, and do not wait for it; ToolStop stops the task.`,
  );
  expect(await desk.tasks()).toEqual([
    {
      id,
      kind: "background",
      reply_id: reply.id,
      tool_call_id: sent.tool_call_id,
      tool_name: "report",
      status: "working",
      message: null,
      waits_for: "request",
      created_at: expect.any(String),
      expires_at: expect.any(String),
      ended_at: null,
      woken_reply_id: null,
      paused: false,
    },
  ]);

  await desk.server.answer(0, { output: "/say The report has 12 pages.", metadata: { pages: 12 } });
  const woken = await desk.woken(id);

  expect([woken.status, saidIn(woken)]).toEqual(["completed", "The report has 12 pages."]);
  expect(await hints(desk)).toEqual([
    expect.objectContaining({
      role: "assistant",
      name: "report",
      metadata: {
        woken_by: id,
        of_reply: reply.id,
        tool_call_id: sent.tool_call_id,
        result: { pages: 12 },
      },
      content: [
        expect.objectContaining({
          type: "hint",
          source: "background_task",
          hint: `The background task ${id} of the tool report has ended. Its result:\n/say The report has 12 pages.`,
        }),
      ],
    }),
  ]);
  const [task] = await desk.tasks();
  expect(task).toMatchObject({ status: "completed", woken_reply_id: woken.id, message: null });
});

test("a call that is answered in time is a call as any other", BROAD, async () => {
  const desk = await openBackgroundDesk({ background_after_ms: 500_000 });
  const said = desk.say(CALL);
  await desk.server.answer(0, { output: "done" });

  expect(resultOf(await said)).toBe("done");
  expect(await desk.tasks()).toEqual([]);
  const { callback_url } = await desk.server.sent(0);
  expect(await post(callback_url, { output: "late" })).toMatchObject({ status: 404 });
});

test("the result of a call that was answered with 202 is posted, once", async () => {
  const desk = await openBackgroundDesk({ background_after_ms: 500_000 }, {});
  const tool = { ...POSTED, url: `${desk.server.url}/posted` };
  await desk.ask("PATCH", `/v1/sessions/${desk.session}`, { tools: [tool] });
  const reply = await desk.say("/call posted {}\n/say Later.");
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  const [working] = await desk.tasks();
  expect([reply.status, working?.waits_for]).toEqual(["completed", "callback"]);

  const result = { output: [{ type: "text", text: "/say Twelve." }], state: "success" };
  expect(await post(callback_url, result)).toEqual({
    status: 200,
    body: { task_id, applied: true },
  });
  expect(await post(callback_url, result)).toEqual({
    status: 200,
    body: { task_id, applied: false },
  });
  expect(await post(callback_url, { output: "other" })).toMatchObject({
    status: 409,
    body: { code: "conflict" },
  });
  expect(saidIn(await desk.woken(task_id))).toBe("Twelve.");
  expect(await desk.replies()).toHaveLength(2);
});

test("a result that is posted before the call is let go is the call's result", BROAD, async () => {
  const desk = await openBackgroundDesk({ background_after_ms: 500_000 });
  const said = desk.say(CALL);
  const { callback_url, task_id } = await desk.server.sent(0);
  const result = { output: "as quick as that" };

  expect(await post(callback_url, result)).toMatchObject({ status: 200 });
  expect(resultOf(await said)).toBe("as quick as that");
  expect(await post(callback_url, result)).toMatchObject({ body: { task_id, applied: false } });
  expect(await post(callback_url, { output: "no" })).toMatchObject({ status: 409 });
  expect(await desk.tasks()).toEqual([]);
});

const POSTED = {
  type: "http",
  name: "posted",
  read_only: true,
  background_after_ms: 500_000,
  timeout_ms: 600_000,
  max_bytes: 2_000,
};

test("a result that does not fit is refused with what is wrong, and one that fits is taken then", async () => {
  const desk = await openBackgroundDesk();
  const tool = { ...POSTED, url: `${desk.server.url}/posted` };
  await desk.ask("PATCH", `/v1/sessions/${desk.session}`, { tools: [tool] });
  await desk.say("/call posted {}\n/say Later.");
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  const refusals = [
    await post(callback_url, "{"),
    await post(callback_url, {}),
    await post(callback_url, { output: 7 }),
    await post(callback_url, { output: "x", state: "done" }),
    await post(callback_url, { output: "x", more: true }),
    await post(callback_url, { output: "x".repeat(2_000) }),
    await post(`${callback_url}x`, { output: "x" }),
  ];

  expect(refusals.map(({ status, body }) => [status, body["code"]])).toEqual([
    [400, "malformed_json"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [400, "validation_failed"],
    [413, "body_too_large"],
    [401, "unauthenticated"],
  ]);
  expect(await post(callback_url, { output: "/say Ok." })).toMatchObject({ status: 200 });
  expect(saidIn(await desk.woken(task_id))).toBe("Ok.");
});

test("the result of a session that was deleted is not found", BROAD, async () => {
  const desk = await openBackgroundDesk();
  await desk.say(CALL);
  const { callback_url } = await desk.server.sent(0);
  await desk.ask("DELETE", `/v1/sessions/${desk.session}`);

  // Its request is closed.
  await desk.server.abandoned("/report");
  expect(await post(callback_url, { output: "x" })).toMatchObject({ status: 404 });
});

test("an end waits behind a reply that waits for a person", async () => {
  const desk = await openBackgroundDesk({}, {});
  await desk.say(CALL);
  const { task_id = "" } = await desk.server.sent(0);
  const asks = { type: "external", name: "ask_someone", read_only: true };
  await desk.ask("PATCH", `/v1/sessions/${desk.session}`, { tools: [asks] });
  const waiting = await desk.say("/call ask_someone {}\n/say Thanks.");
  expect(waiting.status).toBe("awaiting_external_result");
  await desk.server.answer(0, { output: "/say Done." });
  const queued = await waitFor(async () => {
    const [task] = await desk.tasks();
    if (!task?.woken_reply_id) throw new Error("not queued");
    return task.woken_reply_id;
  });
  const { body } = await desk.ask<{ queued_reply_ids: string[] }>(
    "GET",
    `/v1/sessions/${desk.session}`,
  );
  expect(body.queued_reply_ids).toEqual([queued]);

  await desk.ask("POST", `/v1/sessions/${desk.session}/interrupt`);
  expect(saidIn(await desk.woken(task_id))).toBe("Done.");
});

test("a secret that the tool was sent is not told by the result that it posts", BROAD, async () => {
  const desk = await openBackgroundDesk();
  const { host } = new URL(desk.server.url);
  const secret = "sk-of-the-report-server-2931";
  const credential = await desk.ask<{ id: string }>("POST", "/v1/credentials", {
    name: "Reports",
    type: "tool",
    secret,
    allowed_hosts: [host],
  });
  const tool = {
    ...POSTED,
    url: `${desk.server.url}/posted`,
    credential_id: credential.body.id,
  };
  await desk.ask("PATCH", `/v1/sessions/${desk.session}`, { tools: [tool] });
  await desk.say("/call posted {}\n/say Later.");
  const { callback_url, task_id = "" } = await desk.server.sent(0);
  await post(callback_url, { output: `/say I was sent ${secret}.`, metadata: { secret } });

  expect(saidIn(await desk.woken(task_id))).toBe("I was sent [redacted].");
  expect(JSON.stringify(await hints(desk))).not.toContain(secret);
});

/** Every event of AG-UI belongs to a run: an end between two of them is not sent. */
const TOLD = [
  ["agentscope", ["background_task_started", "background_task_ended"]],
  ["agentscope-java", ["background_task_started", "background_task_ended"]],
  ["ag-ui", ["background_task_started"]],
] as const;

test.each(TOLD)(
  "readers of the format %s are told of a task, and of the reply that its end begins",
  async (format, names) => {
    const desk = await openBackgroundDesk();
    await desk.say(CALL);
    const { task_id = "" } = await desk.server.sent(0);
    await desk.server.answer(0, { output: "/say Twelve pages." });
    const woken = await desk.woken(task_id);
    const path = `/v1/sessions/${desk.session}/events?after=0&format=${format}`;
    const response = await fetch(`${inject("baseUrl")}${path}`, {
      headers: { authorization: `Bearer ${desk.key}`, accept: "text/event-stream" },
    });
    const text = await response.text();

    for (const name of names) expect(text.split(`"${name}"`)).toHaveLength(2);
    expect(text).toContain(woken.id);
    expect(text).toContain("pages");
  },
);
