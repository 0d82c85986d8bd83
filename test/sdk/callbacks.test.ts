// The address of a webhook's calls, read and answered without a key.
import { expect, onTestFinished, test } from "vitest";

import {
  answerCallback,
  confirmEvent,
  readCallback,
  toolResultEvent,
  type Callback,
} from "../../sdk/index.ts";
import { startLoopbackServer, type RecordedRequest } from "../support/loopback-server.ts";
import { cut, failure, json, type Scene } from "./stage.ts";

const CALLBACK = {
  session_id: "ses_1",
  reply_id: "rep_1",
  pending: [
    {
      kind: "permission",
      tool_call: {
        type: "tool_call",
        id: "c1",
        name: "refund",
        input: "{}",
        state: "asking",
        suggested_rules: [],
        created_at: "T",
        finished_at: null,
      },
      input_hash: "sha256:c1",
      expires_at: null,
      suggested_rules: [],
    },
  ],
  expires_at: "2026-11-21T10:00:00.000Z",
} satisfies Callback;
const RECEIPT = { session_id: "ses_1", reply_id: "rep_1", status: "running", applied: true };

async function addressOf(...scenes: Scene[]) {
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer((request, response) => {
    requests.push(request);
    scenes[Math.min(requests.length, scenes.length) - 1]?.(response, request);
  });
  onTestFinished(() => server.stop());
  return { url: `${server.url}/v1/callbacks/cb_e30.x-_y`, requests };
}

test("readCallback gives what waits, and sends no credential", async () => {
  const { url, requests } = await addressOf(json(200, CALLBACK));

  expect(await readCallback(url)).toEqual(CALLBACK);
  expect(
    requests.map(({ method, path, headers }) => [method, path, headers["authorization"]]),
  ).toEqual([["GET", "/v1/callbacks/cb_e30.x-_y", undefined]]);
});

test("answerCallback posts an answer with the hash, again when its own answer was lost", async () => {
  const { url, requests } = await addressOf(cut, json(202, RECEIPT));
  const [call] = CALLBACK.pending;
  if (!call) throw new Error("nothing waits");
  const event = confirmEvent(CALLBACK.reply_id, [[call, { input: { amount: 1 } }]]);

  expect(await answerCallback(url, event)).toEqual(RECEIPT);
  const body = {
    type: "USER_CONFIRM_RESULT",
    reply_id: "rep_1",
    metadata: { input_hashes: { c1: "sha256:c1" } },
    confirm_results: [{ confirmed: true, tool_call: { id: "c1", input: '{"amount":1}' } }],
  };
  expect(requests.map((request) => request.body)).toEqual([body, body]);
});

test("answerCallback is null when an earlier try was the one that arrived", async () => {
  const used = { code: "call_not_pending", detail: "", request_id: "r", same_answer: true };
  const { url } = await addressOf(cut, json(409, used));

  expect(await answerCallback(url, toolResultEvent("rep_1", []))).toBe(null);
});

test("the address does not stand in the error of a connection that fails", async () => {
  const { url } = await addressOf(cut);

  const error = await failure(readCallback(url, { maxRetries: 0 }));

  expect(String(error)).toMatch(/^ConnectionError: GET \/v1\/callbacks\/cb_…: /);
});

test("a refusal is an ApiError", async () => {
  const expired = { code: "unauthenticated", detail: "expired", request_id: "r" };
  const { url, requests } = await addressOf(json(401, expired));

  expect(await failure(readCallback(url))).toMatchObject({ name: "ApiError", status: 401 });
  expect(requests).toHaveLength(1);
});

test.each([
  "https://a.example/v1/agents/x",
  "/v1/callbacks/cb_x",
  "https://a.example/v1/callbacks/",
])("%s is no callback's address", async (url) => {
  await expect(readCallback(url)).rejects.toThrow(TypeError);
});
