// Rights to run an agent for AG-UI, and to act beside in such a run: by a key's scopes and by a token's verbs.
import { describe, expect, test } from "vitest";

import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { AgUiCapabilities } from "../../../protocol/ag-ui/ag-ui-capabilities.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, openSession, refusalOf, send } from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { mintCall, mintTicket, mintToken } from "../support/client-token.ts";
import { DESK, LABEL, openParked, REFUND } from "../support/parked-session.ts";

const NOT_FOUND = { status: 404, code: "not_found", pointers: undefined };

function addressOf(agent: Pick<Agent, "id">): string {
  return `/v1/agents/${agent.id}/ag-ui`;
}

type Parked = Awaited<ReturnType<typeof openParked>>;

/** Answers the call that waits with what `payload` holds. */
function resume({ agent, session, reply, pending }: Parked, call: Call, payload: object) {
  const interruptId = `${reply.id}:${pending[0]?.tool_call.id}`;
  return ask("POST", addressOf(agent), {
    ...call,
    json: {
      threadId: session.id,
      runId: crypto.randomUUID(),
      messages: [],
      resume: [{ interruptId, status: "resolved", payload }],
    },
  });
}

async function makeKey(call: Call, scopes: readonly Scope[]): Promise<Call> {
  const { json } = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: { scopes } });
  return { key: json.api_key };
}

describe("a key that may reply", () => {
  test.each([
    [REFUND, "confirmations:write", { approved: true }],
    [LABEL, "tool_results:write", { output: "Label 4711" }],
  ] as const)("resumes %s with the scope for it alone", async (input, scope, payload) => {
    const parked = await openParked(`${input}\n/say Done.`, DESK);
    const narrow = await makeKey(parked.call, ["replies:write", "sessions:read"]);
    const wide = await makeKey(parked.call, ["replies:write", "sessions:read", scope]);
    const refused = await resume(parked, narrow, payload);
    const { status, text } = await resume(parked, wide, payload);

    expect([refusalOf(refused), refused.json["required_scope"]]).toEqual([
      { status: 403, code: "insufficient_scope", pointers: undefined },
      scope,
    ]);
    expect([status, text.includes('"RUN_FINISHED"')]).toEqual([200, true]);
  });
});

describe("whoever may not read", () => {
  test("gets no stream of AG-UI, which may hold all that was ever said", async () => {
    const { call, agent, session, path } = await openSession();
    const key = await makeKey(call, ["replies:write"]);
    const app = await mintCall(path, call, { verbs: ["reply"] });
    const json = { input: "Hello", stream: true };
    const seen = [];
    for (const credential of [key, app]) {
      const answers = [
        await ask("POST", addressOf(agent), { ...credential, json: runInput(session.id, "Hello") }),
        await ask("POST", `${path}/replies?format=ag-ui`, { ...credential, json }),
      ];
      seen.push(answers.map((answer) => [answer.status, answer.json.code]));
    }
    const { json: replies } = await ask<Page<unknown>>("GET", `${path}/replies`, call);

    expect([seen, replies.data]).toEqual([
      [
        [
          [403, "insufficient_scope"],
          [403, "insufficient_scope"],
        ],
        [
          [403, "verb_missing"],
          [403, "verb_missing"],
        ],
      ],
      [],
    ]);
  });
});

