// The real client of AG-UI: threads that several come to, runs that are asked for twice, and forks.
import { describe, expect, it } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";
import { request } from "../../support/platform-client.ts";
import { clientSayings, openThreadDesk, storedSayings } from "./thread-desk.ts";
import { readFrames, type ClientMessage, type WatchedAgent } from "./watched-agent.ts";

expectNoWarnings();

const desk = await openThreadDesk();

const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

function user(content: string, id: string): ClientMessage {
  return { id, role: "user", content };
}

async function repliesOf(sessionId: string): Promise<readonly string[]> {
  const path = `/v1/sessions/${sessionId}/replies`;
  const { body } = await request<{ data: { id: string }[] }>("GET", path, { key: desk.key });
  return body.data.map(({ id }) => id);
}

async function expectStored({ agent, sessionId }: WatchedAgent, key = desk.key): Promise<void> {
  expect(clientSayings(agent.messages)).toEqual(await storedSayings(key, sessionId));
}

describe("two tabs", () => {
  it("C18: while one's run goes on the other's is refused with 409, and succeeds after it", async () => {
    const gate = await startGateTool();
    const own = await openThreadDesk({ tools: [gate.tool] });
    const first = own.client();
    await first.say("/say Hello.");
    const { threadId, messages } = first.agent;
    const second = own.client({ threadId, initialMessages: structuredClone(messages) });
    const running = Promise.withResolvers<void>();
    first.agent.addMessage(user(`/say One.\n${HOLD}\n/say Two.`, "first"));
    second.agent.addMessage(user("/say Second.", "second"));

    const run = first.run({}, { onTextMessageContentEvent: () => running.resolve() });
    await running.promise;
    const refused = second.agent.runAgent();
    await expect(refused).rejects.toMatchObject({
      status: 409,
      payload: expect.stringContaining("reply_running"),
    });
    gate.open();
    expect((await run).end).toMatchObject(SUCCESS);
    const { messages: seen } = await own.join(threadId);
    second.agent.setMessages([...seen, user("/say Second.", "second")]);
    const next = await second.run();

    expect(next.end).toMatchObject(SUCCESS);
    await expectStored(second, own.key);
  });

  it("C18: that run at the same moment never share a stream", async () => {
    for (let round = 0; round < 8; round += 1) {
      const threadId = `race ${round}`;
      const clients = ["one", "other"].map((name) => {
        const client = desk.client({ threadId });
        client.agent.addMessage(user(`/rate 200\n/say This is what ${name} said.`, name));
        return client;
      });

      const results = await Promise.allSettled(clients.map((client) => client.run()));

      const winners = clients.filter((_, index) => results[index]?.status === "fulfilled");
      expect(winners.length).toBeGreaterThan(0);
      for (const [index, result] of results.entries()) {
        const said = clients[index]!.agent.messages.map(({ role, content }) => [role, content]);
        const name = ["one", "other"][index];
        if (result.status === "rejected") {
          expect(result.reason).toMatchObject({ status: 409 });
          expect(said).toHaveLength(1);
        } else {
          expect(said.slice(1)).toEqual([["assistant", `This is what ${name} said.`]]);
        }
      }
      expect(await repliesOf(winners[0]!.sessionId)).toHaveLength(winners.length);
    }
  });

  it("C18: a message that both have sent is one message, and gets one reply", async () => {
    const clients = Array.from({ length: 4 }, () => {
      const client = desk.client({ threadId: "sent twice" });
      client.agent.addMessage(user("/rate 200\n/say Once.", "m-1"));
      return client;
    });

    const runs = await Promise.all(clients.map((client) => client.run()));

    expect(runs.map(({ end }) => end)).toEqual(runs.map(() => expect.objectContaining(SUCCESS)));
    expect(await repliesOf(clients[0]!.sessionId)).toHaveLength(1);
    for (const { agent } of clients) expect(agent.messages).toEqual(clients[0]!.agent.messages);
  });
});

describe("a thread of the client's own name", () => {
  it("is one session for all who come to it at once, before it exists", async () => {
    const clients = Array.from({ length: 6 }, (_, index) => {
      const client = desk.client({ threadId: "all at once" });
      client.agent.addMessage(user("/say Hi.", `m-${index}`));
      return client;
    });

    const results = await Promise.allSettled(clients.map((client) => client.run()));
    const late = desk.client({ threadId: "all at once" });
    await late.say("/say Late.");

    const accepted = clients.filter((_, index) => results[index]?.status === "fulfilled");
    const sessions = new Set([...accepted, late].map(({ sessionId }) => sessionId));
    expect(sessions.size).toBe(1);
    expect(await repliesOf(late.sessionId)).toHaveLength(accepted.length + 1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ status: 409 });
    }
  });

  it("is another session at another agent", async () => {
    const other = await openThreadDesk();
    const clients = [desk, other].map((each) => each.client({ threadId: "same name" }));
    for (const client of clients) await client.say("/say Hi.");

    const [one, two] = clients.map(({ sessionId }) => sessionId);
    expect(one).not.toBe(two);
    expect(clients.map(({ agent }) => agent.messages.length)).toEqual([2, 2]);
  });
});

describe("a run that is asked for twice", () => {
  it("is the same run, while it goes on and when it is over", async () => {
    const client = desk.client({ threadId: "twice" });
    const body = {
      threadId: "twice",
      runId: "the run",
      messages: [user("/rate 200\n/think Hm.\n/words 20", "m-1")],
    };
    client.agent.addMessage(user("/rate 200\n/think Hm.\n/words 20", "m-1"));
    const running = Promise.withResolvers<void>();

    const run = client.run({ runId: "the run" }, { onEvent: () => running.resolve() });
    await running.promise;
    const meanwhile = readFrames(await (await desk.post(body)).text());
    const { frames } = await run;
    const after = readFrames(await (await desk.post(body)).text());

    expect([meanwhile, after]).toEqual([frames, frames]);
    expect(await repliesOf(client.sessionId)).toHaveLength(1);
    await expectStored(client);
  });
});

describe("a fork", () => {
  it("begins with a run that names the one it branches from, and leaves its source alone", async () => {
    const source = desk.client();
    const parent = await source.say(
      '/think Hm.\n/call lookup_order {"order_id":"A-1001"}\n/say A.',
    );
    const path = `/v1/sessions/${source.sessionId}/fork`;
    const forked = await request<{ id: string }>("POST", path, { key: desk.key, body: {} });
    const { messages } = await desk.join(forked.body.id);
    const parentRunId = String(parent.end["runId"]);
    const body = (runId: string, id: string) => ({
      threadId: forked.body.id,
      runId,
      parentRunId,
      messages: [...messages, user(`/say ${id}.`, id)],
    });
    const branch = readFrames(await (await desk.post(body("branch", "B"))).text());
    const again = await (await desk.post(body("branch", "B"))).text();

    expect(messages).toEqual(source.agent.messages);
    expect(branch[0]?.event).toMatchObject({
      type: "RUN_STARTED",
      threadId: forked.body.id,
      runId: "branch",
      parentRunId,
    });
    expect(branch.at(-1)?.event).toMatchObject(SUCCESS);
    expect(readFrames(again)).toEqual(branch);
    const client = desk.client({ threadId: forked.body.id, initialMessages: [...messages] });
    const held = (await desk.join(forked.body.id)).messages;
    client.agent.setMessages([...held]);
    await client.say("/say More.");
    await expectStored(client);
    expect((await desk.join(source.agent.threadId)).messages).toEqual(source.agent.messages);
  });
});
