// The client of agents of other systems against the server of the protocol's own SDK, in both versions.
import { describe, expect, it, onTestFinished } from "vitest";

import { follow, message, openClient, shapeOf } from "../../support/a2a-remote/open-client.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";

async function open(play: Play, options?: Parameters<typeof startSdkAgent>[1]) {
  const agent = await startSdkAgent(play, options);
  onTestFinished(() => agent.stop());
  return { agent, client: openClient(agent.card) };
}

const ANSWER: Play = (turn) => {
  turn.task();
  turn.say("Thinking");
  turn.artifact("a", [{ text: "Hel" }]);
  turn.artifact("a", [{ text: "lo" }], { append: true, lastChunk: true });
  turn.status("TASK_STATE_COMPLETED");
};

describe.each(["1.0", "0.3"] as const)("an agent of %s", (version) => {
  const isNew = version === "1.0";

  it("streams its work, and nothing is asked behind its end", async () => {
    const { agent, client } = await open(ANSWER, { version });

    const steps = await follow(client, message("Go"));

    expect(shapeOf(steps)).toEqual([
      "task WORKING",
      "status WORKING Thinking",
      "artifact Hel",
      "artifact lo",
      "status COMPLETED",
      "at_rest",
    ]);
    expect(agent.methods()).toEqual([isNew ? "SendStreamingMessage" : "message/stream"]);
    expect(agent.requests[0]?.headers["a2a-version"]).toBe(version);
  });

  it("that streams nothing is left with its task, which is fetched", async () => {
    const gate = Promise.withResolvers<void>();
    const play: Play = async (turn) => {
      turn.task();
      await gate.promise;
      turn.artifact("a", [{ text: "Hello" }]);
      turn.status("TASK_STATE_COMPLETED");
    };
    const { agent, client } = await open(play, { version, streaming: false });

    const steps = await follow(client, message("Go"));
    const [first] = steps;
    const id = first?.type === "update" ? (first.response.task?.id ?? "") : "";
    gate.resolve();
    const signal = new AbortController().signal;
    await expect
      .poll(async () => {
        const read = await client.getTask(id, { signal });
        return read.ok && [read.value.status.state, read.value.artifacts?.[0]?.parts];
      })
      .toEqual(["TASK_STATE_COMPLETED", [{ text: "Hello" }]]);

    expect(shapeOf(steps)).toEqual(["task WORKING", "silent"]);
    expect(agent.methods()[0]).toBe(isNew ? "SendMessage" : "message/send");
  });

  it("answers with a message alone", async () => {
    const { client } = await open((turn) => turn.reply("Hello"), { version });

    expect(shapeOf(await follow(client, message("Go")))).toEqual(["message Hello", "at_rest"]);
  });

  it("that asks is at rest with its question", async () => {
    const { client } = await open(
      (turn) => {
        turn.task();
        turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
      },
      { version },
    );

    const steps = await follow(client, message("Go"));

    expect(shapeOf(steps)).toEqual([
      "task WORKING",
      "status INPUT_REQUIRED Which order?",
      "at_rest",
    ]);
  });

  it("3.4.2-3: is answered in its task, and the question before is not taken for a new one", async () => {
    const { agent, client } = await open(
      (turn) => {
        if (!turn.isAnswer) {
          turn.task();
          turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
          return;
        }
        turn.task("TASK_STATE_INPUT_REQUIRED");
        turn.artifact("a", [{ text: `order ${turn.text}` }]);
        turn.status("TASK_STATE_COMPLETED");
      },
      { version },
    );
    const [first] = await follow(client, message("Go"));
    const { id: taskId, contextId } = (first?.type === "update" && first.response.task) || {};

    const steps = await follow(client, message("A-1", { taskId, contextId }));

    expect(shapeOf(steps)).toEqual([
      "task INPUT_REQUIRED",
      "artifact order A-1",
      "status COMPLETED",
      "at_rest",
    ]);
    expect(agent.methods()).toHaveLength(2);
  });

  it("whose stream is cut is asked for the task, subscribed to, and asked again", async () => {
    const gate = Promise.withResolvers<void>();
    const { agent, client } = await open(
      async (turn) => {
        turn.task();
        turn.artifact("a", [{ text: "Hel" }]);
        await gate.promise;
        turn.artifact("a", [{ text: "lo" }], { append: true });
        turn.status("TASK_STATE_COMPLETED");
      },
      { version },
    );
    const running = follow(client, message("Go"));
    await expect.poll(() => (agent.cut(), agent.methods().length)).toBeGreaterThan(2);
    gate.resolve();

    const shape = shapeOf(await running);

    expect(shape.slice(-2)).toEqual(["task COMPLETED [Hello]", "at_rest"]);
    expect(shape).not.toContain("artifact lo");
    const sent = agent.methods().filter((method) => /message|Message/.test(method));
    expect(sent).toHaveLength(1);
    expect(agent.methods().at(-1)).toBe(isNew ? "GetTask" : "tasks/get");
  });

  it("that hangs is left when it is silent, with its task", async () => {
    const play: Play = async (turn) => {
      turn.task();
      await new Promise(() => undefined);
    };
    const { agent, client } = await open(play, { version });

    const steps = await follow(client, message("Go"), { silenceMs: 100 });

    expect(shapeOf(steps)).toEqual(["task WORKING", "silent"]);
    expect(agent.methods()).toHaveLength(1);
  });

  it("that floods is left at the bound", async () => {
    const play: Play = async (turn) => {
      turn.task();
      for (let piece = 0; piece < 300; piece += 1) {
        turn.artifact("a", [{ text: "x".repeat(100_000) }]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const { client } = await open(play, { version });

    const shape = shapeOf(await follow(client, message("Go")));

    expect(shape.length).toBeLessThan(130);
    expect(shape.at(-1)).toBe("failed: too_large");
  });

  it("that speaks of another task is not believed", async () => {
    const play: Play = (turn) => {
      turn.task();
      turn.lie("TASK_STATE_COMPLETED");
      return new Promise(() => undefined);
    };
    const { client } = await open(play, { version });

    const shape = shapeOf(await follow(client, message("Go"), { silenceMs: 500 }));

    expect(shape).toEqual(["task WORKING", "failed: malformed_answer"]);
  });

  it("that says its end before what it has made is asked for it", async () => {
    const play: Play = (turn) => {
      turn.task();
      turn.status("TASK_STATE_COMPLETED");
      turn.artifact("a", [{ text: "Late" }]);
    };
    const { agent, client } = await open(play, { version });

    const shape = shapeOf(await follow(client, message("Go")));

    expect(shape.at(-1)).toBe("at_rest");
    expect(agent.methods()).toEqual([expect.anything(), isNew ? "GetTask" : "tasks/get"]);
  });

  it.each([
    ["with its tasks is asked for the task, and sent nothing again", true],
    ["without its tasks has lost the task, and is sent nothing again", false],
  ])("that restarts %s", async (_, keeps) => {
    const gate = Promise.withResolvers<void>();
    const play: Play = async (turn) => {
      turn.task();
      turn.artifact("a", [{ text: "Hello" }]);
      await gate.promise;
      turn.status("TASK_STATE_COMPLETED");
    };
    const { agent, client } = await open(play, { version });
    const running = follow(client, message("Go"));
    await expect.poll(() => agent.methods().length).toBe(1);
    agent.restart(keeps);
    await expect.poll(() => agent.methods().length).toBeGreaterThan(1);
    gate.resolve();

    const shape = shapeOf(await running);

    expect(shape.slice(-2)).toEqual(
      keeps ? ["task COMPLETED [Hello]", "at_rest"] : [shape.at(-2), "failed: not_found"],
    );
    const sent = agent.methods().filter((method) => /message|Message/.test(method));
    expect(sent).toHaveLength(1);
  });

  it("cancels a task", async () => {
    const { agent, client } = await open(
      async (turn) => {
        turn.task();
        await new Promise(() => undefined);
      },
      { version },
    );
    const stop = new AbortController();
    const running = follow(client, message("Go"), { stop: stop.signal });
    await expect.poll(() => agent.methods()).toHaveLength(1);
    const steps = await follow(client, message("Go"), { silenceMs: 500 });
    const [first] = steps;
    const id = first?.type === "update" ? (first.response.task?.id ?? "") : "";

    const cancelled = await client.cancelTask(id, { signal: new AbortController().signal });
    stop.abort();

    expect(shapeOf(steps)).toEqual(["task WORKING", "silent"]);
    expect(cancelled).toMatchObject({
      ok: true,
      value: { status: { state: "TASK_STATE_CANCELED" } },
    });
    expect(agent.cancelled).toEqual([id]);
    expect(shapeOf(await running)).toEqual(["task WORKING"]);
  });
});
