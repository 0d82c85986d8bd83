// Hooks over HTTP, from outside: what they see, what they change, and what they cannot.
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD } from "../../support/breadth.ts";
import { endedReply } from "../../support/ended-reply.ts";
import {
  ALLOW_PAY,
  answersIn,
  HOOK_TIMEOUT_MS,
  openHookDesk,
  textOf,
  type HookDeskAnswer,
  type HookedReply,
} from "../../support/hook-desk.ts";
import { request } from "../../support/platform-client.ts";

it("the seed's example: a hook before the reply changes what the model reads, also later, and not what was said", async () => {
  const { say, key, path, server } = await openHookDesk(["pre_reply"], ({ input }, count) => {
    const [message] = input.messages ?? [];
    if (count > 1) return undefined;
    return { input: { messages: [{ id: message?.id, content: "/say [reviewed] hello" }] } };
  });
  const reply = await say({ id: "m1", content: "/say hello" });
  const stored = await request<{ message: Msg }>("GET", `${path}/messages/m1`, { key });
  const context = await request<{ messages: { message: Msg }[] }>("GET", `${path}/context`, {
    key,
  });
  const again = await request<HookedReply>("POST", `${path}/replies`, {
    key,
    body: { input: { id: "m1", content: "/say hello" } },
  });

  expect(textOf(reply)).toBe("[reviewed] hello");
  expect(stored.body.message.content).toMatchObject([{ type: "text", text: "/say hello" }]);
  expect(context.body.messages.map(({ message }) => message)).toMatchObject([
    { id: "m1", content: [{ type: "text", text: "/say [reviewed] hello" }] },
    { id: reply.id },
  ]);
  expect(again.body.id).toBe(reply.id);
  expect(server.asked).toHaveLength(1);
});

it(
  "the seed's add_prefix, registered on a session and removed again, holds for the replies between",
  BROAD,
  async () => {
    const { key, path, say, server } = await openHookDesk([], ({ input }) => ({
      input: {
        messages: input.messages?.map(({ id, content }) => ({
          id,
          content: content.map((block) => ({ ...block, text: `[reviewed] ${block.text}` })),
        })),
      },
    }));
    const register = (hooks: readonly object[]) =>
      request("PUT", `${path}/hooks`, { key, body: { hooks } });
    const { url } = server;
    await register([
      { name: "add_prefix", point: "pre_reply", type: "http", url, timeout_ms: HOOK_TIMEOUT_MS },
    ]);
    await say("one");
    await register([]);
    await say("two");
    const context = await request<{ messages: { message: Msg }[] }>("GET", `${path}/context`, {
      key,
    });
    const asked = context.body.messages.filter(({ message }) => message.role === "user");

    expect(asked.map(({ message }) => message.content)).toMatchObject([
      [{ type: "text", text: "[reviewed] one" }],
      [{ type: "text", text: "two" }],
    ]);
    expect(server.asked).toHaveLength(1);
  },
);

it("nothing returned means unchanged, and each question is in the log with its answer", async () => {
  const points = [
    "pre_reply",
    "pre_reasoning",
    "pre_model_call",
    "post_print",
    "post_reasoning",
    "post_reply",
  ];
  const { say, server, events } = await openHookDesk(points, () => undefined);
  const reply = await say("/say hello");

  expect(textOf(reply)).toBe("hello");
  expect(server.asked.map(({ point }) => point)).toEqual(points);
  expect(answersIn(await events())).toEqual(
    server.asked.map(({ id, point }) =>
      expect.objectContaining({
        id,
        point,
        hook: "desk",
        reply_id: reply.id,
        outcome: "unchanged",
      }),
    ),
  );
  expect(new Set(server.asked.map(({ id }) => id)).size).toBe(points.length);
});