describe("a client token that may read and reply", () => {
  test.each([
    [REFUND, "confirm", { approved: true }],
    [LABEL, "tool_result", { output: "Label 4711" }],
  ] as const)("resumes %s with the verb for it alone", async (input, verb, payload) => {
    const parked = await openParked(`${input}\n/say Done.`, DESK);
    const [inputHash] = parked.pending.map(({ input_hash }) => input_hash);
    const narrow = await mintCall(parked.path, parked.call, { verbs: ["read", "reply"] });
    const wide = await mintCall(parked.path, parked.call, { verbs: ["read", "reply", verb] });
    const refused = await resume(parked, narrow, payload);
    const { status, text } = await resume(parked, wide, {
      ...payload,
      ...(inputHash && { inputHash }),
    });

    expect([refusalOf(refused), refused.json["required_verb"]]).toEqual([
      { status: 403, code: "verb_missing", pointers: undefined },
      verb,
    ]);
    expect([status, text.includes('"RUN_FINISHED"')]).toEqual([200, true]);
  });

  test("is shown the field for an edit when it may edit, and no other reader is", async () => {
    const [refund, ...tools] = DESK.tools;
    const seen = [];
    for (const editable of [["/amount_cents"], []]) {
      const desk = { ...DESK, tools: [{ ...refund, editable }, ...tools] };
      const parked = await openParked(REFUND, desk);
      const address = addressOf(parked.agent);
      const verbs = ["read", "reply", "confirm"];
      const readers = [
        parked.call,
        await makeKey(parked.call, ["sessions:read", "agents:read", "replies:write"]),
        await mintCall(parked.path, parked.call, { verbs }),
        await mintCall(parked.path, parked.call, { verbs: [...verbs, "edit"] }),
      ];
      for (const reader of readers) {
        const { text } = await ask("GET", `${address}?thread_id=${parked.session.id}`, reader);
        const { json } = await ask<AgUiCapabilities>("GET", `${address}/capabilities`, reader);
        const isPromised = json.humanInTheLoop?.approveWithEdits;
        const [isAsked, isField] = ['"approved"', '"editedArgs"'].map((one) => text.includes(one));
        seen.push([isAsked, isField, isPromised]);
      }
    }

    expect(seen).toEqual([
      [true, true, true],
      [true, false, false],
      [true, false, false],
      [true, true, true],
      // Of this call nobody may edit anything.
      [true, false, true],
      [true, false, false],
      [true, false, false],
      [true, false, true],
    ]);
  });

  test("edits the input of the call that it allows with the verb for it alone", async () => {
    const parked = await openParked(`${REFUND}\n/say Done.`, DESK);
    const [inputHash] = parked.pending.map(({ input_hash }) => input_hash);
    const verbs = ["read", "reply", "confirm"];
    const narrow = await mintCall(parked.path, parked.call, { verbs });
    const wide = await mintCall(parked.path, parked.call, { verbs: [...verbs, "edit"] });
    const payload = { approved: true, editedArgs: { order_id: "A-1002" }, inputHash };
    const refused = await resume(parked, narrow, payload);
    const { json: waiting } = await ask<Session>("GET", parked.path, parked.call);
    const { status, text } = await resume(parked, wide, payload);

    expect([refusalOf(refused), refused.json["required_verb"], waiting.status]).toEqual([
      { status: 403, code: "verb_missing", pointers: ["#/resume"] },
      "edit",
      "awaiting_permission",
    ]);
    expect([status, text.includes('"RUN_FINISHED"')]).toEqual([200, true]);
  });

  test("brings the input's hash back with a yes", async () => {
    const parked = await openParked(REFUND, DESK);
    const app = await mintCall(parked.path, parked.call, { verbs: ["read", "reply", "confirm"] });
    const { status, text } = await resume(parked, app, { approved: true });

    expect([status, text.includes('"code":"input_hash_missing"')]).toEqual([200, true]);
  });

  test("runs in its session, by its id or by its name, and opens no other", async () => {
    const { call, agent } = await openSession();
    const path = addressOf(agent);
    const named = await ask("POST", path, { ...call, json: runInput("customer-17", "Hello") });
    const id = named.headers.get("Reprise-Session-Id") ?? "";
    const other = await makeSession(call, { agent_id: agent.id });
    const app = await mintCall(`/v1/sessions/${id}`, call);
    const { json: before } = await ask<Page<Session>>("GET", "/v1/sessions", call);

    const runs = [];
    for (const thread of ["customer-17", id, other.id, "customer-18", `ses_${"0".repeat(26)}`]) {
      runs.push(refusalOf(await ask("POST", path, { ...app, json: runInput(thread, "Again") })));
    }
    const joins = [];
    for (const thread of ["customer-17", id, other.id, "customer-18"]) {
      joins.push(refusalOf(await ask("GET", `${path}?thread_id=${thread}`, app)));
    }

    const fine = { status: 200, code: undefined, pointers: undefined };
    expect(runs).toEqual([fine, fine, NOT_FOUND, NOT_FOUND, NOT_FOUND]);
    expect(joins).toEqual([fine, fine, NOT_FOUND, NOT_FOUND]);
    expect((await ask<Page<Session>>("GET", "/v1/sessions", call)).json.data.length).toBe(
      before.data.length,
    );
  });

  test("loses the stream of its run when it is revoked, and the run goes on", async () => {
    const { call, agent, session, path } = await openSession();
    const { token, id } = await mintToken(path, call);
    const json = runInput(session.id, "/rate 20\n/words 20000");
    const stream = await send("POST", addressOf(agent), { key: token, json });
    const reading = stream.text();
    await ask("DELETE", `${path}/tokens/${id}`, call);
    const cut = await reading;
    const interrupted = await ask<{ interrupted: boolean }>("POST", `${path}/interrupt`, call);

    expect([cut.includes('"RUN_STARTED"'), cut.includes('"RUN_FINISHED"')]).toEqual([true, false]);
    expect(interrupted.json.interrupted).toBe(true);
  });

  test("mints a ticket for the address of a join, and stands in none itself", async () => {
    const { call, agent, session, path } = await openSession();
    const address = addressOf(agent);
    await ask("POST", address, { ...call, json: runInput(session.id, "Hello") });
    const { token } = await mintToken(path, call);
    const stream = `${address}?thread_id=${session.id}`;
    const joined = await ask("GET", (await mintTicket(path, { key: token }, stream)).path);
    const others = [
      await ask("POST", `${address}?token=${token}`, { json: runInput(session.id, "Hello") }),
      await ask("GET", `${address}/capabilities?token=${token}`),
    ];

    expect([joined.status, joined.text.includes('"MESSAGES_SNAPSHOT"')]).toEqual([200, true]);
    expect(others.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe("an agent's capabilities", () => {
  test("are those of its newest version, and for a token those of its session's", async () => {
    const { call, agent, path } = await openSession({ name: "Refund desk", max_iters: 3 });
    const other = await makeAgent(call);
    const app = await mintCall(path, call);
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { max_iters: 7 } });
    const address = `${addressOf(agent)}/capabilities`;
    const shown = await Promise.all(
      [call, app].map((credential) => ask<AgUiCapabilities>("GET", address, credential)),
    );
    const foreign = await ask("GET", `${addressOf(other)}/capabilities`, app);
    await ask("DELETE", `/v1/agents/${agent.id}`, call);
    const gone = await Promise.all(
      [call, app].map((credential) => ask("GET", address, credential)),
    );

    expect(shown.map(({ json }) => [json.identity.version, json.execution.maxIterations])).toEqual([
      ["2", 7],
      ["1", 3],
    ]);
    expect(refusalOf(foreign)).toEqual(NOT_FOUND);
    expect(gone.map(({ status }) => status)).toEqual([404, 200]);
  });
});
