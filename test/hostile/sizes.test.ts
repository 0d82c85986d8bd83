/** @module-tag broad */
// Requests that are too deep, too wide, too long or without an end, from strangers and with an end user's token: each
// has its documented error, and leaves a neighbour's conversation as it was.
import { request as openSocket, type IncomingMessage } from "node:http";

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import type { SharedState } from "../../protocol/shared-state/contract.ts";
import type { Problem } from "../../protocol/problem.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
  type RequestOptions,
} from "../support/platform-client.ts";
import {
  confirmation,
  mintToken,
  openRefundOffice,
  type RefundOffice,
} from "../support/refund-office.ts";

const VERBS = ["read", "reply", "confirm", "edit", "tool_result", "interrupt"];
const JSON_TYPE = { "content-type": "application/json" };

let office: RefundOffice;
let agent: string;
/** Of the attacked tenant's session, with the token that its end user has. */
let path: string;
let token: string;
let neighbour: { readonly key: string; readonly messages: string };
let said: unknown;

beforeAll(async () => {
  office = await openRefundOffice();
  const { key } = office;
  agent = await createAgent(key, { tools: [], shared_state: { enabled: true } });
  path = `/v1/sessions/${await createSession(key, agent)}`;
  token = await mintToken(key, path, VERBS);
  const other = await createTenant();
  const session = `/v1/sessions/${await createSession(other.key)}`;
  await request("POST", `${session}/replies`, { key: other.key, body: { input: "/say here" } });
  neighbour = { key: other.key, messages: `${session}/messages` };
  said = await readNeighbour();
});
afterAll(() => office.stop());

async function readNeighbour(): Promise<unknown> {
  return (await request("GET", neighbour.messages, { key: neighbour.key })).body;
}

async function refusal(method: string, address: string, options: RequestOptions) {
  const { status, body } = await request<Problem>(method, address, options);
  const pointer = body?.errors?.[0]?.pointer;
  return [status, body?.code, ...(pointer === undefined ? [] : [pointer])];
}

const withToken = (body: unknown): RequestOptions => ({ key: token, body });
const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const wide = (values: number) => `[${"1,".repeat(values)}1]`;

/** Places in a body of JSON, with what goes into each. */
const PLACES: readonly (readonly [string, () => string, (json: string) => string])[] = [
  ["a reply", () => `${path}/replies`, (json) => `{"input":${json}}`],
  [
    "a structured schema",
    () => `${path}/replies`,
    (json) => `{"input":"x","structured_schema":${json}}`,
  ],
  [
    "an event's metadata",
    () => `${path}/events`,
    (json) => `{"type":"USER_INTERRUPT","metadata":${json}}`,
  ],
  [
    "a result's metadata",
    () => `${path}/events`,
    (json) => `{"execution_results":[{"metadata":${json}}]}`,
  ],
  ...["state", "context", "forwardedProps", "tools", "messages", "resume"].map(
    (member) =>
      [
        `a run's ${member}`,
        () => `/v1/agents/${agent}/ag-ui`,
        (json: string) => `{"threadId":"t","runId":"r","${member}":${json}}`,
      ] as const,
  ),
];

