// An agent calls another one: the call is a session of its own, for which the reply waits without an execution.
import { describe, expect, it, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { AgentCheck } from "../../../protocol/agents/agent-check.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { deployHook } from "../support/deployed-hook.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";
import {
  agentTool,
  begin,
  calledBy,
  callHelper,
  childOf,
  endOf,
  giveResult,
  lastReplyOf,
  openAgentDesk,
  readReply,
  resultsIn,
  resultTexts,
  run,
  SCRIPTED,
  WAITING,
  waits,
} from "./agent-desk.ts";
import { BROAD } from "../../support/breadth.ts";

deployHook({
  name: "late",
  async *on_acting(_, next) {
    for await (const chunk of next()) {
      await scheduler.wait(200);
      yield chunk;
    }
  },
});

describe("a call of an agent", () => {
  it("is a session of that agent and of the same end user, whose last words are the result", async () => {
    const desk = await openAgentDesk();
    const reply = await run(desk, `${callHelper("/say The parcel left.")}\n/say Thanks.`);
    const child = await childOf(desk);
    const { message } = await lastReplyOf(desk.call, child.id);

    expect(resultTexts(reply)).toEqual([["success", "The parcel left."]]);
    expect(reply.message?.content.at(-1)).toMatchObject({ type: "text", text: "Thanks." });
    expect([child.agent_id, child.end_user_id, child.parent_session_id]).toEqual([
      desk.helperId,
      "ada",
      desk.session.id,
    ]);
    const { input_tokens = 0, output_tokens = 0 } = message?.usage ?? {};
    expect(reply.subagents).toEqual([
      {
        tool_call_id: resultsIn(reply)[0]?.id,
        session_id: child.id,
        agent_id: desk.helperId,
        status: "ended",
        input_tokens,
        output_tokens,
        cost_usd: 0,
      },
    ]);
  });

  it("tells the agent an input of a schema of its own as JSON", async () => {
    const input_schema = { type: "object", properties: { order: { type: "integer" } } };
    const desk = await openAgentDesk({ tool: { input_schema } });
    await run(desk, `/call helper {"order": 7}\n/say Thanks.`);
    const { id } = await childOf(desk);
    const messages = await ask<{ data: unknown[] }>(
      "GET",
      `/v1/sessions/${id}/messages`,
      desk.call,
    );

    expect(messages.json.data[0]).toMatchObject({
      role: "user",
      content: [{ type: "text", text: '{"order":7}' }],
    });
  });

  it("has the agent's structured output as its result", async () => {
    const structured_output = { type: "object", properties: { paid: { type: "boolean" } } };
    const desk = await openAgentDesk({ helper: { structured_output } });
    const reply = await run(desk, `${callHelper('/structured {"paid": true}')}\n/say Thanks.`);

    expect(resultTexts(reply)).toEqual([["success", '{"paid":true}']]);
  });

  it("is an error that says how the agent has failed", async () => {
    const desk = await openAgentDesk();
    const reply = await run(desk, `${callHelper("/say Half.\n/fail invalid_request")}\n/say So.`);

    expect(resultTexts(reply)).toEqual([
      ["error", expect.stringMatching(/The agent has failed: /) as string],
    ]);
    expect(reply.status).toBe("completed");
  });

  it("is an error when somebody stops the agent in its own session", async () => {
    const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
    const id = await begin(desk, `${callHelper("/call refund {}\n/say Done.")}\n/say So.`);
    const child = await childOf(desk);
    await waits(desk.call, child.id);
    await ask("POST", `/v1/sessions/${child.id}/interrupt`, desk.call);

    expect(resultTexts(await endOf(desk, id))).toEqual([
      [
        "error",
        "The agent was stopped before it had finished. What it has done until then stays done.",
      ],
    ]);
  });

  it("waits for as long as the agent waits for an answer, which its own session takes", async () => {
    const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
    const id = await begin(desk, `${callHelper("/call refund {}\n/say Refunded.")}\n/say Thanks.`);
    const child = await waits(desk.call, (await childOf(desk)).id);
    const waiting = await readReply(desk.call, desk.session.id, id);
    await giveResult(desk.call, child);
    const reply = await endOf(desk, id);

    expect([waiting.status, waiting.pending, waiting.subagents?.[0]?.status]).toEqual([
      "running",
      [],
      "working",
    ]);
    expect(resultTexts(reply)).toEqual([["success", "Refunded."]]);
  });

  it("goes on beside a call that waits for an answer of the reply's own", async () => {
    const own = { type: "external", name: "ask_ada", read_only: true, concurrency_safe: true };
    const desk = await openAgentDesk({ desk: { tools: [own] } });
    const id = await begin(desk, `${callHelper("/say Hi.")}\n/call ask_ada {}\n/say So.`);
    const states = async () =>
      resultsIn(await readReply(desk.call, desk.session.id, id)).map(({ state }) => state);
    await expect.poll(states).toContain("success");
    const status = async () => (await readReply(desk.call, desk.session.id, id)).status;
    await expect.poll(status).toBe("awaiting_external_result");
    await giveResult(desk.call, await waits(desk.call, desk.session.id), "Yes.");
    await expect.poll(status).toBe("completed");

    expect(resultTexts(await readReply(desk.call, desk.session.id, id))).toEqual([
      ["success", "Hi."],
      ["success", "Yes."],
    ]);
  });

  it(
    "is made also where a layer of the deployment hands on late that it waits",
    BROAD,
    async () => {
      const hooks = [{ name: "late", type: "code", point: "on_acting" }];
      const desk = await openAgentDesk({ desk: { hooks } });
      const reply = await run(desk, `${callHelper("/say Hi.")}\n/say So.`);

      expect(resultTexts(reply)).toEqual([["success", "Hi."]]);
    },
  );

  it("leaves the result untrusted, unless the definition says otherwise", async () => {
    const untrusted = await openAgentDesk();
    const trusted = await openAgentDesk({ tool: { returns_untrusted: false } });
    const say = `${callHelper("/say Hi.")}\n/say So.`;
    const sources = [await run(untrusted, say), await run(trusted, say)].map(
      (reply) => resultsIn(reply)[0]?.metadata["untrusted"],
    );

    expect(sources).toEqual([expect.objectContaining({ tool_name: "helper" }), undefined]);
  });

  it("works beside other calls of the turn, and no more than sixteen at once", BROAD, async () => {
    const desk = await openAgentDesk({ helper: { tools: [WAITING] } });
    const script = Array.from({ length: 20 }, () => callHelper("/call refund {}\n/say Done."));
    const id = await begin(desk, `${script.join("\n")}\n/say All.`);
    const statuses = async () =>
      (await readReply(desk.call, desk.session.id, id)).subagents?.map(({ status }) => status);
    const working = () => statuses().then((all) => all?.filter((one) => one === "working").length);
    await expect.poll(working).toBe(16);
    const waiting = (await statuses())?.filter((status) => status === "waiting");
    const answered = new Set<string>();
    await expect
      .poll(async () => {
        for (const { id: one, status } of await calledBy(desk.call, desk.session.id)) {
          if (status !== "awaiting_external_result" || answered.has(one)) continue;
          answered.add(one);
          await giveResult(desk.call, await waits(desk.call, one));
        }
        return answered.size;
      })
      .toBe(20);

    expect(waiting).toHaveLength(4);
    expect(resultTexts(await endOf(desk, id))).toEqual(
      Array.from({ length: 20 }, () => ["success", "Done."]),
    );
  });
});

describe("a definition that calls an agent", () => {
  test("is refused where the tenant has no such agent, or no such version", async () => {
    const { call } = await makeTenant();
    const mine = await makeAgent(call, { name: "Helper", model: SCRIPTED });
    const other = await makeTenant();
    const theirs = await makeAgent(other.call, { name: "Theirs", model: SCRIPTED });
    const tools = [
      agentTool(theirs.id),
      agentTool(mine.id, { name: "second", version: 2 }),
      agentTool(mine.id, { name: "first", version: 1 }),
    ];
    const refused = await ask("POST", "/v1/agents", { ...call, json: { name: "Desk", tools } });

    expect(refusalOf(refused)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/tools/0/agent_id", "#/tools/1/version"],
    });
  });

  test("is refused of a session's own tools in the same way, and taken where the agent is there", async () => {
    const desk = await openAgentDesk();
    const agent_id = desk.agentId;
    const open = (tools: readonly object[]) =>
      ask("POST", "/v1/sessions", { ...desk.call, json: { agent_id, tools } });
    const refused = await open([agentTool("agt_none", { name: "second" })]);
    const taken = await open([agentTool(desk.helperId, { name: "second" })]);

    expect([refusalOf(refused).pointers, taken.status]).toEqual([["#/tools/0/agent_id"], 201]);
  });

  test("is checked without a word to the agent, and says when that is gone", async () => {
    const desk = await openAgentDesk();
    const path = `/v1/agents/${desk.agentId}/check`;
    const check = async () =>
      (await ask<AgentCheck>("POST", path, { ...desk.call, json: {} })).json;
    const before = await check();
    await ask("DELETE", `/v1/agents/${desk.helperId}`, desk.call);
    const after = await check();

    expect(
      [before, after].map(({ tools }) => tools.map(({ status, note }) => [status, note])),
    ).toEqual([
      [["ok", "It is the agent Helper: nothing is asked of it."]],
      [["failed", "The agent, or its version, does not exist any more."]],
    ]);
  });

  test("calls the newest version, or the one that it names", async () => {
    const desk = await openAgentDesk({ tool: { version: 1 } });
    const newest = agentTool(desk.helperId, { name: "newest" });
    const path = `/v1/agents/${desk.agentId}`;
    const { json } = await ask<Agent>("GET", path, desk.call);
    await ask("PATCH", path, { ...desk.call, json: { tools: [...json.tools, newest] } });
    await ask("PATCH", `/v1/agents/${desk.helperId}`, { ...desk.call, json: { name: "Second" } });
    const session = await makeSession(desk.call, { agent_id: desk.agentId });
    const calls = `${callHelper("/say one")}\n${callHelper("/say two", "newest")}\n/say So.`;
    await run({ ...desk, session }, calls);
    const called = await calledBy(desk.call, session.id);

    expect(called.map(({ agent_version }) => agent_version).toSorted()).toEqual([1, 2]);
  });

  test("whose agent is gone gives its calls an error, and the reply goes on", async () => {
    const desk = await openAgentDesk();
    await ask("DELETE", `/v1/agents/${desk.helperId}`, desk.call);
    const reply: Reply = await run(desk, `${callHelper("/say Hi.")}\n/say So.`);

    expect(resultTexts(reply)).toEqual([
      ["error", "The agent, or the version of it that is to be called, does not exist any more."],
    ]);
    expect(await calledBy(desk.call, desk.session.id)).toEqual([]);
  });
});
