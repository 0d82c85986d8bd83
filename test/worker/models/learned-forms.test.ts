// Lessons of an endpoint's refusals about the form of a session's requests are state of the log: known after an
// eviction, and in a fork.
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";

const ANSWER = [
  { choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
];

/** Whether each request had `stream_options`, which this endpoint refuses. */
function hearModel(): readonly boolean[] {
  const sent: boolean[] = [];
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (_, init) => {
    const body = await new Response(init?.body).text();
    const isRefused = body.includes("stream_options");
    sent.push(isRefused);
    if (isRefused) {
      const message = "Unrecognized request argument supplied: stream_options";
      return Response.json({ error: { message } }, { status: 400 });
    }
    const events = ANSWER.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    return new Response(`${events}data: [DONE]\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  });
  onTestFinished(() => spy.mockRestore());
  return sent;
}

it("a form that was learned once is used by later replies, after an eviction, and by a fork", async () => {
  const { id: tenantId, call } = await makeTenant();
  const base_url = "https://models.example/v1";
  const model = { provider: "openai", name: "gpt-fake", base_url, parameters: {} };
  const agent = await makeAgent(call, { name: "Desk", model });
  const session = await makeSession(call, { agent_id: agent.id });
  const say = async (id: string): Promise<string> => {
    const json = { input: "Hello?" };
    const replied = await ask<Reply>("POST", `/v1/sessions/${id}/replies`, { ...call, json });
    return replied.json.status;
  };
  const sent = hearModel();

  const first = await say(session.id);
  await evictDurableObject(env.SESSION.getByName(sessionObjectName(tenantId, session.id)));
  const second = await say(session.id);
  const fork = await ask<Session>("POST", `/v1/sessions/${session.id}/fork`, { ...call, json: {} });
  const third = await say(fork.json.id);

  expect([first, second, third]).toEqual(["completed", "completed", "completed"]);
  expect(sent).toEqual([true, false, false, false]);
});
