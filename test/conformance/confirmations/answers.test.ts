// A tool that has to be confirmed, over real sockets: what its server gets, and how often.
import { expect, it, onTestFinished } from "vitest";

import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
  type Answer,
} from "../../support/platform-client.ts";
import { echo, startToolServer, type ToolRoute } from "../../support/tool-server.ts";

interface PendingCall {
  readonly tool_call: { readonly id: string };
}
interface Reply {
  readonly id: string;
  readonly status: string;
  readonly cursor: number;
  readonly pending: readonly [PendingCall];
}
interface Answered {
  readonly applied?: boolean;
  readonly code?: string;
  readonly same_answer?: boolean;
}

const INPUT = { order_id: "A-1001", amount_cents: 4200 };

/** A session whose reply waits for a person to allow one refund. */
async function openParked(route: ToolRoute = echo) {
  const { key } = await createTenant();
  const tools = await startToolServer({ "/refund": route });
  onTestFinished(() => tools.stop());
  const tool = { type: "http", name: "refund", url: `${tools.url}/refund` };
  const session = await createSession(key, await createAgent(key, { tools: [tool] }));
  const path = `/v1/sessions/${session}`;
  const { body: reply } = await request<Reply>("POST", `${path}/replies`, {
    key,
    body: { input: `/call refund ${JSON.stringify(INPUT)}` },
  });
  const [{ tool_call }] = reply.pending;
  return {
    key,
    path,
    reply,
    /** The inputs that the tool's server was asked to act on. */
    inputs: () => tools.requests.map(({ body }) => (body as { input: unknown }).input),
    traces: () => tools.requests.map(({ headers }) => headers["traceparent"]),
    post(answer: object, headers: Readonly<Record<string, string>> = {}) {
      return request<Answered>("POST", `${path}/events`, { key, body: answer, headers });
    },
    /** Posts it and answers with the stream of what follows, once that has begun. */
    stream: (answer: object) =>
      openRequest("POST", `${path}/events?stream=true`, { key, body: answer }),
    answer(confirmed: boolean, changes: object = {}) {
      return {
        type: "USER_CONFIRM_RESULT",
        reply_id: reply.id,
        confirm_results: [{ confirmed, tool_call: { id: tool_call.id, ...changes } }],
      };
    },
    /** Reads to the reply's end. */
    async finish() {
      const headers = { accept: "text/event-stream" };
      const stream = await openRequest("GET", `${path}/events?after=${reply.cursor}`, {
        key,
        headers,
      });
      return (await readSse(stream)).map(({ event }) => event);
    },
  };
}

function outcomeOf({ status, body }: Answer<Answered>) {
  return [status, body.code ?? null];
}

it("nothing reaches the tool before a person allows it", async () => {
  const parked = await openParked();

  expect([parked.reply.status, parked.inputs()]).toEqual(["awaiting_permission", []]);
});

it("of many clients that race to say yes, each is told so, and the tool runs once", async () => {
  const parked = await openParked();

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => parked.post(parked.answer(true))),
  );
  await parked.finish();

  // Whoever comes when the tool is through is told that the confirmation is used, with the same words.
  const fates = answers.map(({ status, body }) => (status === 202 ? true : body.same_answer));
  expect([fates, parked.inputs()]).toEqual([answers.map(() => true), [INPUT]]);
});

it("the same answer while the tool is at work runs nothing, and streams what follows, like the first", async () => {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const parked = await openParked(async (response, call) => {
    reached.resolve();
    await released.promise;
    return echo(response, call);
  });

  const first = await parked.stream(parked.answer(true));
  await reached.promise;
  const receipt = await parked.post(parked.answer(true));
  const second = await parked.stream(parked.answer(true));
  released.resolve();

  const [frames, again] = await Promise.all([readSse(first), readSse(second)]);
  expect([receipt.status, receipt.body.applied]).toEqual([202, false]);
  expect([frames[0]?.event, frames.at(-1)?.event]).toEqual(["USER_CONFIRM_RESULT", "REPLY_END"]);
  expect([again, parked.inputs()]).toEqual([frames, [INPUT]]);
});

it("of a yes and a no that race, one wins, and the tool runs once or not at all", async () => {
  const parked = await openParked();

  const answers = await Promise.all([
    parked.post(parked.answer(true)),
    parked.post(parked.answer(false)),
  ]);
  await parked.finish();

  const wonByYes = answers[0].status === 202;
  const lost = [409, "confirmation_used"];
  expect([answers.map(outcomeOf), parked.inputs()]).toEqual(
    wonByYes ? [[[202, null], lost], [INPUT]] : [[lost, [202, null]], []],
  );
});

it("a no means that nothing reaches the tool, and the reply goes on without it", async () => {
  const parked = await openParked();

  const { status } = await parked.post(parked.answer(false));
  const events = await parked.finish();

  expect([status, parked.inputs(), events[0], events.at(-1)]).toEqual([
    202,
    [],
    "USER_CONFIRM_RESULT",
    "REPLY_END",
  ]);
});

it("an edit is what reaches the tool", async () => {
  const parked = await openParked();
  const edited = { order_id: "A-1001", amount_cents: 2100 };

  await parked.post(parked.answer(true, { input: JSON.stringify(edited) }));
  await parked.finish();

  expect(parked.inputs()).toEqual([edited]);
});

it("what is refused does not reach the tool, and a replay after it ran runs nothing again", async () => {
  const parked = await openParked();
  const other = await openParked();

  const refusals = [
    await parked.post(parked.answer(true, { name: "lookup" })),
    await parked.post(parked.answer(true, { input: "{" })),
    await parked.post(other.answer(true)),
    await parked.post({
      ...parked.answer(true),
      metadata: { input_hashes: stale(parked.reply) },
    }),
  ];
  const before = parked.inputs();
  await parked.post(parked.answer(true));
  await parked.finish();
  const replay = await parked.post(parked.answer(true));

  expect([refusals.map(outcomeOf), before, outcomeOf(replay), parked.inputs()]).toEqual([
    [
      [400, "tool_name_changed"],
      [400, "edited_input_invalid"],
      [409, "call_not_pending"],
      [409, "input_hash_mismatch"],
    ],
    [],
    [409, "confirmation_used"],
    [INPUT],
  ]);
});

it("the tool sees the trace of whoever allowed it", async () => {
  const parked = await openParked();
  const trace = "0af7651916cd43dd8448eb211c80319c";

  await parked.post(parked.answer(true), { traceparent: `00-${trace}-b7ad6b7169203331-01` });
  await parked.finish();

  expect(parked.traces()).toEqual([
    expect.stringMatching(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`)),
  ]);
});

/** The hash of an input that is no longer the call's. */
function stale({ pending: [{ tool_call }] }: Reply) {
  return { [tool_call.id]: `sha256:${"0".repeat(64)}` };
}
