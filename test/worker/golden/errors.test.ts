// Bodies of refusals, byte for byte: each code as the error handler writes it, and some through the door. Written anew by
// `npx vitest run --project worker test/worker/golden/errors.test.ts -u`.
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import { ERRORS, type ErrorCode } from "../../../protocol/errors.ts";
import type { AppContext } from "../../../worker/app-env.ts";
import { handleError } from "../../../worker/handle-error.ts";
import { HttpError } from "../../../worker/http-error.ts";
import baseline from "../../fixtures/baseline/session.json";
import { OPERATOR, send, type Call } from "../support/api.ts";
import { loadStoredSession } from "../tables/stored-session.ts";

const REQUEST_ID = "req_golden";

test("each code has the same body and headers", async () => {
  const context = {
    env,
    // No upgrade to a WebSocket, whose refusal is a close.
    req: { header: () => undefined },
    get: (name: string) => (name === "requestId" ? REQUEST_ID : undefined),
  } as unknown as AppContext;
  const texts: string[] = [];
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const more = {
      errors: [{ pointer: "#/name", detail: "is required" }],
      extensions: { quota: "agents", retry_after_ms: 1_500 },
    };
    const error = new HttpError(code, "what happened", more);
    texts.push(await textOf(code, await handleError(error, context)));
  }

  await expect(texts.join("\n")).toMatchFileSnapshot("../../fixtures/golden/errors/every-code.txt");
});

const { api_key: key, client_token, session_id, reply_ids } = baseline;
const path = `/v1/sessions/${session_id}`;
const MISSING = "0".repeat(26);
const POST_EVENTS = ["POST", `${path}/events`] as const;

const REQUESTS: readonly (readonly [method: string, path: string, call: Call])[] = [
  ["GET", "/v1/nothing", { key }],
  ["PUT", "/v1/agents", { key }],
  ["GET", "/v1/agents", {}],
  ["GET", "/v1/agents", { key: "rp_wrong" }],
  ["GET", "/v1/tenants", { key }],
  ["GET", `/v1/agents/agt_${MISSING}`, { key }],
  ["GET", `/v1/sessions/ses_${MISSING}`, { key }],
  ["GET", `${path}/replies/rep_${MISSING}`, { key }],
  ["GET", "/v1/agents?limit=0", { key }],
  ["GET", "/v1/agents?limt=1", { key }],
  ["POST", "/v1/agents", { key, json: {} }],
  ["POST", "/v1/agents", { key, json: { name: "A", models: {} } }],
  ["POST", "/v1/agents", { key, body: "{", headers: { "Content-Type": "application/json" } }],
  ["POST", "/v1/agents", { key, body: "{}", headers: { "Content-Type": "text/plain" } }],
  ["POST", "/v1/agents", { key, json: JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) }],
  ["POST", "/v1/tenants", { ...OPERATOR, json: { name: "A".repeat(70_000) } }],
  ["GET", `${path}/events?after=x`, { key, headers: { Accept: "text/event-stream" } }],
  ["GET", `${path}/events?after=9000`, { key, headers: { Accept: "text/event-stream" } }],
  ["DELETE", path, { key: client_token }],
  ["POST", `${path}/replies`, { key, json: { input: "hello" } }],
  ["POST", `${path}/replies`, { key, json: { input: "other" }, headers: idempotent("first") }],
  [...POST_EVENTS, { key, json: { type: "USER_INTERRUPT" } }],
  [...POST_EVENTS, { key, json: { type: "REPLY_END", reply_id: reply_ids[0] } }],
  [
    ...POST_EVENTS,
    {
      key,
      json: { type: "USER_CONFIRM_RESULT", reply_id: reply_ids[0], confirm_results: [confirmed()] },
    },
  ],
  [
    ...POST_EVENTS,
    {
      key: client_token,
      json: { type: "USER_CONFIRM_RESULT", reply_id: reply_ids[1], confirm_results: [confirmed()] },
    },
  ],
  ["PATCH", `${path}/shared-state`, { key, json: [{ op: "remove", path: "/nothing" }] }],
  ["PUT", `${path}/plan`, { key, json: {} }],
  ["PUT", `${path}/plan`, { key, json: { plan: { name: "A", subtasks: [{}] } } }],
  ["PUT", `${path}/tool-groups`, { key, json: { groups: { none: true } } }],
];

test("refusals at the door have the same bodies and headers", async () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.parse(baseline.made_at) + 1_000);
  await loadStoredSession(baseline);
  const texts: string[] = [];
  for (const [method, where, call] of REQUESTS) {
    const headers = { ...call.headers, "X-Request-Id": REQUEST_ID };
    const answer = await send(method, where, { ...call, headers });
    texts.push(await textOf(`${method} ${where.slice(0, 80)}`, answer));
  }

  await expect(texts.join("\n")).toMatchFileSnapshot(
    "../../fixtures/golden/errors/through-the-door.txt",
  );
});

function idempotent(value: string) {
  return { "Idempotency-Key": value };
}

function confirmed() {
  const tool_call = { type: "tool_call", id: "call_0", name: "refund", input: "{}" };
  return { confirmed: true, tool_call };
}

async function textOf(title: string, answer: Response): Promise<string> {
  const shown = ["Content-Type", "Retry-After", "Allow", "WWW-Authenticate"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`# ${title}`, answer.status, ...shown, await answer.text(), ""].join("\n");
}