describe("JSON with an end user's token", () => {
  it.each(PLACES)("that is too deep or too wide in %s is refused", async (_, address, body) => {
    const post = (json: string) => refusal("POST", address(), withToken(body(json)));

    expect([
      await post(deep(64)),
      await post(deep(3_000_000)),
      await post(wide(101_000)),
      await post(wide(3_900_000)),
    ]).toEqual([
      [400, "input_too_deep", "#"],
      [400, "input_too_deep", "#"],
      [400, "validation_failed", "#"],
      [400, "validation_failed", "#"],
    ]);
    expect(await readNeighbour()).toEqual(said);
  });

  it("within the JSON of an edited input has the same bounds", async () => {
    const parked = await office.park();
    const post = await parked.caller("client token");
    const edit = async (input: string) => {
      const { status, body } = await post(confirmation(parked, { tool_call: { input } }));
      return [status, body.code, body.errors?.[0]?.pointer];
    };

    const place = "#/confirm_results/0/tool_call/input";
    expect([
      await edit(`{"order_id":${deep(3_000_000)}}`),
      await edit(`{"order_id":${wide(3_000_000)}}`),
    ]).toEqual([
      [400, "edited_input_invalid", place],
      [400, "edited_input_invalid", place],
    ]);
  });

  it("may be wrong in twenty thousand places, and twenty are named", async () => {
    const names = Array.from({ length: 19_000 }, (_, index) => [`field_${index}`, 1]);

    const { status, body } = await request<Problem>(
      "POST",
      `${path}/replies`,
      withToken({ input: "Hi", ...Object.fromEntries(names) }),
    );

    expect([status, body.code, body.errors?.length]).toEqual([400, "validation_failed", 20]);
  });

  it("is a message of a thousand blocks at most", async () => {
    const content = Array.from({ length: 1_001 }, () => ({ type: "text", text: "x" }));
    const messages = [{ role: "user", id: "m", content }];
    const run = withToken({ threadId: "t", runId: "r", messages });

    expect([
      await refusal("POST", `${path}/replies`, withToken({ input: { role: "user", content } })),
      await refusal("POST", `/v1/agents/${agent}/ag-ui`, run),
    ]).toEqual([
      [400, "validation_failed", "#/input/content"],
      [400, "validation_failed", "#/messages/0/content"],
    ]);
  });

  it.each([
    ["a type of eight million letters", `{"type":"${"A_".repeat(3_900_000)}"}`, "#/type"],
    ["a name of lone surrogates", `{"${"\\ud800".repeat(1_000_000)}":1}`, "#/type"],
  ])("that has %s is refused", async (_, body, pointer) => {
    expect(await refusal("POST", `${path}/events`, withToken(body))).toEqual([
      400,
      "validation_failed",
      pointer,
    ]);
  });
});

describe("a patch of the shared state with an end user's token", () => {
  const move = (from: string, to: string) => ({ op: "move", from, path: to });

  it("copies, nests and reaches no further than a state may", async () => {
    const patch = (body: unknown) => refusal("PATCH", `${path}/shared-state`, withToken(body));
    const doubling = [
      { op: "add", path: "/a", value: [1, 2, 3, 4] },
      ...Array.from({ length: 40 }, () => ({ op: "copy", from: "/a", path: "/a/-" })),
    ];
    const chain = JSON.parse(`${'{"x":'.repeat(60)}1${"}".repeat(60)}`) as object;
    const towers = Array.from({ length: 30 }, (_, floor) => [
      { op: "add", path: `/t${floor}`, value: chain },
      ...(floor > 0 ? [move(`/t${floor - 1}`, `/t${floor}${"/x".repeat(59)}/y`)] : []),
    ]).flat();

    expect([
      await patch(doubling),
      await patch(towers),
      await patch([{ op: "add", path: "/a".repeat(10_000), value: 1 }]),
      await patch([{ op: "add", path: "/__proto__/polluted", value: 1 }]),
      await patch([{ op: "add", path: "/a", value: { constructor: { prototype: 1 } } }]),
      await patch(Array.from({ length: 257 }, () => ({ op: "test", path: "/a", value: 1 }))),
      await patch([{ op: "add", path: "/a", value: "x".repeat(131_072) }]),
      await patch(JSON.parse(`[{"op":"test","path":"","value":${deep(62)}}]`)),
    ]).toEqual([
      [422, "state_invalid", "#/13"],
      [422, "state_invalid", "#"],
      [400, "validation_failed", "#/0/path"],
      [400, "validation_failed", "#/0/path"],
      [400, "validation_failed", "#/0/value"],
      [400, "validation_failed", "#"],
      [400, "validation_failed", "#"],
      [409, "state_conflict", "#/0"],
    ]);
    const { body } = await request<SharedState>("GET", `${path}/shared-state`, { key: token });
    expect([body.state, body.version]).toEqual([{}, 0]);
  });

  it("may move a state of 20,000 values as often as it has operations", async () => {
    const rows = Array.from({ length: 9_900 }, () => []);
    const body = Array.from({ length: 255 }, (_, index) => move(`/r${index}`, `/r${index + 1}`));
    const address = `/v1/sessions/${await createSession(office.key, agent)}/shared-state`;
    for (const pointer of ["/r0", "/r0/-"]) {
      const add = [{ op: "add", path: pointer, value: rows }];
      await request("PATCH", address, { key: office.key, body: add });
    }

    const answer = await request<SharedState>("PATCH", address, { key: office.key, body });

    expect([answer.status, answer.body]).toEqual([
      200,
      { state: { r255: [...rows, rows] }, version: 3, cursor: expect.any(Number) },
    ]);
    expect(await readNeighbour()).toEqual(said);
  });
});

