// Rights over A2A: keys with scopes, end users, client tokens, and nobody.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  ASKING,
  callA2a,
  LABELLING,
  messageOf,
  openA2a,
  openA2aDesk,
  sendA2a,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";

/** A key of the desk's tenant with these scopes and no other. */
async function keyOf({ key }: A2aDesk, scopes: readonly string[]): Promise<string> {
  const body = { scopes };
  return (await request<{ api_key: string }>("POST", "/v1/api-keys", { key, body })).body.api_key;
}

/** End users of the desk's tenant, by JWT. */
async function openSignIn(settings: object = {}) {
  const desk = await openA2aDesk();
  const issuer = await startTokenIssuer();
  const audience = "a2a";
  await request("POST", "/v1/token-issuers", {
    key: desk.key,
    body: {
      name: "Sign-in",
      issuer: issuer.issuer,
      jwks_url: issuer.jwksUrl,
      audience,
      ...settings,
    },
  });
  return { desk, tokenOf: (sub: string) => issuer.sign({ sub, aud: audience }) };
}

/** Input that every method needs, so that nothing but the right decides. */
function paramsOf(id: string) {
  return { ...messageOf("/say Hi."), id, taskId: id, url: "https://example.com/hook" };
}

/** Of each method over each binding. */
async function askAll(desk: A2aDesk, id: string, key: string | null) {
  const answers = [];
  for (const binding of A2A_BINDINGS) {
    for (const method of A2A_METHODS) {
      answers.push(await callA2a(desk, binding, method, paramsOf(id), { key }));
    }
  }
  return answers;
}

it("3.3.2-2: requests without a credential, or with a wrong one, are refused", BROAD, async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf(LABELLING));
  const answers = await askAll(desk, id, null);
  for (const key of ["rk_made_up", `${desk.key}x`, "eyJhbGciOiJub25lIn0.e30."]) {
    answers.push(await callA2a(desk, "JSONRPC", "GetTask", { id }, { key }));
  }
  const statuses = answers.map(({ status, result, headers }) => [
    status,
    result,
    headers.get("www-authenticate") !== null,
  ]);

  expect(statuses).toEqual(statuses.map(() => [401, undefined, true]));
});

it(
  "7.4-1: every method authenticates every request, after one that was good too",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const { id } = await sendA2a(desk, messageOf(LABELLING));
    const good = [];
    for (const binding of A2A_BINDINGS) {
      for (const method of A2A_METHODS) {
        const { status, body } = await openA2a(desk, binding, method, paramsOf(id));
        good.push(status);
        await body?.cancel();
      }
    }
    const nobody = await askAll(desk, id, null);

    expect(good).not.toContain(401);
    expect(nobody.map(({ status }) => status)).toEqual(nobody.map(() => 401));
  },
);

it("3.3.2-3: a key without the scope is told so", async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf(LABELLING));
  const reader = await keyOf(desk, ["sessions:read"]);
  const writer = await keyOf(desk, ["replies:write", "sessions:write"]);
  const seen = [];
  for (const binding of A2A_BINDINGS) {
    for (const [key, method, params] of [
      [reader, "SendMessage", messageOf("/say Hi.")],
      [reader, "CancelTask", { id }],
      [writer, "GetTask", { id }],
      [writer, "ListTasks", {}],
      [reader, "GetTask", { id }],
      [writer, "SendMessage", messageOf("/say Hi.")],
    ] as const) {
      const { status, result } = await callA2a(desk, binding, method, params, { key });
      seen.push([status, result !== undefined]);
    }
  }

  expect(seen).toEqual(
    A2A_BINDINGS.flatMap((binding) => [
      ...Array.from({ length: 4 }, () => [
        expect.toBeOneOf([403, binding === "JSONRPC" ? 200 : 403]),
        false,
      ]),
      [200, true],
      [200, true],
    ]),
  );
});

it("13.1-2: an answer takes the right that answers take elsewhere, and a new context its own", async () => {
  const desk = await openA2aDesk();
  const { id, contextId } = await sendA2a(desk, messageOf(LABELLING));
  const sender = await keyOf(desk, ["replies:write", "sessions:read"]);
  const answer = messageOf("", { taskId: id, parts: [await answerOf(desk, id, "LABEL-1")] });
  const refused = [
    await callA2a(desk, "JSONRPC", "SendMessage", messageOf("/say Hi."), { key: sender }),
    await callA2a(desk, "JSONRPC", "SendMessage", answer, { key: sender }),
  ];
  const answering = await keyOf(desk, ["replies:write", "sessions:read", "tool_results:write"]);
  const done = await callA2a<{ task: A2aTask }>(desk, "JSONRPC", "SendMessage", answer, {
    key: answering,
  });
  const inContext = await callA2a(
    desk,
    "JSONRPC",
    "SendMessage",
    messageOf("/say Hi.", { contextId }),
    { key: sender },
  );

  expect(refused.map(({ result }) => result)).toEqual([undefined, undefined]);
  expect(done.result?.task.status.state).toBe("TASK_STATE_COMPLETED");
  expect(inContext.result).toBeDefined();
});

