// Content that the platform leaves out of an answer, because it is too large for one: the SDK has it whole.
import { expect, test } from "vitest";

import { AssistantMsg, omittedOf } from "../../sdk/index.ts";
import { omitContent } from "../../protocol/messages/omitted.ts";
import { frame, json, startStage, stream } from "./stage.ts";

const MESSAGE = {
  ...AssistantMsg({ id: "rep_1", name: "desk", content: "All of it.", created_at: "T" }),
  finished_at: "T",
  finished_reason: "completed" as const,
};
const GAP = omitContent(MESSAGE, 9_000_001);

function reply(message: object | null, more: object = {}) {
  return {
    id: "rep_1",
    session_id: "ses_1",
    status: "completed",
    message,
    pending: [],
    error: null,
    usage: null,
    cursor: 3,
    ...more,
  };
}

const START = frame(1, "REPLY_START", { name: "desk", role: "assistant", session_id: "ses_1" });
const END = frame(3, "REPLY_END", {
  session_id: "ses_1",
  finished_reason: "completed",
  error: null,
  metadata: {},
});

test("a message that was left out says how much it was, and others say nothing", () => {
  expect([omittedOf(GAP), omittedOf(MESSAGE)]).toEqual([{ bytes: 9_000_001 }, null]);
  expect(omittedOf({ content: MESSAGE.content, metadata: { omitted: { bytes: 1 } } })).toBeNull();
  expect(omittedOf({ content: [], metadata: { omitted: "yes" } })).toBeNull();
});

test("a reply that was read has the message that its events make", async () => {
  const { reprise, requests } = await startStage([stream(START + END), json(200, reply(GAP))]);
  const read = reprise.session("ses_1").reply("Hi");

  const done = await read.done();

  expect(done.message).toEqual(read.message());
  expect(omittedOf(done.message!)).toBeNull();
  expect(requests.length).toBe(2);
});

test("a reply of which nothing was read has its message from where it is whole", async () => {
  const { reprise, requests } = await startStage([
    json(204, {}),
    json(200, reply(GAP)),
    json(200, { message: MESSAGE, cursor: 3 }),
  ]);

  const text = await reprise.session("ses_1").resumeReply("rep_1", { after: 3 }).text();

  expect(text).toBe("All of it.");
  expect(requests.map(({ path }) => path.split("?")[0])).toEqual([
    "/v1/sessions/ses_1/events",
    "/v1/sessions/ses_1/replies/rep_1",
    "/v1/sessions/ses_1/messages/rep_1",
  ]);
});

test("a reply whose message was left out is read on from its beginning", async () => {
  const { reprise, requests } = await startStage([stream(START + END)]);
  const read = reprise.session("ses_1").resumeReply(reply(GAP) as never);

  for await (const _event of read);

  expect(requests[0]?.path).toContain("after=0");
  expect(read.message()).toMatchObject({ id: "rep_1", metadata: {}, finished_reason: "completed" });
});

test("a function that runs a call gets its whole input", async () => {
  const tool_call = {
    type: "tool_call",
    id: "call_1",
    name: "label",
    input: '{"note":"all of it"}',
    state: "submitted",
    suggested_rules: [],
    created_at: "T",
    finished_at: null,
  };
  const call = { kind: "external_result", input_hash: null, expires_at: null, suggested_rules: [] };
  const waiting = {
    ...call,
    tool_call: { ...tool_call, input: "" },
    omitted: { bytes: 2_000_000 },
  };
  const message = { ...MESSAGE, content: [tool_call], finished_at: null, finished_reason: null };
  const { reprise, requests } = await startStage([
    json(204, {}),
    json(200, reply(GAP, { status: "awaiting_external_result", pending: [waiting] })),
    json(200, { message, cursor: 3 }),
    json(202, { reply: null, cursor: 3, applied: true }),
    stream(END),
  ]);
  const given: unknown[] = [];
  const tools = { label: (input: object) => (given.push(input), "printed") };

  const read = reprise.session("ses_1").resumeReply("rep_1", { after: 2, tools });
  for await (const _event of read);

  expect(given).toEqual([{ note: "all of it" }]);
  expect(requests[2]?.path).toBe("/v1/sessions/ses_1/messages/rep_1");
});
