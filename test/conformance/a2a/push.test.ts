// Push notifications: configs of a task, and what is posted to their addresses.
import { expect, it, onTestFinished } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aPushConfig, A2aStreamResponse } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  LABELLING,
  messageOf,
  openA2aDesk,
  sendA2a,
  type A2aBinding,
  type A2aDesk,
} from "../../support/a2a/a2a-desk.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";

const SECRET = "a-secret-of-the-receiver";

async function openReceived() {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.stop());
  return { desk: await openA2aDesk(), receiver };
}

/** A task that waits, so that it can have configs. */
async function openWaiting(script = LABELLING) {
  const { desk, receiver } = await openReceived();
  const task = await sendA2a(desk, messageOf(script));
  return { desk, receiver, taskId: task.id };
}

async function create(
  desk: A2aDesk,
  config: Record<string, unknown>,
  binding: A2aBinding = "JSONRPC",
): Promise<A2aPushConfig> {
  const method = "CreateTaskPushNotificationConfig";
  const { result, error } = await callA2a<A2aPushConfig>(desk, binding, method, config);
  if (result === undefined) throw new Error(JSON.stringify(error));
  return result;
}

async function listOf(desk: A2aDesk, taskId: string, binding: A2aBinding = "JSONRPC") {
  const method = "ListTaskPushNotificationConfigs";
  const { result } = await callA2a<{ configs: A2aPushConfig[]; nextPageToken?: string }>(
    desk,
    binding,
    method,
    { taskId },
  );
  return result;
}

function frameOf({ body }: { readonly body: unknown }): A2aStreamResponse {
  return body as A2aStreamResponse;
}

/** @returns what waits ended by a cancellation, which is an update of the task. */
function cancel(desk: A2aDesk, id: string) {
  return callA2a(desk, "JSONRPC", "CancelTask", { id });
}

it("3.1.7-1: an update of a task with a config is posted to the config's address", async () => {
  const { desk, receiver, taskId } = await openWaiting();
  for (const [index, binding] of A2A_BINDINGS.entries()) {
    await create(desk, { taskId, url: `${receiver.url}/hook-${index}/200` }, binding);
  }
  await cancel(desk, taskId);
  for (const index of A2A_BINDINGS.keys()) {
    const posts = await receiver.waitFor(`/hook-${index}/200`, 1);
    const { statusUpdate } = frameOf(posts[0]!);

    expect(posts[0]).toMatchObject({
      method: "POST",
      headers: { "content-type": expect.stringMatching(/^application\/a2a\+json/) },
    });
    expect(statusUpdate).toMatchObject({ taskId, status: { state: "TASK_STATE_CANCELED" } });
  }
});

it(
  "3.1.7-2: a config is there until its task has ended, through all that is answered meanwhile",
  BROAD,
  async () => {
    const { desk, receiver, taskId } = await openWaiting(`${LABELLING}\n/call print_label {}`);
    const { id } = await create(desk, { taskId, url: `${receiver.url}/hook/200` });
    await sendA2a(desk, messageOf("And?", { taskId }));
    const kept = await listOf(desk, taskId);
    await cancel(desk, taskId);
    const posts = await receiver.waitFor("/hook/200", 1);
    const states = posts.map((post) => frameOf(post).statusUpdate?.status.state);

    expect(kept?.configs.map((config) => config.id)).toEqual([id]);
    expect(states).toContain("TASK_STATE_CANCELED");
  },
);

it("3.1.8-1: a config that is read has its id, task, address and scheme, and none of its secrets", async () => {
  const { desk, receiver, taskId } = await openWaiting();
  const url = `${receiver.url}/hook/200`;
  const authentication = { scheme: "Bearer", credentials: SECRET };
  const made = await create(desk, { taskId, id: "mine", url, token: SECRET, authentication });
  const read = [];
  for (const binding of A2A_BINDINGS) {
    const method = "GetTaskPushNotificationConfig";
    read.push((await callA2a(desk, binding, method, { taskId, id: "mine" })).result);
  }

  expect(made).toMatchObject({ id: "mine", taskId, url });
  expect(read).toEqual([made, made]);
  expect(read[0]).toMatchObject({ authentication: { scheme: "Bearer" } });
  expect(JSON.stringify([made, read])).not.toContain(SECRET);
});

it(
  "3.1.8-2: a config that is not there is not found, as is one of another tenant",
  BROAD,
  async () => {
    const { desk, receiver, taskId } = await openWaiting();
    const { id } = await create(desk, { taskId, url: `${receiver.url}/hook/200` });
    const other = await openA2aDesk();
    const method = "GetTaskPushNotificationConfig";
    const refused = [];
    for (const binding of A2A_BINDINGS) {
      refused.push(await callA2a(desk, binding, method, { taskId, id: "none" }));
      refused.push(await callA2a(other, binding, method, { taskId, id }));
    }

    expect(refused.map(({ status, error }) => [status, error?.reason])).toEqual([
      [200, "TASK_NOT_FOUND"],
      [200, "TASK_NOT_FOUND"],
      [404, "TASK_NOT_FOUND"],
      [404, "TASK_NOT_FOUND"],
    ]);
  },
);