/** The answer to the one call that waits. */
async function answerOf(desk: A2aDesk, id: string, output: string) {
  const { result } = await callA2a<A2aTask>(desk, "JSONRPC", "GetTask", { id });
  const parts = result?.status.message?.parts ?? [];
  const found = parts.flatMap(({ data }) => Object.entries((data ?? {}) as object));
  const [extension, { questions }] = found[0] as [string, { questions: { call_id: string }[] }];
  const answers = [{ kind: "external_result", call_id: questions[0]?.call_id, output }];
  return { data: { [extension]: { answers } } };
}

it("3.3.2-6: what a caller may not see is not found, as what is not there", async () => {
  const { desk, tokenOf } = await openSignIn();
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];
  const task = await sendA2a(desk, messageOf("/say Mine."), "JSONRPC", { key: ada });
  const seen = [];
  for (const [key, id] of [
    [ada, task.id],
    [bob, task.id],
    [bob, "made-up"],
    [ada, "made-up"],
  ] as const) {
    const { result, error } = await callA2a<A2aTask>(desk, "JSONRPC", "GetTask", { id }, { key });
    seen.push(result?.id ?? error?.reason);
  }

  expect(seen).toEqual([task.id, "TASK_NOT_FOUND", "TASK_NOT_FOUND", "TASK_NOT_FOUND"]);
});

it("13.1-1: an end user has their own tasks, a key all of the agent's", async () => {
  const { desk, tokenOf } = await openSignIn();
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];
  const ofAda = await sendA2a(desk, messageOf("/say Ada."), "JSONRPC", { key: ada });
  const ofBob = await sendA2a(desk, messageOf("/say Bob."), "JSONRPC", { key: bob });
  const ofKey = await sendA2a(desk, messageOf("/say Key."));
  const lists = [];
  for (const key of [ada, bob, desk.key]) lists.push(await listed(desk, key));

  expect(lists.map((ids) => ids.toSorted())).toEqual([
    [ofAda.id],
    [ofBob.id],
    [ofAda.id, ofBob.id, ofKey.id].toSorted(),
  ]);
});

async function listed(desk: A2aDesk, key: string, params: object = {}): Promise<string[]> {
  const { result } = await callA2a<{ tasks: A2aTask[] }>(
    desk,
    "HTTP+JSON",
    "ListTasks",
    { ...params },
    { key },
  );
  return (result?.tasks ?? []).map(({ id }) => id);
}

it("3.1.4-7: a list is bounded by its caller's rights, in one context too", BROAD, async () => {
  const { desk, tokenOf } = await openSignIn();
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")];
  const mine = messageOf("/say Hi.", { contextId: "orders" });
  const [ofAda, ofBob] = [
    await sendA2a(desk, mine, "JSONRPC", { key: ada }),
    await sendA2a(desk, { ...mine }, "JSONRPC", { key: bob }),
  ];

  expect(ofAda.id).not.toBe(ofBob.id);
  expect(await listed(desk, ada, { contextId: "orders" })).toEqual([ofAda.id]);
  expect(await listed(desk, bob, { contextId: "orders" })).toEqual([ofBob.id]);
});

it("13.1-5: ListTasks lists for a client token the tasks of its session alone", BROAD, async () => {
  const desk = await openA2aDesk();
  const first = await sendA2a(desk, messageOf("/say One."));
  await sendA2a(desk, messageOf("/say Two."));
  const { body } = await request<{ token: string }>(
    "POST",
    `/v1/sessions/${first.contextId}/tokens`,
    { key: desk.key, body: { verbs: ["read"] } },
  );

  expect(await listed(desk, body.token)).toEqual([first.id]);
  expect(await listed(desk, body.token, { contextId: first.contextId })).toEqual([first.id]);
});

it("13.1-4: without any filter nobody is shown what is somebody else's", BROAD, async () => {
  const { desk, tokenOf } = await openSignIn();
  await sendA2a(desk, messageOf("/say Key."));
  await sendA2a(desk, messageOf("/say Ada."), "JSONRPC", { key: await tokenOf("ada") });

  expect(await listed(desk, await tokenOf("eve"))).toEqual([]);
});

