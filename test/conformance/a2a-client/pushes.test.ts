// An agent of another system that takes an address of ours tells when its task has changed. What it posts makes us look, and is
// believed by nobody.
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { sampled } from "../../support/breadth.ts";
import { startLyingAgent, taskOf, type Asked } from "../../support/a2a-remote/lying-agent.ts";
import { CALL, openRemoteDesk } from "../../support/a2a-remote/remote-desk.ts";
import { startSdkAgent } from "../../support/a2a-remote/sdk-agent.ts";
import { statesOf, textsOf } from "../../support/mcp/task-desk.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const CREATE = "CreateTaskPushNotificationConfig";
const DELETE = "DeleteTaskPushNotificationConfig";

interface Config {
  readonly id: string;
  readonly url: string;
  readonly token: string;
  readonly authentication: { readonly scheme: string; readonly credentials: string };
}

const done = (text: string) =>
  taskOf("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text }] }] });

/** A call whose task works, at an agent that has been given an address. `next` is what it answers to a look. */
async function openTold(takes: (asked: Asked) => void = ({ answer, params }) => answer(params)) {
  const next = { task: taskOf("WORKING") };
  const agent = await startLyingAgent(
    (asked) => {
      const { method, answer } = asked;
      if (method === "SendMessage") return answer({ task: taskOf("WORKING") });
      if (method === CREATE) return takes(asked);
      answer(method === DELETE ? null : next.task);
    },
    { streaming: false, pushNotifications: true },
  );
  onTestFinished(() => agent.stop());
  const desk = await openRemoteDesk({ card: { inline: agent.card } });
  const id = await desk.begin(`${CALL}\n/say Done.`);
  const looks = () => agent.methods().filter((method) => method === "GetTask").length;
  await waitFor(() => expect(looks()).toBeGreaterThan(0));
  const config = agent.asked.find(({ method }) => method === CREATE)?.params as unknown as Config;
  return { agent, desk, id, next, looks, config };
}

/** Answered without what differs from request to request. */
async function post(url: string, headers: Record<string, string>, body: unknown = {}) {
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (text === "") return [response.status];
  const { request_id: _, ...problem } = JSON.parse(text) as Record<string, unknown>;
  return [response.status, problem];
}

const proof = (secret: string) => ({ "X-A2A-Notification-Token": secret });

describe("an agent that posts changes of its tasks", () => {
  for (const [rows, breadth] of sampled(["1.0", "0.3"] as const))
    it.each(rows)(
      "of %s is looked at when it posts, and is left without the address",
      breadth,
      async (version) => {
        // The SDK says each post.
        for (const method of ["info", "log", "warn"] as const)
          vi.spyOn(console, method).mockReturnValue();
        onTestFinished(() => void vi.restoreAllMocks());
        const gate = Promise.withResolvers<void>();
        const agent = await startSdkAgent(
          async (turn) => {
            turn.task();
            await gate.promise;
            turn.artifact("a", [{ text: "All of it." }]);
            turn.status("TASK_STATE_COMPLETED");
          },
          { version, streaming: false, pushNotifications: true },
        );
        onTestFinished(() => agent.stop());
        const desk = await openRemoteDesk({ card: { url: agent.url } });
        const id = await desk.begin(`${CALL}\n/say Done.`);
        const look = version === "1.0" ? "GetTask" : "tasks/get";
        await waitFor(() => expect(agent.methods()).toContain(look));
        gate.resolve();
        const reply = await desk.settled(id);
        const [create, remove] =
          version === "1.0"
            ? [CREATE, DELETE]
            : ["tasks/pushNotificationConfig/set", "tasks/pushNotificationConfig/delete"];
        await waitFor(() => expect(agent.methods()).toContain(remove));

        expect([reply.status, textsOf(reply)]).toEqual(["completed", ["All of it."]]);
        expect(agent.methods().filter((method) => method === create)).toHaveLength(1);
      },
    );

  it("in the place of a model is given an address too, and looked at when it posts", async () => {
    const next = { task: taskOf("WORKING") };
    const agent = await startLyingAgent(
      ({ method, answer, params }) => {
        if (method === "SendMessage") return answer({ task: taskOf("WORKING") });
        if (method === CREATE) return answer(params);
        answer(method === DELETE ? null : next.task);
      },
      { streaming: false, pushNotifications: true },
    );
    onTestFinished(() => agent.stop());
    const model = { provider: "a2a", card: { inline: agent.card } };
    const desk = await openRemoteDesk({}, { model, tools: [] });
    const id = await desk.begin("Go");
    // The look behind the address; the next one by itself is a minute later.
    await waitFor(() => {
      const methods = agent.methods();
      expect(methods.slice(methods.indexOf(CREATE))).toContain("GetTask");
    });
    const config = agent.asked.find(({ method }) => method === CREATE)?.params as unknown as Config;
    const refused = await post(config.url, proof("wrong"));
    next.task = done("All of it.");
    const taken = await post(config.url, proof(config.token));
    const reply = await desk.settled(id);

    expect([refused[0], taken[0], reply.status]).toEqual([404, 204, "completed"]);
    expect(JSON.stringify(reply.message.content)).toContain("All of it.");
    await waitFor(() => expect(agent.methods()).toContain(DELETE));
  });

  it("is given an address that says nothing, and the same secret in both ways to prove it", async () => {
    const { desk, config } = await openTold();

    const [, , , token = "", ...rest] = new URL(config.url).pathname.split("/");
    expect([new URL(config.url).pathname.split("/").slice(1, 3), rest]).toEqual([
      ["v1", "remote-pushes"],
      [],
    ]);
    expect(token).not.toContain(config.token);
    expect(config).toEqual({
      taskId: "t1",
      id: expect.stringMatching(/^[\w-]{22}$/),
      url: expect.any(String),
      token: expect.stringMatching(/^[\w-]{43}$/),
      authentication: { scheme: "Bearer", credentials: config.token },
    });
    expect(await desk.tasks()).toMatchObject([{ kind: "a2a", status: "working" }]);
  });

  it("4.3.3-2: a notification with its secret, in either header, is answered with 204", async () => {
    const { desk, id, next, config } = await openTold();
    next.task = done("Done.");

    const bearer = { Authorization: `Bearer ${config.token}` };
    expect(await post(config.url, bearer)).toEqual([204]);
    expect(textsOf(await desk.settled(id))).toEqual(["Done."]);
  });

  it("4.3.3-3: nothing that a notification says is believed: the call's own task is asked for", async () => {
    const { agent, desk, id, next, looks, config } = await openTold();
    const before = looks();
    const status = { state: "TASK_STATE_COMPLETED" };
    const lies = [
      { task: done("A lie.") },
      { statusUpdate: { taskId: "t1", contextId: "c1", status } },
      { statusUpdate: { taskId: "t2", contextId: "c2", status } },
    ];

    for (const lie of lies) {
      expect(await post(config.url, proof(config.token), lie)).toEqual([204]);
    }
    await waitFor(() => expect(looks()).toBeGreaterThan(before));
    expect([(await desk.read(id)).status, await desk.tasks()]).toMatchObject([
      "running",
      [{ status: "working" }],
    ]);
    next.task = done("The truth.");
    expect(await post(config.url, proof(config.token))).toEqual([204]);
    const reply = await desk.settled(id);

    expect([statesOf(reply), textsOf(reply)]).toEqual([["success"], ["The truth."]]);
    const looked = agent.asked.filter(({ method }) => method === "GetTask");
    expect(new Set(looked.map(({ params }) => params["id"]))).toEqual(new Set(["t1"]));
  });

  it("is asked by alarm where it refuses the address, and never given it by a second request", async () => {
    const { agent, desk, id, next } = await openTold(({ raw, id: call }) => {
      const error = { code: -32_003, message: "No." };
      raw(200, "application/json", JSON.stringify({ jsonrpc: "2.0", id: call, error }));
    });
    next.task = done("Asked for.");
    const reply = await desk.settled(id);

    expect([statesOf(reply), textsOf(reply)]).toEqual([["success"], ["Asked for."]]);
    expect(agent.methods().filter((method) => method === CREATE)).toHaveLength(1);
    expect(agent.methods()).not.toContain(DELETE);
  });

  it("has its task cancelled and the address taken back when the reply is interrupted", async () => {
    const { agent, desk, id, config } = await openTold();
    await request("POST", `${desk.path}/interrupt`, { key: desk.key });
    await waitFor(() => expect(agent.methods()).toContain(DELETE));

    expect(agent.methods().slice(-2)).toEqual(["CancelTask", DELETE]);
    expect(agent.asked.at(-1)?.params).toEqual({ taskId: "t1", id: config.id });
    expect((await desk.settled(id)).status).toBe("interrupted");
  });
});

describe("an address for an agent's posts", () => {
  it("13.2-2: a notification without the secret of its address is as one to an address that never was", async () => {
    const { desk, id, next, config } = await openTold();
    const other = await openTold();
    const base = config.url.slice(0, config.url.lastIndexOf("/") + 1);
    const token = config.url.slice(base.length);
    const unknown = await post(`${base}rp_made.up`, proof(config.token));
    const [head = "", , signature = ""] = token.split(".");
    const claims = Buffer.from(
      JSON.stringify({ tenant_id: "ten_1", session_id: "ses_1", push_id: "x", exp: 8e15 }),
    ).toString("base64url");

    expect(unknown).toMatchObject([404, { code: "not_found" }]);
    const { key } = await createTenant();
    const tries = [
      await post(config.url, {}),
      await post(config.url, proof("")),
      await post(config.url, proof(other.config.token)),
      await post(config.url, proof(`${config.token}A`)),
      await post(config.url, proof("x".repeat(5_000))),
      await post(config.url, { Authorization: `Bearer ${key}` }),
      await post(other.config.url, proof(config.token)),
      await post(config.url.slice(0, -1), proof(config.token)),
      await post(`${base}${head}.${claims}.${signature}`, proof(config.token)),
    ];
    for (const tried of tries) expect(tried).toEqual(unknown);
    next.task = done("Done.");
    expect(await post(config.url, proof(config.token))).toEqual([204]);
    await desk.settled(id);
    await waitFor(async () => expect(await post(config.url, proof(config.token))).toEqual(unknown));
    await request("DELETE", other.desk.path, { key: other.desk.key });
    expect(await post(other.config.url, proof(other.config.token))).toEqual(unknown);
  });
});
