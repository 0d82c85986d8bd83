// Two of our agents, of two tenants that know nothing of each other, who talk by A2A alone.
import { expect, inject, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { openA2aDesk } from "../../support/a2a/a2a-desk.ts";
import { statesOf, textsOf, type TaskReply } from "../../support/mcp/task-desk.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

interface Side {
  readonly key: string;
  /** Of the session. */
  readonly path: string;
}

const ERRAND = '/call refund {"order_id":"A-1001"}\n/say It is paid back.';

/** The agent that is asked, whose card is for everybody, and a key of its tenant. */
async function openOther() {
  const desk = await openA2aDesk({ a2a: { enabled: true, public_card: true } });
  return { key: desk.key, card: { url: `${inject("baseUrl")}${desk.path}` } };
}

/** An agent of another tenant that has it as a tool, with that key. */
async function openOwn({
  key: secret,
  card,
}: Awaited<ReturnType<typeof openOther>>): Promise<Side> {
  const { key } = await createTenant();
  const allowed_hosts = [new URL(inject("baseUrl")).host];
  const body = { type: "tool", name: "Desk", secret, allowed_hosts };
  const credential = await request<{ id: string }>("POST", "/v1/credentials", { key, body });
  const tool = { type: "a2a", name: "desk", card, credential_id: credential.body.id };
  const agentId = await createAgent(key, { name: "Caller", tools: [tool] });
  return { key, path: `/v1/sessions/${await createSession(key, agentId)}` };
}

/** The newest reply of a side, once this holds of it. */
async function settled(
  { key, path }: Side,
  isSettled: (reply: TaskReply) => boolean,
): Promise<TaskReply> {
  return waitFor(async () => {
    const { body } = await request<{ data: TaskReply[] }>("GET", `${path}/replies?limit=1`, {
      key,
    });
    const [reply] = body.data;
    if (!reply || !isSettled(reply)) throw new Error(JSON.stringify(body));
    return (await request<TaskReply>("GET", `${path}/replies/${reply.id}`, { key })).body;
  });
}

const asks = (name: string) => (reply: TaskReply) => reply.pending[0]?.tool_call.name === name;

async function post({ key, path }: Side, event: object): Promise<void> {
  const { status, body } = await request("POST", `${path}/events`, { key, body: event });
  if (status >= 300) throw new Error(JSON.stringify(body));
}

/** Approves the call for which a reply waits, as a person of its tenant. */
async function approve(side: Side, { id: reply_id, pending }: TaskReply): Promise<void> {
  const confirm_results = pending.map(({ tool_call }) => ({ confirmed: true, tool_call }));
  await post(side, { type: "USER_CONFIRM_RESULT", reply_id, confirm_results });
}

/** The answer of a person of the caller's tenant to what the other agent asks: it goes back over A2A. */
async function answer(side: Side, { id: reply_id, pending }: TaskReply): Promise<void> {
  const [call] = pending;
  const { id, name } = call!.tool_call;
  const output = JSON.stringify({ action: "accept", content: { confirmed: true } });
  const result = { type: "tool_result", id, name, output, state: "success" };
  await post(side, { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] });
}

/** The same, with a credential of fewer rights. */
async function tryAnswer({ path }: Side, key: string, { id: reply_id, pending }: TaskReply) {
  const [call] = pending;
  const { id, name } = call!.tool_call;
  const output = JSON.stringify({ action: "accept", content: { confirmed: true } });
  const result = { type: "tool_result", id, name, output, state: "success" };
  const event = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
  const { status, body } = await request<{ code?: string }>("POST", `${path}/events`, {
    key,
    body: event,
  });
  return [status, body.code];
}

/** Begins an errand whose call was approved here, and waits until the other agent asks for the other one. */
async function openErrand() {
  const other = await openOther();
  const own = await openOwn(other);
  const input = `/call desk ${JSON.stringify({ message: ERRAND })}\n/say Done.`;
  const body = { input, background: true };
  await request("POST", `${own.path}/replies`, { key: own.key, body });
  const first = await settled(own, asks("desk"));
  const before = await sessionsOf(other.key);
  await approve(own, first);
  const asked = await settled(own, ({ pending }) => pending[0]?.elicitation !== undefined);
  const [session] = await sessionsOf(other.key);
  const there = { key: other.key, path: `/v1/sessions/${session?.id}` };
  return { own, there, before, asked, question: await settled(there, asks("refund")) };
}

async function sessionsOf(key: string): Promise<readonly { readonly id: string }[]> {
  return (await request<{ data: { id: string }[] }>("GET", "/v1/sessions", { key })).body.data;
}

const isCompleted = ({ status }: TaskReply) => status === "completed";

it("nothing is sent before a person here approves the call, and what the other side asks comes back as a question", async () => {
  const { own, there, before, asked, question } = await openErrand();
  await answer(own, asked);
  const reply = await settled(own, isCompleted);

  expect(before).toEqual([]);
  expect(question.status).toBe("awaiting_permission");
  expect(asked.pending[0]?.elicitation).toMatchObject({ server: "Desk" });
  expect([statesOf(reply), textsOf(reply)]).toEqual([["success"], ["It is paid back."]]);
  expect((await settled(there, isCompleted)).id).toBe(question.id);
});

it("a confirmation of the other side is not given by a credential that may give results alone", async () => {
  const { own, there, asked } = await openErrand();
  const narrow = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key: own.key,
    body: { scopes: ["tool_results:write"] },
  });
  const tokenOf = async (verbs: readonly string[]) => {
    const body = { verbs };
    const { path, key } = own;
    return (await request<{ token: string }>("POST", `${path}/tokens`, { key, body })).body.token;
  };

  expect([
    await tryAnswer(own, narrow.body.api_key, asked),
    await tryAnswer(own, await tokenOf(["tool_result"]), asked),
    await tryAnswer(own, await tokenOf(["confirm"]), asked),
  ]).toEqual([
    [403, "insufficient_scope"],
    [403, "verb_missing"],
    [403, "verb_missing"],
  ]);
  expect((await settled(there, asks("refund"))).status).toBe("awaiting_permission");
  const [status] = await tryAnswer(own, await tokenOf(["confirm", "tool_result"]), asked);
  expect(status).toBe(202);
  expect((await settled(own, isCompleted)).status).toBe("completed");
});

it(
  "a person of the other tenant approves there, and the errand's result is here with the next answer",
  BROAD,
  async () => {
    const { own, there, asked, question } = await openErrand();
    await approve(there, question);
    await settled(there, isCompleted);
    await answer(own, asked);
    const reply = await settled(own, isCompleted);

    expect([statesOf(reply), textsOf(reply)]).toEqual([["success"], ["It is paid back."]]);
  },
);