it("3.1.9-1: a list has all configs of its task, and those of no other", BROAD, async () => {
  const { desk, receiver, taskId } = await openWaiting();
  const other = await sendA2a(desk, messageOf(ASKING));
  await create(desk, { taskId: other.id, id: "other", url: `${receiver.url}/hook/200` });
  const ids = Array.from({ length: 10 }, (_, index) => `config-${index}`);
  for (const id of ids) await create(desk, { taskId, id, url: `${receiver.url}/${id}/200` });
  const over = await callA2a(desk, "JSONRPC", "CreateTaskPushNotificationConfig", {
    taskId,
    url: `${receiver.url}/more/200`,
  });
  const lists = [];
  for (const binding of A2A_BINDINGS) lists.push(await listOf(desk, taskId, binding));

  expect(lists.map((list) => list?.configs.map(({ id }) => id).toSorted())).toEqual([ids, ids]);
  expect(over.result).toBeUndefined();
});

it("3.1.10-1: a deleted config is gone, and nothing more is posted to it", BROAD, async () => {
  const { desk, receiver, taskId } = await openWaiting();
  const kept = `${receiver.url}/kept/200`;
  for (const binding of A2A_BINDINGS) {
    await create(desk, { taskId, id: "gone", url: `${receiver.url}/gone/200` });
    const method = "DeleteTaskPushNotificationConfig";
    await callA2a(desk, binding, method, { taskId, id: "gone" });
    const list = await listOf(desk, taskId, binding);
    expect(list?.configs ?? []).toEqual([]);
  }
  await create(desk, { taskId, url: kept });
  await cancel(desk, taskId);
  await receiver.waitFor("/kept/200", 1);

  expect(receiver.received("/gone/200")).toEqual([]);
});

it("3.1.10-2: a config that is deleted again is no error", BROAD, async () => {
  const { desk, receiver, taskId } = await openWaiting();
  await create(desk, { taskId, id: "gone", url: `${receiver.url}/hook/200` });
  const answers = [];
  for (const binding of [...A2A_BINDINGS, ...A2A_BINDINGS]) {
    const method = "DeleteTaskPushNotificationConfig";
    answers.push(await callA2a(desk, binding, method, { taskId, id: "gone" }));
  }

  expect(answers.map(({ status, error }) => [Math.floor(status / 100), error])).toEqual(
    answers.map(() => [2, undefined]),
  );
});

it("4.3.3-1: a notification has the credentials and the token of its config", async () => {
  const { desk, receiver, taskId } = await openWaiting();
  const authentication = { scheme: "Bearer", credentials: SECRET };
  const url = `${receiver.url}/hook/200`;
  await create(desk, { taskId, url, token: "token-1", authentication });
  await cancel(desk, taskId);
  const [post] = await receiver.waitFor("/hook/200", 1);

  expect(post?.headers).toMatchObject({
    authorization: `Bearer ${SECRET}`,
    "x-a2a-notification-token": "token-1",
  });
});

it(
  "13.2-1: each config's notifications have its own credentials, of any scheme",
  BROAD,
  async () => {
    const { desk, receiver, taskId } = await openWaiting();
    for (const [id, scheme] of [
      ["one", "Bearer"],
      ["two", "Basic"],
    ] as const) {
      const authentication = { scheme, credentials: btoa(id) };
      await create(desk, { taskId, id, url: `${receiver.url}/${id}/200`, authentication });
    }
    await create(desk, { taskId, id: "three", url: `${receiver.url}/three/200` });
    await cancel(desk, taskId);
    const posts = [];
    for (const id of ["one", "two", "three"]) {
      const [post] = await receiver.waitFor(`/${id}/200`, 1);
      posts.push(post?.headers["authorization"]);
    }

    expect(posts).toEqual([`Bearer ${btoa("one")}`, `Basic ${btoa("two")}`, undefined]);
  },
);

it("4.3.3-4: each address of a task is tried, whatever the others answer", BROAD, async () => {
  const { desk, receiver, taskId } = await openWaiting();
  const paths = ["/gone/410", "/broken/500", "/well/200"];
  for (const path of paths) await create(desk, { taskId, url: receiver.url + path });
  await cancel(desk, taskId);
  const counts = [];
  for (const path of paths) counts.push((await receiver.waitFor(path, 1)).length);

  expect(counts.every((count) => count >= 1)).toBe(true);
});

it("a config that comes with a message hears of the task from its beginning, finished artifacts whole", async () => {
  const { desk, receiver } = await openReceived();
  const config = { url: `${receiver.url}/hook/200` };
  const params = messageOf(
    "/words 40\n/data image/png aGVsbG8=\n/say Done.",
    {},
    { taskPushNotificationConfig: config },
  );
  const task = await sendA2a(desk, params);
  const posts = await receiver.waitFor("/hook/200", 3);
  const frames = posts.map(frameOf);
  const artifacts = frames.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);

  expect(frames.map((frame) => Object.keys(frame).length)).toEqual(frames.map(() => 1));
  expect(artifacts.map(({ artifact }) => artifact.artifactId).toSorted()).toEqual(
    task.artifacts?.map(({ artifactId }) => artifactId).toSorted(),
  );
  expect(artifacts.filter(({ append }) => append === true)).toEqual([]);
});

it("an address inside the platform, or of another scheme, is refused", BROAD, async () => {
  const { desk, taskId } = await openWaiting();
  const refused = [];
  for (const url of ["ftp://example.com/x", "https://user:pw@example.com/", "no-address", "", 17]) {
    const params = { taskId, url };
    const method = "CreateTaskPushNotificationConfig";
    refused.push((await callA2a(desk, "JSONRPC", method, params)).error?.code);
  }

  expect(refused).toEqual(refused.map(() => -32_602));
});