it("requests are signed as in Standard Webhooks, with the id of the question", BROAD, async () => {
  const { key, path, server } = await openHookDesk([], () => undefined);
  const secret = `whsec_${btoa("a secret of twenty-four bytes or more")}`;
  const credential = await request<{ id: string }>("POST", "/v1/credentials", {
    key,
    body: { name: "hooks", type: "tool", secret, allowed_hosts: [new URL(server.url).host] },
  });
  const hook = {
    name: "signed",
    point: "pre_reply",
    type: "http",
    url: server.url,
    timeout_ms: HOOK_TIMEOUT_MS,
    signing_credential_id: credential.body.id,
  };
  const written = await request("PUT", `${path}/hooks`, { key, body: { hooks: [hook] } });
  await request("POST", `${path}/replies`, { key, body: { input: "/say hi" } });
  const [sent] = server.requests;
  const header = (name: string): string => String(sent?.headers[name]);
  const headers = {
    "webhook-id": header("webhook-id"),
    "webhook-timestamp": header("webhook-timestamp"),
    "webhook-signature": header("webhook-signature"),
  };

  expect(written.status).toBe(200);
  expect(new Webhook(secret).verify(sent?.text ?? "", headers)).toEqual(server.asked[0]);
  expect(headers["webhook-id"]).toBe(server.asked[0]?.id);
});

it("a hook before a reply blocks it with words of its own, and no model is called", async () => {
  const { say, events } = await openHookDesk(["pre_reply"], () => ({
    action: "block",
    reason: "Not about politics.",
  }));
  const reply = await say("/say hello");
  const types = (await events()).map(({ type }) => type);

  expect([reply.status, textOf(reply)]).toEqual(["completed", "Not about politics."]);
  expect(types).not.toContain("MODEL_CALL_START");
});

it.each([
  ["pre_reply", "MIDDLEWARE_STOP_REQUESTED"],
  ["pre_reasoning", "REASONING_STOP_REQUESTED"],
  ["pre_model_call", "REASONING_STOP_REQUESTED"],
  ["post_reasoning", "REASONING_STOP_REQUESTED"],
  ["pre_acting", "ACTING_STOP_REQUESTED"],
  ["post_acting", "ACTING_STOP_REQUESTED"],
  ["post_reply", "MIDDLEWARE_STOP_REQUESTED"],
])("a hook at %s stops the reply, in Java's words too", async (point, generateReason) => {
  const stop = { action: "stop", reason: "enough" };
  const { say, events, key, path } = await openHookDesk([point], () => stop, ALLOW_PAY);
  const reply = await say(`/call pay {"to":"4711"}\n/say done`);
  const java = await request<{ data: { type: string; generateReason?: string }[] }>(
    "GET",
    `${path}/events?limit=100&format=agentscope-java`,
    { key },
  );

  expect(reply.status).toBe("completed");
  expect((await events()).at(-1)).toMatchObject({
    type: "REPLY_END",
    metadata: { stopped_by: { hook: "desk", point, reason: "enough" } },
  });
  expect(
    java.body.data
      .filter(({ type }) => type === "REQUEST_STOP")
      .map((event) => event.generateReason),
  ).toEqual([generateReason]);
});

it(
  "a hook changes the input of a call, which is validated, shown, and asked of the deny rules again",
  BROAD,
  async () => {
    const rules = [
      { tool_name: "pay", behavior: "allow" },
      { tool_name: "pay", rule_content: "evil", behavior: "deny" },
    ];
    const to: Record<string, unknown> = { a: { to: "b" }, c: { to: "evil" }, d: { to: 7 } };
    const change: HookDeskAnswer = ({ input: { tool_call } }) => ({
      input: {
        tool_call: { input: to[(tool_call?.input as { to: string } | undefined)?.to ?? ""] },
      },
    });
    const permission = { mode: "default", rules };
    const { say, events } = await openHookDesk(["pre_acting"], change, { permission });
    const changed = await say(`/call pay {"to":"a"}\n/say done`);
    const denied = await say(`/call pay {"to":"c"}\n/say done`);
    const misfit = await say(`/call pay {"to":"d"}\n/say done`);
    const callOf = ({ message }: HookedReply) =>
      message.content.find(({ type }) => type === "tool_call");
    const resultOf = ({ message }: HookedReply) =>
      message.content.find(({ type }) => type === "tool_result");

    expect(callOf(changed)).toMatchObject({ input: '{"to":"b"}' });
    expect(resultOf(changed)).toMatchObject({ state: "success" });
    expect(resultOf(denied)).toMatchObject({ state: "denied" });
    expect(misfit.status).toBe("error");
    expect(answersIn(await events()).map(({ outcome }) => outcome)).toEqual([
      "changed",
      "changed",
      "failed",
    ]);
  },
);

