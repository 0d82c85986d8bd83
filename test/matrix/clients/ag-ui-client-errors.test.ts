// The real client of AG-UI: replies that fail, and runs that are refused before they begin.
import { describe, expect, it, onTestFinished } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import { clientSayings, openThreadDesk, storedSayings } from "./thread-desk.ts";
import type { WatchedAgent } from "./watched-agent.ts";

expectNoWarnings();

const desk = await openThreadDesk();

/** Events that a subscriber gets of a run that fails; nothing else tells a client that it did. */
async function failedRun(client: WatchedAgent, content: string) {
  const errors: unknown[] = [];
  const { unsubscribe } = client.agent.subscribe({
    onRunErrorEvent: ({ event: { code, message } }) => void errors.push([code, typeof message]),
  });
  const run = await client.say(content);
  unsubscribe();
  return { ...run, errors };
}

/** The outcome of a run that is refused: an error with a status, and no event. */
async function refusedRun({ agent }: WatchedAgent): Promise<unknown> {
  const seen: string[] = [];
  const { unsubscribe } = agent.subscribe({ onEvent: ({ event }) => void seen.push(event.type) });
  const error = await agent.runAgent().then(
    () => null,
    (reason: unknown) => reason as { status?: number; payload?: string },
  );
  unsubscribe();
  return [error?.status, JSON.parse(error?.payload ?? "{}").code, seen];
}

async function expectStored(key: string, { agent, sessionId }: WatchedAgent): Promise<void> {
  expect(clientSayings(agent.messages)).toEqual(await storedSayings(key, sessionId));
}

/** A thread whose agent asks a provider on this machine. */
async function openChat(...turns: FakeTurn[]) {
  const model = await startFakeOpenAi(...turns);
  onTestFinished(() => model.stop());
  const chat = await openThreadDesk({
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
  });
  return { key: chat.key, client: chat.client(), join: chat.join };
}

describe("a reply that fails", () => {
  it("C12: at its limit of rounds is an error with a code of its own, and the thread goes on", async () => {
    const { key, client, join } = await openThreadDesk({ max_iters: 2 }).then((limited) => ({
      ...limited,
      client: limited.client(),
    }));

    const run = await failedRun(client, '/call lookup_order {"order_id":"A-1001"}\n/loop');
    const next = await client.say("/say Again.");

    expect(run.errors).toEqual([["exceed_max_iters", "string"]]);
    expect(run.end).toMatchObject({ type: "RUN_ERROR", code: "exceed_max_iters" });
    expect(run.types).not.toContain("RUN_FINISHED");
    expect(next.end).toMatchObject({ outcome: { type: "success" } });
    await expectStored(key, client);
    expect((await join(client.agent.threadId)).messages).toHaveLength(client.agent.messages.length);
  });

  it("C13: because its model does in the middle of a text ends there, with nothing behind it", async () => {
    const client = desk.client();

    const run = await failedRun(client, "/think Hm.\n/say Half a senten\n/fail setup");

    expect(run.errors).toEqual([["setup", "string"]]);
    expect(run.frames.filter(({ event }) => event.type === "RUN_FINISHED")).toEqual([]);
    expect(run.types.slice(-3)).toEqual(["TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_ERROR"]);
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Half a senten" });
    await expectStored(desk.key, client);
    await client.say("/say Whole.");
    await expectStored(desk.key, client);
  });

  it("C13: a provider that hangs up in the middle is asked again, and what it had said is gone", async () => {
    const { key, client, join } = await openChat(
      async (stream) => {
        stream.delta({ reasoning_content: "First thoughts." });
        stream.text("Half a senten");
        stream.calls({ index: 0, id: "call_lost", name: "lookup_order", arguments: '{"order' });
        await stream.cut();
      },
      (stream) => {
        stream.delta({ reasoning_content: "Second thoughts." });
        stream.text("A whole sentence.");
        stream.finish();
        stream.usage(10, 5);
        stream.done();
      },
    );

    const { types, end } = await client.say("Hello?");

    expect(types).toContain("MESSAGES_SNAPSHOT");
    expect(end).toMatchObject({ outcome: { type: "success" } });
    const sayings = clientSayings(client.agent.messages);
    expect(sayings.map(([kind, , text]) => [kind, text])).toEqual([
      ["user", "Hello?"],
      // No snapshot takes a thread's last thought away; its text is gone.
      ["reasoning", ""],
      ["reasoning", "Second thoughts."],
      ["assistant", "A whole sentence."],
    ]);
    const joined = await join(client.agent.threadId);
    expect(joined.messages).toEqual(
      client.agent.messages.filter(({ role, content }) => role !== "reasoning" || content !== ""),
    );
    expect(clientSayings(joined.messages)).toEqual(await storedSayings(key, client.sessionId));
  });

  it("C13: a provider that fails for good in the middle is an error, and the half sentence stays", async () => {
    const { key, client } = await openChat((stream) => {
      stream.text("Half a senten");
      stream.event({ error: { message: "no", type: "invalid_request_error", code: 400 } });
      stream.end();
    });

    const run = await failedRun(client, "Hello?");

    expect(run.errors).toHaveLength(1);
    expect(run.end.type).toBe("RUN_ERROR");
    await expectStored(key, client);
  });
});

