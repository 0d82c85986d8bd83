// The A2A SDK's own client while its platform is killed with kill -9: in the middle of a stream, and while a task waits.
import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import { expect, test } from "vitest";

import { A2A_BINDINGS, type A2aBinding } from "../../support/a2a/a2a-desk.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { answersOf, connectA2a, holdFrames, isTask, requestOf, textsOf } from "./a2a-client.ts";

const platform = mortalPlatform();

async function openDesk() {
  const key = await platform.createTenant();
  const { base_url } = await platform.running();
  const response = await fetch(`${base_url}/v1/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "Desk",
      a2a: { enabled: true },
      model: { provider: "scripted", name: "refund-desk" },
      tools: [
        {
          type: "external",
          name: "print_label",
          input_schema: { type: "object" },
          read_only: true,
        },
      ],
    }),
  });
  const { id } = (await response.json()) as { id: string };
  return { key, path: `/v1/agents/${id}/a2a` };
}

async function connect(desk: { readonly key: string; readonly path: string }, binding: A2aBinding) {
  const { base_url: baseUrl } = await platform.running();
  return connectA2a({ ...desk, baseUrl }, binding);
}

test.each(A2A_BINDINGS)(
  "a task that waits is answered after the kill, over %s",
  async (binding) => {
    const desk = await openDesk();
    const before = await connect(desk, binding);
    const asked = await before.sendMessage(requestOf("/call print_label {}\n/say Printed."));
    if (!isTask(asked)) throw new Error("no task");
    await platform.kill();
    const client = await connect(desk, binding);
    const waiting = await client.getTask({ id: asked.id, tenant: "", historyLength: undefined });
    const text = JSON.stringify(waiting.status?.message?.parts.map(({ content }) => content));
    const call_id = /"call_id":"([^"]+)"/.exec(text)?.[1];
    const answer = answersOf(asked.id, [{ kind: "external_result", call_id, output: "LABEL-1" }]);
    const done = await client.sendMessage(answer);
    const again = await client.sendMessage(answer);

    expect(waiting.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    expect(isTask(done) && [done.id, done.status?.state, Object.values(textsOf(done))]).toEqual([
      asked.id,
      TaskState.TASK_STATE_COMPLETED,
      ["Printed."],
    ]);
    expect(again).toEqual(done);
  },
);

test.each(A2A_BINDINGS)(
  "a stream that dies with the platform is taken up with the whole task, over %s",
  async (binding) => {
    const desk = await openDesk();
    const first = await connect(desk, binding);
    const before: StreamResponse[] = [];
    try {
      for await (const frame of first.sendMessageStream(requestOf("/rate 60\n/words 300"))) {
        before.push(frame);
        if (before.length === 5) await platform.kill();
      }
    } catch {
      // The connection breaks with the platform.
    }
    const [begun] = before;
    const id = begun?.payload?.$case === "task" ? begun.payload.value.id : "";
    const client = await connect(desk, binding);
    const after: StreamResponse[] = [];
    for await (const frame of client.resubscribeTask({ id, tenant: "" })) {
      after.push(frame);
    }
    const task = await client.getTask({ id, tenant: "", historyLength: undefined });

    expect(holdFrames(after)).toEqual({
      state: TaskState.TASK_STATE_COMPLETED,
      texts: textsOf(task),
    });
    expect(Object.values(textsOf(task)).join(" ").split(" ")).toHaveLength(300);
  },
);
