// The classes of AG-UI's page "Events" (Python): each event that a session is read as has the members that its class has.
import { beforeAll, describe, expect, it } from "vitest";

import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

/** The members that each class of the page requires, in the names of the wire. `CustomEvent` is what services tell. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  RUN_STARTED: ["threadId", "runId"],
  RUN_FINISHED: ["threadId", "runId"],
  RUN_ERROR: ["message"],
  STEP_STARTED: ["stepName"],
  STEP_FINISHED: ["stepName"],
  TEXT_MESSAGE_START: ["messageId", "role"],
  TEXT_MESSAGE_CONTENT: ["messageId", "delta"],
  TEXT_MESSAGE_END: ["messageId"],
  TOOL_CALL_START: ["toolCallId", "toolCallName"],
  TOOL_CALL_ARGS: ["toolCallId", "delta"],
  TOOL_CALL_END: ["toolCallId"],
  TOOL_CALL_RESULT: ["messageId", "toolCallId", "content"],
  STATE_SNAPSHOT: ["snapshot"],
  STATE_DELTA: ["delta"],
  MESSAGES_SNAPSHOT: ["messages"],
  ACTIVITY_SNAPSHOT: ["messageId", "activityType", "content"],
  ACTIVITY_DELTA: ["messageId", "activityType", "patch"],
  RAW: ["event"],
  REASONING_START: ["messageId"],
  REASONING_MESSAGE_START: ["messageId", "role"],
  REASONING_MESSAGE_CONTENT: ["messageId", "delta"],
  REASONING_MESSAGE_END: ["messageId"],
  REASONING_END: ["messageId"],
  REASONING_ENCRYPTED_VALUE: ["subtype", "entityId", "encryptedValue"],
};
/** Events that the page has for producers alone, and the names that it calls deprecated. */
const NEVER = /_CHUNK$|^THINKING_/;

interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

let key: string;
const read: Frame[] = [];

beforeAll(async () => {
  ({ key } = await createTenant());
  const tools = await startToolServer({ "/look": answer(JSON.stringify({ output: "sunny" })) });
  const agent = await createAgent(key, {
    tools: [{ type: "http", name: "look", url: `${tools.url}/look`, read_only: true }],
    plan: {},
    shared_state: {
      enabled: true,
      schema: { type: "object", properties: { city: { type: "string" } } },
    },
  });
  expect(agent).toMatch(/^agt_/);
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  const subtask = { name: "Look", description: "Look.", expected_outcome: "Weather." };
  const plan = { name: "Trip", description: "Plan it.", expected_outcome: "A trip." };
  const inputs = [
    "/think Hm.\n/sign proof\n/say One moment.\n/call look {}\n/say It is sunny.",
    `/call create_plan ${JSON.stringify({ ...plan, subtasks: [subtask] })}\n/then\n/call finish_subtask {"subtask_idx":0,"subtask_outcome":"Sunny."}\n/then\n/say Planned.`,
    '/call update_shared_state {"patch":[{"op":"add","path":"/city","value":"Rome"}]}\n/say Kept.',
    "/say This goes wrong.\n/fail invalid_request",
  ];
  for (const input of inputs) {
    await request("POST", `${path}/replies`, { key, body: { input } });
  }
  for (const query of ["&after=0&raw=true", "&after=0&profile=1.0", ""]) {
    const response = await openRequest("GET", `${path}/events?format=ag-ui${query}`, {
      key,
      headers: { accept: "text/event-stream" },
    });
    read.push(...(await readSse(response)).map(({ data }) => JSON.parse(data) as Frame));
  }
  return () => tools.stop();
});

describe("Events", () => {
  it("have the types of the enum, and none that is deprecated or a producer's convenience", () => {
    const types = new Set(read.map(({ type }) => type));

    expect([...types].filter((type) => NEVER.test(type))).toEqual([]);
    expect([...types].filter((type) => !Object.hasOwn(CLASSES, type))).toEqual([]);
    expect(Object.keys(CLASSES).filter((type) => !types.has(type))).toEqual([]);
  });

  it.each(Object.entries(CLASSES))("%s has the members of its class", (type, members) => {
    for (const frame of read.filter((one) => one.type === type)) {
      expect(members.filter((member) => !Object.hasOwn(frame, member))).toEqual([]);
      const { timestamp } = frame;
      expect(timestamp === undefined || Number.isInteger(timestamp)).toBe(true);
    }
  });

  it("have no empty delta of a text, and roles as the classes name them", () => {
    const texts = read.filter(({ type }) => type === "TEXT_MESSAGE_CONTENT");
    const starts = read.filter(({ type }) => type === "TEXT_MESSAGE_START");

    expect(texts.filter(({ delta }) => delta === "")).toEqual([]);
    expect(new Set(starts.map(({ role }) => role))).toEqual(new Set(["assistant"]));
  });
});
