// A streamed reply begins and is read in one call of its session's object.
import { expect, onTestFinished, test, vi } from "vitest";

import { START_URL } from "../../../durable-objects/api/start-request.ts";
import { SessionObject } from "../../../durable-objects/session-object.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { LARGE_VALUE_CHARACTERS } from "../../../protocol/requests/limits.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";

/** The calls of session objects from here on: acts that begin replies, and requests. */
function watchObjects() {
  const act = vi.spyOn(SessionObject.prototype, "act");
  const fetch = vi.spyOn(SessionObject.prototype, "fetch");
  onTestFinished(() => {
    act.mockRestore();
    fetch.mockRestore();
  });
  return {
    starts: () => act.mock.calls.map(([name]) => name).filter((name) => name.startsWith("start")),
    requests: () => fetch.mock.calls.map(([{ url }]) => url.replace(/\?.*/, "")),
    fetch,
  };
}

const serve = Reflect.get(SessionObject.prototype, "fetch") as (
  this: SessionObject,
  request: Request,
) => Promise<Response>;

/** Objects that know no such request: they answer it as one for a stream, as the version before does. */
function beOfTheVersionBefore(fetch: ReturnType<typeof watchObjects>["fetch"]): void {
  fetch.mockImplementation(async function serveAsBefore(this: SessionObject, request: Request) {
    return request.url === START_URL ? new Response("") : serve.call(this, request);
  });
}

async function repliesOf(call: Call, path: string): Promise<readonly string[]> {
  const { json } = await ask<{ data: readonly Reply[] }>("GET", `${path}/replies`, call);
  return json.data.map(({ status }) => status);
}

const STREAM = "https://session/stream";

test("a streamed reply is one call of its object", async () => {
  const { call, path } = await openSession();
  const { starts, requests } = watchObjects();

  const { text } = await ask("POST", `${path}/replies`, {
    ...call,
    json: { input: "/say hello", stream: true },
  });

  expect([text.includes("event: REPLY_START"), text.includes("event: REPLY_END")]).toEqual([
    true,
    true,
  ]);
  expect([starts(), requests()]).toEqual([[], [START_URL]]);
});

test("a run of AG-UI is one call of its object", async () => {
  const { call, agent, session } = await openSession();
  const { starts, requests } = watchObjects();

  const { text } = await ask("POST", `/v1/agents/${agent.id}/ag-ui`, {
    ...call,
    json: runInput(session.id, "/say hello"),
  });

  expect(text).toContain("RUN_FINISHED");
  expect([starts(), requests()]).toEqual([[], [START_URL]]);
});

test("a refusal of the one call is the refusal that two calls give", async () => {
  const { call, path } = await openSession();
  const json = { input: "/say hello", stream: true, model: "unknown" };
  const { starts } = watchObjects();
  const one = await ask("POST", `${path}/replies`, { ...call, json });
  const calls = starts().length;

  const two = await ask("POST", `${path}/replies`, { ...call, json: { ...json, stream: false } });

  expect([one.status, one.json.code, one.json.detail]).toEqual([
    two.status,
    two.json.code,
    two.json.detail,
  ]);
  expect([one.status >= 400, calls, starts().length]).toEqual([true, 0, 1]);
});

test("a large message is sent to its object once, in the same call", async () => {
  const { call, path } = await openSession();
  const { starts, requests } = watchObjects();
  const text = `/say hello\n${" ".repeat(LARGE_VALUE_CHARACTERS)}`;

  const answer = await ask("POST", `${path}/replies`, {
    ...call,
    json: { input: [{ type: "text", text }], stream: true },
  });

  expect([answer.status, answer.text.includes("event: REPLY_END")]).toEqual([200, true]);
  expect([starts(), requests()]).toEqual([[], [START_URL]]);
});

test.each([
  ["a reply", "event: REPLY_END"],
  ["a run of AG-UI", "RUN_FINISHED"],
])("with an object of the version before %s begins once, in two calls", async (what, end) => {
  const { call, path, agent, session } = await openSession();
  const { fetch, starts, requests } = watchObjects();
  beOfTheVersionBefore(fetch);

  const { status, text } =
    what === "a reply"
      ? await ask("POST", `${path}/replies`, {
          ...call,
          json: { input: "/say hello", stream: true },
        })
      : await ask("POST", `/v1/agents/${agent.id}/ag-ui`, {
          ...call,
          json: runInput(session.id, "/say hello"),
        });

  expect([status, text.includes(end)]).toEqual([200, true]);
  expect(starts()).toHaveLength(1);
  expect(requests()).toEqual([START_URL, STREAM]);
  expect(await repliesOf(call, path)).toEqual(["completed"]);
});
