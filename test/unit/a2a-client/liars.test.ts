// Agents that lie, flood, hang or speak oddly: each ends within its bounds, and a message is never sent twice.
import { describe, expect, it, onTestFinished } from "vitest";

import { follow, message, openClient, shapeOf } from "../../support/a2a-remote/open-client.ts";
import {
  artifactOf,
  startLyingAgent,
  statusOf,
  taskOf,
  type Asked,
} from "../../support/a2a-remote/lying-agent.ts";

async function open(
  handle: (asked: Asked) => void | Promise<void>,
  options?: Parameters<typeof startLyingAgent>[1],
) {
  const agent = await startLyingAgent(handle, options);
  onTestFinished(() => agent.stop());
  return { agent, client: openClient(agent.card) };
}

const REST = { binding: "HTTP+JSON", streaming: false };
const said = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hello" }] };

describe("an agent that lies", () => {
  it.each<[string, unknown]>([
    ["a status", statusOf("WORKING", { taskId: "t2" })],
    ["an artifact", artifactOf("stolen", { taskId: "t2" })],
    ["a task", { task: { ...taskOf("WORKING"), id: "t2" } }],
    ["another context", statusOf("WORKING", { contextId: "c2" })],
  ])("with %s of another one is left", async (_, frame) => {
    const { agent, client } = await open(({ frame: send }) => {
      send({ task: taskOf("WORKING") });
      send(frame);
    });

    expect(shapeOf(await follow(client, message("Go")))).toEqual([
      "task WORKING",
      "failed: malformed_answer",
    ]);
    expect(agent.methods()).toEqual(["SendStreamingMessage"]);
  });

  it("in the answer about its task is not believed", async () => {
    const { client } = await open(({ answer }) => answer({ ...taskOf("COMPLETED"), id: "t2" }));

    const read = await client.getTask("t1", { signal: new AbortController().signal });

    expect(read).toMatchObject({ ok: false, failure: { kind: "malformed_answer" } });
  });

  it("that names its task by half a character has named none", async () => {
    const task = { ...taskOf("WORKING"), id: "\ud800" };
    const { agent, client } = await open(({ raw }) => {
      raw(200, "application/a2a+json", JSON.stringify({ task }));
    }, REST);

    const shape = shapeOf(await follow(client, message("Go")));
    const signal = new AbortController().signal;

    expect(shape).toEqual(["failed: malformed_answer"]);
    expect(await client.getTask("\ud800", { signal })).toMatchObject({ ok: false });
    expect(await client.cancelTask("\ud800", { signal })).toMatchObject({ ok: false });
    expect(agent.methods()).toEqual([
      "POST /message:send",
      "GET /tasks/%EF%BF%BD?historyLength=0",
      "POST /tasks/%EF%BF%BD:cancel",
    ]);
  });

  it("with an end before its updates is asked for what it has made", async () => {
    const artifacts = [{ artifactId: "a", parts: [{ text: "all" }] }];
    const { client } = await open(({ method, frame, answer }) => {
      if (method === "GetTask") return answer(taskOf("COMPLETED", { artifacts }));
      frame({ task: taskOf("WORKING") });
      frame(statusOf("COMPLETED"));
      frame(artifactOf("all"));
    });

    expect(shapeOf(await follow(client, message("Go")))).toEqual([
      "task WORKING",
      "status COMPLETED",
      "task COMPLETED [all]",
      "at_rest",
    ]);
  });

  it("with an end that it takes back is asked again later", async () => {
    const { client } = await open(({ method, frame, answer }) => {
      if (method === "GetTask") return answer(taskOf("WORKING"));
      frame({ task: taskOf("WORKING") });
      frame(statusOf("COMPLETED"));
    });

    expect(shapeOf(await follow(client, message("Go")))).toEqual([
      "task WORKING",
      "status COMPLETED",
      "task WORKING",
      "silent",
    ]);
  });

  it("with a stream that never ends is left when it is silent", async () => {
    const { client } = await open(({ frame }) => frame({ task: taskOf("WORKING") }));

    expect(shapeOf(await follow(client, message("Go"), { silenceMs: 100 }))).toEqual([
      "task WORKING",
      "silent",
    ]);
  });

  it("with floods is left at the bound, and its task is not lost", async () => {
    const { agent, client } = await open(({ method, response, frame, answer }) => {
      if (method === "GetTask") return answer(taskOf("WORKING"));
      frame({ task: taskOf("WORKING") });
      const flood = `data: ${JSON.stringify({ jsonrpc: "2.0", id: "x", result: statusOf("WORKING", { metadata: { pad: "x".repeat(100_000) } }) })}\n\n`;
      const pump = (): void => {
        if (response.destroyed) return;
        response.write(flood, () => setImmediate(pump));
      };
      pump();
    });

    const shape = shapeOf(await follow(client, message("Go")));

    expect(shape.length).toBeLessThan(130);
    expect(shape.at(-1)).toBe("failed: too_large");
    expect(agent.methods().filter((method) => method === "SendStreamingMessage")).toHaveLength(1);
  });

  it.each<[string, string]>([
    ["one frame of 5 MB", `data: {"x":"${"y".repeat(5_000_000)}"}\n\n`],
    ["JSON that is too deep", `data: ${"[".repeat(100)}${"]".repeat(100)}\n\n`],
    ["what is no JSON", "data: hello\n\n"],
    ["a list", "data: [1]\n\n"],
    ["nothing", ""],
  ])("with %s ends the call", async (_, body) => {
    const { client } = await open(({ raw }) => raw(200, "text/event-stream", body));

    const steps = await follow(client, message("Go"));

    expect(shapeOf(steps)).toEqual([
      expect.stringMatching(/^failed: (?:malformed_answer|too_large|empty_answer)$/),
    ]);
  });

  it.each<[number, string, string]>([
    [
      200,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"key=Bearer abc"}}',
      "tool_error",
    ],
    [401, "who are you", "credential_refused"],
    [302, "", "redirect"],
    [500, "<h1>broken</h1>", "provider_error"],
  ])("answers %s %s, which is not sent again", async (status, body, kind) => {
    const { agent, client } = await open(({ raw }) => raw(status, "application/json", body));

    const [step, ...more] = await follow(client, message("Go"));

    expect(step).toMatchObject({ type: "failed", failure: { kind } });
    expect(JSON.stringify(step)).not.toContain("abc");
    expect([more, agent.asked.length]).toEqual([[], 1]);
  });

  it("that promised streams and knows none is sent the message the other way", async () => {
    const { agent, client } = await open(({ method, answer, raw, id }) => {
      if (method === "SendMessage") return answer({ message: said });
      const error = { code: -32_601, message: "Method not found" };
      raw(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id, error }));
    });

    expect(shapeOf(await follow(client, message("Go")))).toEqual(["message Hello", "at_rest"]);
    expect(agent.methods()).toEqual(["SendStreamingMessage", "SendMessage"]);
  });

  it("with members of other types, null and unknown states is read as far as it can be", async () => {
    const { client } = await open(({ frame, response }) => {
      frame({
        task: {
          id: "t1",
          contextId: null,
          status: { state: "TASK_STATE_DREAMING", message: 5 },
          artifacts: [null, {}, { artifactId: "a", parts: [{ text: "Hi" }, null, { text: 5 }] }],
        },
      });
      frame({ statusUpdate: { taskId: "t1", status: { state: "completed" } } });
      response.end();
    });

    expect(shapeOf(await follow(client, message("Go")))).toEqual([
      "task WORKING [Hi]",
      "status COMPLETED",
      "at_rest",
    ]);
  });

  it("AgentInterface-2: is spoken to over HTTP and JSON, with its tenant, and subscribed to by both verbs", async () => {
    let cuts = 0;
    const { agent, client } = await open(
      ({ method, frame, raw, response }) => {
        if (method.startsWith("POST /acme/message:stream")) {
          frame({ task: taskOf("WORKING") });
          cuts += 1;
          setTimeout(() => response.destroy(), 20);
          return;
        }
        if (method.startsWith("POST")) return raw(405, "application/json", "{}");
        if (method.includes(":subscribe")) {
          frame({ task: taskOf("WORKING") });
          frame(statusOf("COMPLETED"));
          return;
        }
        const artifacts = [{ artifactId: "a", parts: [{ text: "Hi" }] }];
        const state =
          cuts > 0 && agent.methods().some((one) => one.includes("GET /acme/tasks/t1:"))
            ? "COMPLETED"
            : "WORKING";
        raw(200, "application/a2a+json", JSON.stringify(taskOf(state, { artifacts })));
      },
      { binding: "HTTP+JSON", tenant: "acme" },
    );

    const shape = shapeOf(await follow(client, message("Go")));

    expect(shape.slice(-3)).toEqual(["status COMPLETED", "task COMPLETED [Hi]", "at_rest"]);
    expect(agent.methods()).toEqual([
      "POST /acme/message:stream",
      "GET /acme/tasks/t1?historyLength=0",
      "POST /acme/tasks/t1:subscribe",
      "GET /acme/tasks/t1:subscribe",
      "GET /acme/tasks/t1?historyLength=0",
    ]);
    expect(agent.asked[0]?.request.headers).toMatchObject({
      "a2a-version": "1.0",
      "content-type": "application/a2a+json",
    });
  });

  it("is told how deep it is, under whatever name the platform is reached", async () => {
    const { agent } = await open(({ answer }) => answer({ message: said }), { streaming: false });

    await follow(openClient(agent.card, { depth: 2 }), message("Go"));
    await follow(openClient(agent.card), message("Go"));

    expect(agent.asked.map(({ request }) => request.headers["reprise-a2a-depth"])).toEqual([
      "3",
      "1",
    ]);
  });
});
