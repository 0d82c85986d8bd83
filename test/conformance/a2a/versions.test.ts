// Versions and extensions: service parameters as headers, and what a request without them is.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aCard } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  A2A_METHODS,
  callA2a,
  messageOf,
  openA2aDesk,
  type A2aBinding,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const OTHER_EXTENSION = "https://example.com/extensions/geolocation/v1";

async function send(desk: A2aDesk, binding: A2aBinding, headers: Readonly<Record<string, string>>) {
  return callA2a(desk, binding, "SendMessage", messageOf("/say Hello."), { headers });
}

/** Over both bindings. */
async function reasonsOf(desk: A2aDesk, headers: Readonly<Record<string, string>>) {
  return Promise.all(
    A2A_BINDINGS.map(async (binding) => (await send(desk, binding, headers)).error?.reason),
  );
}

it(
  "3.6-1: a patch number of 1.0 makes no other version, and the card has none",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const card = await request<A2aCard>("GET", `${desk.path}/.well-known/agent-card.json`, desk);

    expect(await reasonsOf(desk, { "a2a-version": "1.0.1" })).toEqual([undefined, undefined]);
    expect(card.body.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
      "1.0",
      "1.0",
    ]);
  },
);

it("3.6.2-1: a request of 1.0 is read as 1.0 has it, in the header or in the query", async () => {
  const desk = await openA2aDesk();
  const inQuery = await openRequest("GET", `${desk.path}/tasks?A2A-Version=1.0`, {
    key: desk.key,
  });

  expect(await reasonsOf(desk, { "a2a-version": "1.0" })).toEqual([undefined, undefined]);
  expect(inQuery.status).toBe(200);
});

it(
  "3.6.2-2: any other version is refused with VersionNotSupportedError, by every method",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const params = { ...messageOf("/say Hi."), id: "x", taskId: "x", url: "https://a.example/" };
    const reasons = [];
    for (const version of ["0.3", "2.0"]) {
      for (const binding of A2A_BINDINGS) {
        for (const method of A2A_METHODS) {
          const headers = { "a2a-version": version };
          reasons.push((await callA2a(desk, binding, method, params, { headers })).error?.reason);
        }
      }
    }

    expect(reasons).toEqual(reasons.map(() => "VERSION_NOT_SUPPORTED"));
  },
);

it("3.6.2-3: a request without a version, or with an empty one, is taken for 0.3 and refused", async () => {
  const desk = await openA2aDesk();
  const none = await openRequest("POST", desk.path, {
    key: desk.key,
    body: { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} },
  });
  const rest = await request("GET", `${desk.path}/tasks`, { key: desk.key });

  expect(await none.json()).toMatchObject({ id: 1, error: { code: -32_009 } });
  expect(rest).toMatchObject({
    status: 400,
    body: { error: { details: [{ reason: "VERSION_NOT_SUPPORTED" }] } },
  });
  expect(await reasonsOf(desk, { "a2a-version": "" })).toEqual([
    "VERSION_NOT_SUPPORTED",
    "VERSION_NOT_SUPPORTED",
  ]);
});

it(
  "9.2-1: the version of a request of JSON-RPC is in a header, not in its params",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const params = { ...messageOf("/say Hi."), "A2A-Version": "1.0" };
    const headers = { "a2a-version": "0.3" };
    const refused = await callA2a(desk, "JSONRPC", "SendMessage", params, { headers });
    const taken = await send(desk, "JSONRPC", { "a2a-version": "1.0" });

    expect(refused.error?.code).toBe(-32_009);
    expect(taken.result).toBeDefined();
  },
);

it(
  "9.2-2: names of service parameters are read in any case of letters, over JSON-RPC",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const answers = [];
    for (const name of ["A2A-Version", "a2a-version", "A2a-VERSION"]) {
      const response = await openRequest("POST", desk.path, {
        key: desk.key,
        headers: { [name]: "1.0" },
        body: { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} },
      });
      answers.push(await response.json());
    }

    expect(answers).toMatchObject(answers.map(() => ({ result: { tasks: [] } })));
  },
);

it(
  "11.2-1: the version of a request of HTTP+JSON is in a header, not in its body",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const params = { ...messageOf("/say Hi."), "A2A-Version": "1.0" };
    const headers = { "a2a-version": "0.3" };
    const refused = await callA2a(desk, "HTTP+JSON", "SendMessage", params, { headers });
    const taken = await send(desk, "HTTP+JSON", { "a2a-version": "1.0" });

    expect(refused.error?.reason).toBe("VERSION_NOT_SUPPORTED");
    expect(taken.result).toBeDefined();
  },
);

it(
  "11.2-2: names of service parameters are read in any case of letters, over HTTP+JSON",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const statuses = [];
    for (const name of ["A2A-Version", "a2a-version", "A2a-VERSION"]) {
      const { status } = await request("GET", `${desk.path}/tasks`, {
        key: desk.key,
        headers: { [name]: "1.0" },
      });
      statuses.push(status);
    }

    expect(statuses).toEqual([200, 200, 200]);
  },
);

it(
  "4.6.3-2: no extension of a card is required, so a version of one that is not spoken is ignored",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const extensions = await extensionsOf(desk);
    const newer = extensions.map(({ uri }) => uri.replace(/v\d+$/, "v99"));
    const headers = {
      "a2a-version": "1.0",
      "a2a-extensions": [...newer, OTHER_EXTENSION].join(","),
    };

    expect(extensions.map(({ required = false }) => required)).toEqual(extensions.map(() => false));
    expect(await reasonsOf(desk, headers)).toEqual([undefined, undefined]);
  },
);

it(
  "4.6.3-3: data of another version of an extension is not read as that of ours",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const [ours] = await extensionsOf(desk);
    const uri = ours!.uri.replace(/v\d+$/, "v99");
    const asked = await callA2a<{ task: { id: string; status: { state: string } } }>(
      desk,
      "JSONRPC",
      "SendMessage",
      messageOf("/call print_label {}"),
    );
    const { id } = asked.result!.task;
    const parts = [
      { data: { [uri]: { answers: [{ kind: "external_result", call_id: "any", output: "X" }] } } },
    ];
    const told = await callA2a<{ task: { status: { state: string } } }>(
      desk,
      "JSONRPC",
      "SendMessage",
      messageOf("", { parts, taskId: id }),
    );
    const { result } = await callA2a<{ status: { state: string } }>(desk, "JSONRPC", "GetTask", {
      id,
    });

    expect(told.result?.task.status.state ?? "TASK_STATE_INPUT_REQUIRED").toBe(
      "TASK_STATE_INPUT_REQUIRED",
    );
    expect(result?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  },
);

it(
  "3.3.4-6: a request without any extension is served, since none is required",
  BROAD,
  async () => {
    const desk = await openA2aDesk();

    expect(await reasonsOf(desk, { "a2a-extensions": "" })).toEqual([undefined, undefined]);
  },
);

async function extensionsOf(desk: A2aDesk) {
  const path = `${desk.path}/.well-known/agent-card.json`;
  const { body } = await request<A2aCard>("GET", path, { key: desk.key });
  return body.capabilities.extensions ?? [];
}