describe("a header or an address of any length", () => {
  const long = "x".repeat(15_000);

  it.each<[string, string, Readonly<Record<string, string>>, readonly unknown[]]>([
    [
      "Idempotency-Key",
      "POST",
      { "idempotency-key": long },
      [400, "validation_failed", "#/headers/idempotency-key"],
    ],
    [
      "Idempotency-Key of escapes",
      "POST",
      { "idempotency-key": `"${"\\\\".repeat(7_000)}` },
      [400, "validation_failed", "#/headers/idempotency-key"],
    ],
    [
      "Last-Event-ID",
      "GET",
      { "last-event-id": "1".repeat(15_000) },
      [400, "invalid_cursor", "#/headers/last-event-id"],
    ],
  ])("is refused with a pointer: %s", async (_, method, headers, refused) => {
    const address = method === "GET" ? `${path}/events` : `${path}/replies`;
    const body = method === "GET" ? {} : { body: { input: "hi" } };

    expect(await refusal(method, address, { key: token, headers, ...body })).toEqual(refused);
  });

  it.each([
    ["after", "invalid_cursor"],
    ["page", "validation_failed"],
    ["limit", "validation_failed"],
    ["format", "validation_failed"],
    ["nobody", "validation_failed"],
  ])("is refused with a pointer: ?%s=", async (name, code) => {
    expect(await refusal("GET", `${path}/events?${name}=${long}`, { key: token })).toEqual([
      400,
      code,
      `#/query/${name}`,
    ]);
  });

  it("is no credential", async () => {
    expect([
      await refusal("GET", path, { key: `rt_${long}` }),
      await refusal("GET", path, { key: `rk_live_${long}` }),
      await refusal("GET", `${path}/events?token=tk_${long}`, {}),
      await refusal("GET", `/v1/callbacks/cb_${long}`, {}),
    ]).toEqual([
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [401, "unauthenticated"],
      [404, "not_found"],
    ]);
  });

  it("costs no more than to leave it out: a tracestate of spaces, of nobody at all", async () => {
    const headers = {
      traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      tracestate: `a=1${" ".repeat(100_000)}2`,
    };

    expect(await refusal("GET", path, { headers })).toEqual([401, "unauthenticated"]);
    expect(await readNeighbour()).toEqual(said);
  });
});

/** The answer to a body of which so many bytes are sent, and never its end. */
async function sendUnended(
  address: string,
  bytes: number,
  headers: Readonly<Record<string, string>>,
) {
  const socket = openSocket(`${inject("baseUrl")}${address}`, { method: "POST", headers });
  const answered = Promise.withResolvers<IncomingMessage>();
  socket.on("response", (response) => answered.resolve(response));
  socket.on("error", (error) => answered.reject(error));
  socket.write(Buffer.alloc(bytes, " "));
  const response = await answered.promise;
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += String(part);
  socket.destroy();
  return [response.statusCode, (JSON.parse(text) as Problem).code];
}

describe("a body without an end", () => {
  it("is answered as soon as it is too large, and of a stranger before it is read", async () => {
    const inbound = `/v1/inbound/whi_${"0".repeat(26)}`;
    const signed = { "webhook-id": "m", "webhook-timestamp": "1", "webhook-signature": "v1,A" };
    const known = { ...JSON_TYPE, authorization: `Bearer ${token}` };

    expect([
      await sendUnended(`${path}/replies`, 10, JSON_TYPE),
      await sendUnended(inbound, 10, JSON_TYPE),
      await sendUnended(inbound, 1_000_001, { ...JSON_TYPE, ...signed }),
      await sendUnended(`${path}/replies`, 8_000_001, known),
      await sendUnended(`${path}/replies`, 10, { ...known, "content-encoding": "gzip" }),
    ]).toEqual([
      [401, "unauthenticated"],
      [401, "signature_invalid"],
      [413, "body_too_large"],
      [413, "body_too_large"],
      [415, "unsupported_media_type"],
    ]);
    expect(await readNeighbour()).toEqual(said);
  });
});
