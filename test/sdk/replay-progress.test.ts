// A recorded session is run again, and each of its replies is told before it is.
import { expect, onTestFinished, test } from "vitest";

import { ConnectionError, Reprise, type ReplayProgress } from "../../sdk/index.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { openDesk } from "./desk.ts";

async function openTwoReplies() {
  const desk = await openDesk();
  const session = await desk.openSession();
  const first = await session.replies.create("/say One.");
  const second = await session.replies.create("/say Two.");
  return { desk, sessionId: session.id, replyIds: [first.id, second.id] };
}

test("a replay tells its progress, reply by reply, and gives the same result as one that does not", async () => {
  const { desk, sessionId, replyIds } = await openTwoReplies();
  const told: ReplayProgress[] = [];

  const replay = await desk.reprise.agents.replay(
    desk.agentId,
    { session_id: sessionId },
    { onProgress: (progress) => told.push(progress) },
  );

  expect(told).toEqual(
    replyIds.map((reply_id, index) => ({
      type: "progress",
      reply_id,
      number: index + 1,
      replies: 2,
    })),
  );
  const whole = await desk.reprise.agents.replay(desk.agentId, { session_id: sessionId });
  expect(replay.replies.map(({ replayed }) => replayed.text)).toEqual(["One.", "Two."]);
  expect(replay.summary.calls).toEqual(whole.summary.calls);
});

test("where a body cannot be read as it arrives, the progress is told at the end, or not at all", async () => {
  const { desk, sessionId } = await openTwoReplies();
  const told: number[] = [];
  const asked: string[] = [];
  const client = desk.clientOf({
    fetch: async (url, init) => {
      if (typeof init.body === "string") asked.push(init.body);
      const response = await fetch(url, init);
      const whole = new Response(await response.arrayBuffer(), response);
      Object.defineProperty(whole, "body", { value: undefined });
      return whole;
    },
  });
  const onProgress = ({ number }: ReplayProgress) => told.push(number);

  await client.agents.replay(desk.agentId, { session_id: sessionId }, { onProgress });
  const { stopped } = await client.agents.replay(
    desk.agentId,
    { session_id: sessionId },
    { onProgress },
  );

  expect(stopped).toBeNull();
  expect(told).toEqual([1, 2]);
  expect(asked.map((body) => body.includes('"stream":true'))).toEqual([true, false]);
});

test("a refusal, a leaving client and a stream that breaks off each fail the call", async () => {
  const { desk, sessionId } = await openTwoReplies();
  const onProgress = () => undefined;
  const server = await startLoopbackServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('id: 1\nevent: progress\ndata: {"type":"progress","number":1}\n\n');
  });
  onTestFinished(() => server.stop());
  const cut = new Reprise({ apiKey: "rk_test_x", baseUrl: server.url });
  const leave = new AbortController();

  const refused = desk.reprise.agents.replay(
    desk.agentId,
    { session_id: "ses_none" },
    { onProgress },
  );
  const broken = cut.agents.replay(desk.agentId, { session_id: sessionId }, { onProgress });
  const left = desk.reprise.agents.replay(
    desk.agentId,
    { session_id: sessionId },
    { signal: leave.signal, onProgress: () => leave.abort(new Error("left")) },
  );

  // Together: one that fails while another is waited for would be a rejection that nobody handles.
  await Promise.all([
    expect(refused).rejects.toMatchObject({ code: "not_found" }),
    expect(broken).rejects.toSatisfy((error) => ConnectionError.isInstance(error)),
    expect(left).rejects.toThrow("left"),
  ]);
});
