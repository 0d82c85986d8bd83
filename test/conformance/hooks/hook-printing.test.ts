// Hooks before printing, over HTTP: each finished block waits for its answer, whoever says it. And hooks that hang: whom
// they hold up, and who may register them.
import { expect, it, onTestFinished } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { endedReply } from "../../support/ended-reply.ts";
import { startHookServer, type AskedHook } from "../../support/hook-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { answer, silence, startToolServer } from "../../support/tool-server.ts";
import { BROAD } from "../../support/breadth.ts";

interface Reply {
  readonly id: string;
  readonly status: string;
  readonly message: Msg;
}

const PRINT = { name: "desk", point: "pre_print", type: "http" };

async function openDesk(
  answerHook: (asked: AskedHook, count: number) => unknown,
  agent: object = {},
  points: readonly string[] = ["pre_print"],
) {
  const server = await startHookServer(answerHook);
  onTestFinished(() => server.stop());
  const hooks = points.map((point) => ({ ...PRINT, point, url: server.url, timeout_ms: 30_000 }));
  return { server, ...(await openAgent({ hooks, ...agent })) };
}

async function openAgent(agent: object) {
  const { key } = await createTenant();
  const path = `/v1/sessions/${await createSession(key, await createAgent(key, agent))}`;
  return {
    key,
    path,
    say: async (input: string, more: object = {}) =>
      (await request<Reply>("POST", `${path}/replies`, { key, body: { input, ...more } })).body,
    ended: ({ id }: Reply) =>
      endedReply(async () => (await request<Reply>("GET", `${path}/replies/${id}`, { key })).body),
    log: async () => {
      const url = `${path}/events?limit=100`;
      return (await request<{ data: LoggedEvent[] }>("GET", url, { key })).body.data;
    },
  };
}

function textOf({ message }: Reply): string {
  return message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("|");
}

const upper = ({ input }: AskedHook) => ({
  input: { block: { text: input.block?.text.toUpperCase() } },
});

it("thoughts and texts are held back one by one: while one is asked about, nothing of it is in the log, and what was answered is", async () => {
  const gate = Promise.withResolvers<void>();
  const { server, say, log, ended } = await openDesk(async (asked, count) => {
    if (count === 2) await gate.promise;
    return upper(asked);
  });
  const reply = await say("/think let me see\n/say the secret", { background: true });
  await expect.poll(() => server.asked.length).toBe(2);
  await expect.poll(async () => JSON.stringify(await log())).toContain("LET ME SEE");
  const meanwhile = JSON.stringify((await log()).slice(2));
  gate.resolve();
  const done = await ended(reply);

  expect(meanwhile.toLowerCase()).not.toContain("the secret");
  expect(server.asked.map(({ input }) => [input.block?.type, input.block?.text])).toEqual([
    ["thinking", "let me see"],
    ["text", "the secret"],
  ]);
  expect(done.message.content).toMatchObject([
    { type: "thinking", thinking: "LET ME SEE" },
    { type: "text", text: "THE SECRET" },
  ]);
});

it("a hook that stops the reply at a text shows what it says in its place, and nothing that follows is said or called", async () => {
  const tools = await startToolServer({ "/pay": answer("paid", "text/plain") });
  onTestFinished(() => tools.stop());
  const pay = { type: "http", name: "pay", url: `${tools.url}/pay`, read_only: true };
  const { say, log } = await openDesk(() => ({ action: "stop", text: "No more." }), {
    tools: [pay],
  });
  const reply = await say("/say the secret\n/call pay {}\n/say and more");

  expect([reply.status, textOf(reply), tools.calls("/pay")]).toEqual(["completed", "No more.", 0]);
  expect((await log()).at(-1)).toMatchObject({
    type: "REPLY_END",
    metadata: { stopped_by: { hook: "desk", point: "pre_print" } },
  });
});

it("a blocked text is replaced, by the hook's words or by a note, and the reply goes on", async () => {
  const { say } = await openDesk((_, count) => ({
    action: "block",
    ...(count === 1 && { text: "[first]" }),
  }));

  expect(textOf(await say("/say one\n/think hm\n/say two"))).toBe("[first]|This was held back.");
});

it(
  "a result that is the answer, the words of an agent in code and the remark after an interrupt are printed, too",
  BROAD,
  async () => {
    const tools = await startToolServer({
      "/look": answer("in bremen", "text/plain"),
      "/hang": silence,
    });
    onTestFinished(() => tools.stop());
    const look = { type: "http", name: "look", url: `${tools.url}/look`, read_only: true };
    const direct = await openDesk(upper, { tools: [{ ...look, return_direct: true }] });
    const answers = { "opening hours": "nine to five" };
    const points = ["pre_print", "post_print"];
    const router = await openDesk(
      (asked) => (asked.point === "pre_print" ? upper(asked) : undefined),
      { code_agent: "router", metadata: { answers } },
      points,
    );
    const spoken = await router.say("opening hours");
    const remarked = await openDesk(upper, {
      on_interrupt: { type: "model" },
      tools: [{ ...look, name: "hang", url: `${tools.url}/hang` }],
    });
    const begun = await remarked.say("/call hang {}\n/say i have stopped", { background: true });
    await expect.poll(() => tools.calls("/hang")).toBe(1);
    await request("POST", `${remarked.path}/interrupt`, { key: remarked.key });
    const remark = await remarked.ended(begun);

    expect(textOf(await direct.say("/call look {}"))).toBe("IN BREMEN");
    expect(textOf(spoken)).toBe("NINE TO FIVE");
    expect(router.server.asked.map(({ point, input }) => [point, input.block?.text])).toEqual([
      ["pre_print", "nine to five"],
      ["post_print", "NINE TO FIVE"],
    ]);
    expect([remark.status, textOf(remark)]).toEqual(["interrupted", "I HAVE STOPPED"]);
  },
);

it("a hook that hangs holds up neither another tenant nor an interrupt of its own reply", async () => {
  const endpoint = await startToolServer({ "/silent": silence });
  onTestFinished(() => endpoint.stop());
  const hook = { ...PRINT, url: `${endpoint.url}/silent`, timeout_ms: 30_000 };
  const held = await openAgent({ hooks: [hook] });
  const other = await openAgent({});
  const reply = await held.say("/say the secret", { background: true });
  await expect.poll(() => endpoint.calls("/silent")).toBe(1);
  const others = await other.say("/say hello");
  await request("POST", `${held.path}/interrupt`, { key: held.key });
  await endpoint.abandoned("/silent");
  const ended = await held.ended(reply);

  expect(textOf(others)).toBe("hello");
  expect([ended.status, textOf(ended)]).toEqual(["interrupted", ""]);
  const said = (await held.log()).slice(2);
  expect(JSON.stringify(said)).not.toContain("the secret");
});

it("neither an end user's token nor a key without agents:write registers a hook", async () => {
  const { key, path } = await openAgent({});
  const token = await request<{ token: string }>("POST", `${path}/tokens`, { key, body: {} });
  const scopes = ["sessions:read", "sessions:write", "replies:write"];
  const narrow = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes },
  });
  const body = { hooks: [{ ...PRINT, url: "https://shop.example/" }] };
  const answers = [
    await request("GET", `${path}/hooks`, { key: token.body.token }),
    await request("PUT", `${path}/hooks`, { key: token.body.token, body }),
    await request("PUT", `${path}/hooks`, { key: narrow.body.api_key, body }),
    await request("GET", `${path}/hooks`, { key: narrow.body.api_key }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 200]);
  expect(answers.at(-1)?.body).toMatchObject({ hooks: [], version: 0 });
});