describe("a run that is refused", () => {
  it("C14: for its credential, its thread or its agent rejects with the status before any event", async () => {
    const agentId = `agt_${"0".repeat(26)}`;
    const clients = [
      desk.client({ key: "rk_live_nobody" }),
      desk.client({ threadId: `ses_${"0".repeat(26)}` }),
      desk.client({ agentId }),
    ];
    const refusals = [];
    for (const client of clients) {
      client.agent.addMessage({ id: "hi", role: "user", content: "/say Hi." });
      refusals.push(await refusedRun(client));
      expect(client.agent.messages).toHaveLength(1);
    }

    expect(refusals).toEqual([
      [401, "unauthenticated", []],
      [404, "not_found", []],
      [404, "not_found", []],
    ]);
  });

  it("C14: a thread of another tenant is none", async () => {
    const foreign = (await openThreadDesk()).client();
    await foreign.say("/say Mine.");
    const client = desk.client({ threadId: foreign.sessionId });
    client.agent.addMessage({ id: "hi", role: "user", content: "/say Hi." });

    expect(await refusedRun(client)).toEqual([404, "not_found", []]);
  });

  it("C14: when the thread has too many readers rejects with 429, and the same run is there later", async () => {
    const client = desk.client();
    await client.say("/say One.");
    const path = `/v1/sessions/${client.sessionId}/events?follow=session`;
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    // Held: a response that is collected as garbage closes its connection.
    const responses: Response[] = [];
    const read = async (signal: AbortSignal) => {
      const response = await fetch(new URL(path, client.agent.url), {
        headers: { authorization: `Bearer ${desk.key}`, accept: "text/event-stream" },
        signal,
      });
      responses.push(response);
      return response.status;
    };
    const first = await Promise.all(Array.from({ length: 200 }, () => read(leave.signal)));
    // The stream of the run that has ended may still be counted: its place is taken as soon as it is free.
    for (const status of first) {
      if (status !== 200) await expect.poll(() => read(leave.signal)).toBe(200);
    }
    client.agent.addMessage({ id: "two", role: "user", content: "/say Two." });

    const refused = await refusedRun(client);
    leave.abort();
    const isFull = async () => {
      const leaveAgain = new AbortController();
      const status = await read(leaveAgain.signal);
      leaveAgain.abort();
      return status === 429;
    };
    await expect.poll(isFull).toBe(false);
    const run = await client.run();

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(200 + 1);
    expect(refused).toEqual([429, "too_many_subscribers", []]);
    expect(run.end).toMatchObject({ outcome: { type: "success" } });
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Two." });
    await expectStored(desk.key, client);
  });
});
