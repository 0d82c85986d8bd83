// The A2A SDK's own client asks an agent of the running platform: every method, over both bindings.
import { type AgentCard, TaskState, verifyAgentCardSignature } from "@a2a-js/sdk";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import {
  A2A_BINDINGS,
  ASKING,
  LABELLING,
  openA2aDesk,
  type A2aBinding,
} from "../../support/a2a/a2a-desk.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWebhookReceiver } from "../../support/webhook-receiver.ts";
import { answersOf, connectA2a, holdFrames, isTask, requestOf, textsOf } from "./a2a-client.ts";

async function open(binding: A2aBinding, overrides: object = {}) {
  const desk = await openA2aDesk(overrides);
  const client = await connectA2a({ ...desk, baseUrl: inject("baseUrl") }, binding);
  return { desk, client };
}

describe.each(A2A_BINDINGS)("the SDK's client over %s", (binding) => {
  it("finds the card, verifies its signature, and chooses the binding by it", async () => {
    const { desk, client } = await open(binding);
    const { body } = await request<{ keys: { kid: string }[] }>(
      "GET",
      "/.well-known/a2a-keys.json",
    );
    const card = await client.getAgentCard();
    const shown = await request("GET", `${desk.path}/.well-known/agent-card.json`, {
      key: desk.key,
    });
    const verify = verifyAgentCardSignature((kid) =>
      Promise.resolve(body.keys.find((key) => key.kid === kid) as object),
    );

    expect(client.transport.protocolName).toBe(binding);
    expect(card.name).toBe("Desk");
    // Of the JSON: the SDK 1.3.0 loses security schemes of a card that it has decoded before.
    await verify(shown.body as unknown as AgentCard);
  });

  it("sends a message and gets the ended task, and reads it again", async () => {
    const { client } = await open(binding);
    const task = await client.sendMessage(requestOf("/say Hello.\n/data image/png aGVsbG8="));
    if (!isTask(task)) throw new Error("no task");
    const again = await client.getTask({ id: task.id, tenant: "", historyLength: undefined });

    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(Object.values(textsOf(task))).toEqual(["Hello.", expect.stringContaining("image/png")]);
    expect(again).toEqual(task);
  });

  it("streams a message, and holds what the task has", async () => {
    const { client } = await open(binding);
    const frames = [];
    for await (const frame of client.sendMessageStream(
      requestOf("/say One.\n/words 60\n/data image/png aGVsbG8=\n/say Two."),
    )) {
      frames.push(frame);
    }
    const [first] = frames;
    const id = first?.payload?.$case === "task" ? first.payload.value.id : "";
    const task = await client.getTask({ id, tenant: "", historyLength: undefined });

    expect(holdFrames(frames)).toEqual({
      state: TaskState.TASK_STATE_COMPLETED,
      texts: textsOf(task),
    });
  });

  it("answers what waits, within the same task", async () => {
    const { client } = await open(binding);
    const asked = await client.sendMessage(requestOf(ASKING));
    if (!isTask(asked)) throw new Error("no task");
    const question = JSON.stringify(asked.status?.message?.parts.map(({ content }) => content));
    const call_id = /"call_id":"([^"]+)"/.exec(question)?.[1];
    const answer = { kind: "confirmation", call_id, confirmed: true };
    const done = await client.sendMessage(answersOf(asked.id, [answer]));

    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(isTask(done) && [done.id, done.status?.state]).toEqual([
      asked.id,
      TaskState.TASK_STATE_COMPLETED,
    ]);
  });

  it("cancels a task that runs, and lists it with the others", async () => {
    const gate = await startGateTool();
    const { client } = await open(binding, { tools: [gate.tool] });
    const running = await client.sendMessage(
      requestOf(`${HOLD}\n/say Done.`, {}, { returnImmediately: true }),
    );
    if (!isTask(running)) throw new Error("no task");
    const { id, contextId } = running;
    const cancelled = await client.cancelTask({ id, tenant: "", metadata: undefined });
    gate.open();
    await client.sendMessage(requestOf("/say Hello."));
    const query = { tenant: "", contextId: "", status: 0, pageToken: "" };
    const rest = {
      pageSize: undefined,
      historyLength: undefined,
      statusTimestampAfter: undefined,
      includeArtifacts: undefined,
    };
    const [all, one] = await waitFor(async () => {
      const lists = [
        await client.listTasks({ ...query, ...rest }),
        await client.listTasks({ ...query, ...rest, contextId }),
      ];
      expect(lists.map(({ tasks }) => tasks.length)).toEqual([2, 1]);
      return lists;
    });

    expect(cancelled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    expect([all?.nextPageToken, one?.tasks[0]?.id]).toEqual(["", id]);
  });

  it("subscribes to a task that runs, beside the stream that began it", async () => {
    const gate = await startGateTool();
    const { client } = await open(binding, { tools: [gate.tool] });
    const running = await client.sendMessage(
      requestOf(`/say Begun.\n${HOLD}\n/say Done.`, {}, { returnImmediately: true }),
    );
    if (!isTask(running)) throw new Error("no task");
    const frames = [];
    for await (const frame of client.resubscribeTask({ id: running.id, tenant: "" })) {
      frames.push(frame);
      gate.open();
    }

    expect(frames[0]?.payload?.$case).toBe("task");
    expect(holdFrames(frames).state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(Object.values(holdFrames(frames).texts)).toEqual(["Begun.", "Done."]);
  });

  it("has a task's changes pushed, and reads, lists and deletes what it has set up", async () => {
    const receiver = await startWebhookReceiver();
    onTestFinished(() => receiver.stop());
    const { client } = await open(binding);
    const task = await client.sendMessage(requestOf(LABELLING));
    if (!isTask(task)) throw new Error("no task");
    const taskId = task.id;
    const made = await client.createTaskPushNotificationConfig({
      tenant: "",
      id: "mine",
      taskId,
      url: `${receiver.url}/hook/200`,
      token: "token-1",
      authentication: { scheme: "Bearer", credentials: "secret" },
    });
    const read = await client.getTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" });
    const listed = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId,
      pageSize: 0,
      pageToken: "",
    });
    await client.cancelTask({ id: taskId, tenant: "", metadata: undefined });
    const [post] = await receiver.waitFor("/hook/200", 1);
    await client.deleteTaskPushNotificationConfig({ tenant: "", taskId, id: "mine" });
    const left = await client.listTaskPushNotificationConfig({
      tenant: "",
      taskId,
      pageSize: 0,
      pageToken: "",
    });

    expect([read, listed.configs]).toEqual([made, [made]]);
    expect(post?.body).toMatchObject({ statusUpdate: { taskId } });
    expect(left.configs).toEqual([]);
  });

  it("tells apart what failed by the errors of the SDK", async () => {
    const { client } = await open(binding);
    const ended = await client.sendMessage(requestOf("/say Hello."));
    if (!isTask(ended)) throw new Error("no task");
    const failures = [];
    for (const failing of [
      () => client.getTask({ id: "never", tenant: "", historyLength: undefined }),
      () => client.cancelTask({ id: ended.id, tenant: "", metadata: undefined }),
      () => client.resubscribeTask({ id: ended.id, tenant: "" }).next(),
      () => client.sendMessage(requestOf("More.", { taskId: ended.id })),
    ]) {
      failures.push(
        await failing().then(
          () => "nothing",
          (error: Error) => error.constructor.name.replace(/^JsonRpc|^Rest/, ""),
        ),
      );
    }

    expect(failures).toEqual([
      "TaskNotFoundError",
      "TaskNotCancelableError",
      "UnsupportedOperationError",
      "UnsupportedOperationError",
    ]);
  });
});
