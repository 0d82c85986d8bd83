// A trace that comes in with a request goes out with what the request sets off: the model's endpoint and the tool's
// server see it, with the platform between them and the caller.
import { expect, it, onTestFinished } from "vitest";

import { says, startFakeOpenAi } from "../support/fake-openai.ts";
import type { RecordedRequest } from "../support/loopback-server.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { echo, startToolServer } from "../support/tool-server.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** A desk whose every reply asks its tool once; its tool's definition has trace headers of its own. */
async function openDesk() {
  const { key } = await createTenant();
  const tools = await startToolServer({ "/tool": echo });
  const model = await startFakeOpenAi((stream, { body }) => {
    const { messages } = body as { messages: { role: string }[] };
    if (messages.at(-1)?.role === "tool") return says("Done.")(stream, {} as RecordedRequest);
    stream.calls({ index: 0, id: `call_${messages.length}`, name: "tool", arguments: "{}" });
    stream.finish("tool_calls");
    stream.done();
  });
  onTestFinished(() => tools.stop());
  onTestFinished(() => model.stop());
  const agent = await createAgent(key, {
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
    tools: [
      {
        type: "http",
        name: "tool",
        url: `${tools.url}/tool`,
        read_only: true,
        headers: { traceparent: "the tool's own", tracestate: "tool=own" },
      },
    ],
  });
  const session = await createSession(key, agent);
  return {
    async ask(headers: Readonly<Record<string, string>>): Promise<void> {
      const body = { input: "Go." };
      const path = `/v1/sessions/${session}/replies`;
      const reply = await request<{ status: string }>("POST", path, { key, body, headers });
      expect([reply.status, reply.body.status]).toEqual([200, "completed"]);
    },
    /** Headers that the model was sent twice and the tool once, in the order of the replies. */
    traces: () =>
      [...model.requests, ...tools.requests].map(({ headers }) => ({
        traceparent: headers["traceparent"],
        tracestate: headers["tracestate"],
      })),
  };
}

it("model and tool see the caller's trace, with another parent", async () => {
  const desk = await openDesk();

  await desk.ask({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: "shop=17" });

  const [first, ...others] = desk.traces();
  expect(others).toEqual([first, first]);
  expect(first).toEqual({
    traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)),
    tracestate: "shop=17",
  });
  expect(first?.traceparent).not.toContain(PARENT);
});

it("each reply has the trace of its own request, and one that is not valid is ignored", async () => {
  const desk = await openDesk();
  const other = TRACE.replace("0af", "fa0");

  await desk.ask({ traceparent: `00-${TRACE}-${PARENT}-01` });
  await desk.ask({ traceparent: `00-${other}-${PARENT}-00` });
  await desk.ask({ traceparent: `00-${"0".repeat(32)}-${PARENT}-01`, tracestate: "a=1" });
  await desk.ask({});

  const none = { traceparent: undefined, tracestate: undefined };
  const own = { traceparent: "the tool's own", tracestate: "tool=own" };
  const [one, , two] = desk.traces();
  expect(one?.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  expect(two?.traceparent).toMatch(new RegExp(`^00-${other}-[0-9a-f]{16}-00$`));
  expect(desk.traces()).toEqual([one, one, two, two, none, none, none, none, one, two, own, own]);
});