it(
  "13.1-6: GetTask shows a client token the tasks of its session, and no other",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const [one, two] = [
      await sendA2a(desk, messageOf("/say One.")),
      await sendA2a(desk, messageOf("/say Two.")),
    ];
    const path = `/v1/sessions/${one.contextId}/tokens`;
    const { body } = await request<{ token: string }>("POST", path, {
      key: desk.key,
      body: { verbs: ["read"] },
    });
    const seen = [];
    for (const { id } of [one, two]) {
      for (const binding of A2A_BINDINGS) {
        const key = body.token;
        const { result, error } = await callA2a<A2aTask>(desk, binding, "GetTask", { id }, { key });
        seen.push(result?.id ?? error?.reason);
      }
    }

    expect(seen).toEqual([one.id, one.id, "TASK_NOT_FOUND", "TASK_NOT_FOUND"]);
  },
);

it(
  "13.1-7: acts on a task take the right for them, and the task has to be the caller's",
  BROAD,
  async () => {
    const { desk, tokenOf } = await openSignIn({ verbs: ["reply"] });
    const ada = await tokenOf("ada");
    const { id } = await sendA2a(desk, messageOf(ASKING), "JSONRPC", { key: ada });
    const verbless = await callA2a(desk, "JSONRPC", "CancelTask", { id }, { key: ada });
    const foreign = await callA2a(
      desk,
      "JSONRPC",
      "CancelTask",
      { id },
      { key: await tokenOf("bob") },
    );
    const byKey = await callA2a<A2aTask>(desk, "JSONRPC", "CancelTask", { id });

    expect(verbless.result).toBeUndefined();
    expect(verbless.error?.reason).not.toBe("TASK_NOT_FOUND");
    expect(foreign.result).toBeUndefined();
    expect(byKey.result?.status.state).toBe("TASK_STATE_CANCELED");
  },
);

it(
  "14.1.1-5: no method, over no binding, acts for a caller without a right to it",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const { id } = await sendA2a(desk, messageOf(LABELLING));
    const none = await keyOf(desk, ["usage:read"]);
    const answers = await askAll(desk, id, none);
    const task = await callA2a<A2aTask>(desk, "JSONRPC", "GetTask", { id });

    // The cards are for every caller that the agent's tenant knows.
    const cards = answers.filter(
      (_, index) => A2A_METHODS[index % A2A_METHODS.length] === "GetExtendedAgentCard",
    );
    expect(
      answers.filter((answer) => !cards.includes(answer) && answer.result !== undefined),
    ).toEqual([]);
    expect(task.result?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  },
);

it("5.1-4: both bindings take a key, a client token and an end user's token", BROAD, async () => {
  const { desk, tokenOf } = await openSignIn();
  const ada = await tokenOf("ada");
  const { contextId } = await sendA2a(desk, messageOf("/say Hi."), "JSONRPC", { key: ada });
  const { body } = await request<{ token: string }>("POST", `/v1/sessions/${contextId}/tokens`, {
    key: desk.key,
    body: { verbs: ["read"] },
  });
  const statuses = [];
  for (const key of [desk.key, ada, body.token, "made-up"]) {
    for (const binding of A2A_BINDINGS) {
      statuses.push((await callA2a(desk, binding, "ListTasks", {}, { key })).status);
    }
  }

  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 401, 401]);
});
it("3.3.2-4: an agent that does not offer A2A is as one that does not exist", BROAD, async () => {
  const [off, desk, other] = [
    await openA2aDesk({ a2a: null }),
    await openA2aDesk(),
    await openA2aDesk({ a2a: { enabled: false } }),
  ];
  const never = off.agentId.slice(0, -1) + (off.agentId.endsWith("0") ? "1" : "0");
  const none = { ...desk, path: `/v1/agents/${never}/a2a` };
  const answers = [];
  for (const [place, key] of [
    [off, off.key],
    [other, other.key],
    [none, desk.key],
    [desk, other.key],
  ] as const) {
    const headers = { "a2a-version": "1.0" };
    const body = { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} };
    const rpc = await openRequest("POST", place.path, { key, headers, body });
    const rest = await openRequest("GET", `${place.path}/tasks`, { key, headers });
    const card = await openRequest("GET", `${place.path}/.well-known/agent-card.json`, { key });
    answers.push(
      await Promise.all(
        [rpc, rest, card].map(async (response) => [
          response.status,
          nameless(await response.text()),
        ]),
      ),
    );
  }

  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(answers[3]).toEqual(answers[0]);
});

/** Without what is of one request. */
function nameless(text: string): string {
  return text.replaceAll(/\b(?:agt|req|ses)_\w+/g, "…");
}