it("a hook denies a call, and the model goes on with the reason", async () => {
  const block = { action: "block", reason: "Not on Sundays." };
  const { say } = await openHookDesk(["pre_acting"], () => block, ALLOW_PAY);
  const reply = await say(`/call pay {"to":"4711"}\n/say done`);

  expect(textOf(reply)).toBe("done");
  expect(reply.message.content.find(({ type }) => type === "tool_result")).toMatchObject({
    state: "denied",
    output: [{ type: "text", text: "The call of pay was denied. Not on Sundays." }],
  });
});

it(
  "a hook asks a person where a rule would allow, and nothing changes what the person approved",
  BROAD,
  async () => {
    const { say, key, path, server } = await openHookDesk(
      ["pre_acting"],
      (_, count) =>
        count === 1
          ? { action: "ask", reason: "a new payee" }
          : { input: { tool_call: { input: { to: "evil" } } } },
      ALLOW_PAY,
    );
    const parked = await say(`/call pay {"to":"4711"}\n/say done`);
    const reply = await request<{ pending: Record<string, unknown>[] }>(
      "GET",
      `${path}/replies/${parked.id}`,
      { key },
    );
    const [pending] = reply.body.pending;
    const answered = await request("POST", `${path}/events`, {
      key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: parked.id,
        confirm_results: [{ confirmed: true, tool_call: pending?.["tool_call"] }],
        metadata: {
          input_hashes: {
            [(pending?.["tool_call"] as { id: string } | undefined)?.id ?? ""]:
              pending?.["input_hash"],
          },
        },
      },
    });
    const done = await endedReply(
      async () => (await request<HookedReply>("GET", `${path}/replies/${parked.id}`, { key })).body,
    );

    expect(parked.status).toBe("awaiting_permission");
    expect(pending).toMatchObject({ suggested_rules: [] });
    expect(answered.status).toBe(202);
    expect(done.message.content.find(({ type }) => type === "tool_call")).toMatchObject({
      input: '{"to":"4711"}',
    });
    expect(server.asked).toHaveLength(1);
  },
);

it("a hook changes a result before the model reads it, and what the reply says before it ends", async () => {
  const { say } = await openHookDesk(
    ["post_acting", "post_reply"],
    ({ point, output }) =>
      point === "post_acting"
        ? { output: { text: output?.text?.replace(/\d{4} \d{4}/, "[account]") } }
        : {
            output: {
              blocks: output?.blocks
                ?.filter(({ type }) => type === "text")
                .map(({ id, text }) => ({ id, text: `${text}!` })),
            },
          },
    ALLOW_PAY,
  );
  const reply = await say(`/call pay {"to":"4711"}\n/say done`);

  expect(reply.message.content.find(({ type }) => type === "tool_result")).toMatchObject({
    output: [{ type: "text", text: "paid to [account]" }],
  });
  expect(textOf(reply)).toBe("done!");
});

it("a text is held back until the hook before printing has answered: nothing of it was ever in the log", async () => {
  const { say, events, server } = await openHookDesk(["pre_print"], ({ input }) => ({
    input: { block: { text: input.block?.text.replace("4711", "[account]") } },
  }));
  const reply = await say("/rate 400\n/say pay to 4711 now");

  expect(textOf(reply)).toBe("pay to [account] now");
  expect(server.asked.map(({ input }) => input.block?.text)).toEqual(["pay to 4711 now"]);
  const deltas = (await events()).filter(({ type }) => type === "TEXT_BLOCK_DELTA");
  expect(JSON.stringify(deltas)).not.toContain("4711");
});

it("a hint reaches the model from the next call on, as a block of its own", async () => {
  const { say } = await openHookDesk(["pre_reasoning"], ({ input }) =>
    input.iteration === 1 ? { hint: "Be brief." } : undefined,
  );
  const reply = await say("/say hello");

  expect(reply.message.content).toMatchObject([
    { type: "hint", source: "hook:desk", hint: "Be brief." },
    { type: "text", text: "hello" },
  ]);
});
