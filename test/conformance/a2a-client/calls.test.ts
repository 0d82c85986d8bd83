// Agents of other systems as tools: what they make streams into the result, their questions reach people here, and a task
// that takes its time is waited for without anything that runs.
import { describe, expect, it, onTestFinished } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { CALL, openRemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent, type Play } from "../../support/a2a-remote/sdk-agent.ts";
import { statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

async function open(play: Play, options?: Parameters<typeof startSdkAgent>[1], tool: object = {}) {
  const agent = await startSdkAgent(play, options);
  onTestFinished(() => agent.stop());
  return { agent, desk: await openRemoteDesk({ card: { url: agent.url }, ...tool }) };
}

describe("an agent of another system as a tool", () => {
  it("makes the result of its artifacts, as they stream", async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.say("Looking it up");
      turn.artifact("a", [{ text: "The order " }]);
      turn.artifact("a", [{ text: "is paid." }], { append: true, lastChunk: true });
      turn.status("TASK_STATE_COMPLETED");
    });
    const id = await desk.begin(`${CALL}\n/say Done.`);
    const reply = await desk.settled(id);

    expect([reply.status, textsOf(reply), statesOf(reply)]).toEqual([
      "completed",
      ["The order is paid."],
      ["success"],
    ]);
    expect(agent.methods()).toEqual(["SendStreamingMessage"]);
    const [block] = reply.message.content.filter(({ type }) => type === "tool_result");
    expect(block?.metadata).toMatchObject({
      a2a: { agent: "Played agent", state: "TASK_STATE_COMPLETED" },
    });
  });

  for (const [rows, breadth] of sampled(["1.0", "0.3"])) {
    it.each(rows)(
      "of %s asks a person here, whose answer goes on with the same task",
      breadth,
      async (version) => {
        const { agent, desk } = await open(
          (turn) => {
            if (!turn.isAnswer) {
              turn.task();
              turn.artifact("a", [{ text: "One thing first. " }]);
              turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
              return;
            }
            turn.task();
            turn.artifact("b", [{ text: `Order ${turn.text} is paid.` }]);
            turn.status("TASK_STATE_COMPLETED");
          },
          { version },
        );
        const id = await desk.begin(`${CALL}\n/say Done.`);
        const waiting = await desk.settled(id);
        await desk.answer(waiting, { action: "accept", content: { answer: "A-1" } });
        const reply = await waitFor(async () => {
          const read = await desk.read(id);
          expect(read.status).toBe("completed");
          return read;
        });

        expect(waiting.pending[0]?.elicitation).toEqual({
          server: "Played agent",
          round: 1,
          requests: {
            text: {
              mode: "form",
              message: "Which order?",
              requested_schema: {
                type: "object",
                properties: { answer: { type: "string", title: "Answer" } },
                required: ["answer"],
                additionalProperties: false,
              },
            },
          },
        });
        expect(textsOf(reply)).toEqual(["One thing first. \n\nOrder A-1 is paid."]);
        const sent = agent.methods().filter((method) => /essage/.test(method));
        expect(sent).toHaveLength(2);
      },
    );
  }

  it("that asks a person is among the tasks of its session, which waits", async () => {
    const { desk } = await open((turn) => {
      turn.task();
      turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which?" }]);
    });
    const reply = await desk.settled(await desk.begin(`${CALL}\n/say Done.`));

    expect(reply.status).toBe("awaiting_external_result");
    expect(await desk.tasks()).toMatchObject([
      { kind: "a2a", tool_name: "play", status: "input_required" },
    ]);
  });

  it("whose question is declined is cancelled there, and its call has failed", async () => {
    const { agent, desk } = await open((turn) => {
      turn.task();
      turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which order?" }]);
    });
    const id = await desk.begin(`${CALL}\n/say Done.`);
    await desk.answer(await desk.settled(id), { action: "decline" });
    await waitFor(() => expect(agent.methods()).toContain("CancelTask"));
    const reply = await waitFor(async () => {
      const read = await desk.read(id);
      expect(read.status).toBe("completed");
      return read;
    });

    expect(statesOf(reply)).toEqual(["error"]);
    expect(textsOf(reply)[0]).toContain("did not answer what the agent asked");
  });

  it("that streams nothing is looked at by alarm, as a task of the session, until it is done", async () => {
    const gate = Promise.withResolvers<void>();
    const { agent, desk } = await open(
      async (turn) => {
        turn.task();
        await gate.promise;
        turn.artifact("a", [{ text: "All of it." }]);
        turn.status("TASK_STATE_COMPLETED");
      },
      { streaming: false },
    );
    const id = await desk.begin(`${CALL}\n/say Done.`);
    await waitFor(() => expect(agent.methods()).toContain("GetTask"));
    const [waiting, tasks] = [await desk.read(id), await desk.tasks()];
    gate.resolve();
    const reply = await desk.settled(id);

    expect([waiting.status, waiting.pending]).toEqual(["running", []]);
    expect(tasks).toMatchObject([{ kind: "a2a", status: "working", tool_name: "play" }]);
    expect([reply.status, textsOf(reply), await desk.tasks()]).toEqual([
      "completed",
      ["All of it."],
      [],
    ]);
    expect(agent.methods().filter((method) => method === "SendMessage")).toHaveLength(1);
  });

  for (const [rows, breadth] of sampled(["streams", "is looked at", "waits for a person"])) {
    it.each(rows)("is cancelled with its reply, while it %s", breadth, async (standing) => {
      const { agent, desk } = await open(
        async (turn) => {
          turn.task();
          turn.artifact("a", [{ text: "Begun." }]);
          if (standing === "waits for a person") {
            turn.status("TASK_STATE_INPUT_REQUIRED", [{ text: "Which?" }]);
          } else await new Promise(() => undefined);
        },
        { streaming: standing !== "is looked at" },
      );
      const id = await desk.begin(`${CALL}\n/say Done.`);
      await waitFor(async () => {
        const reply = await desk.read(id);
        if (standing === "streams") expect(textsOf(reply)).toContain("Begun.");
        else if (standing === "is looked at") expect(agent.methods()).toContain("GetTask");
        else expect(reply.status).toBe("awaiting_external_result");
      });
      await request("POST", `${desk.path}/interrupt`, { key: desk.key });
      await waitFor(() => expect(agent.methods()).toContain("CancelTask"));
      const reply = await desk.settled(id);

      expect([reply.status, statesOf(reply)]).toEqual(["interrupted", ["interrupted"]]);
    });
  }

  it("that fails tells why, without a secret", async () => {
    const { desk } = await open((turn) => {
      turn.task();
      turn.status("TASK_STATE_FAILED", [{ text: "No stock. api_key=abc123 was used." }]);
    });
    const reply = await desk.settled(await desk.begin(`${CALL}\n/say Done.`));

    expect([statesOf(reply), textsOf(reply)]).toEqual([
      ["error"],
      ["The agent has failed its task. It says: No stock. api_key=[redacted] was used."],
    ]);
  });
});
