// Tools with `return_direct`: their results are the answer.
import { describe, expect, onTestFinished, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import { says, startFakeOpenAi } from "../../support/fake-openai.ts";
import { request } from "../../support/platform-client.ts";
import {
  calls,
  openSession,
  say,
  startTools,
  statusOf,
  textOf,
  toolAt,
} from "../replies/ending-desk.ts";

describe("a result that is the answer", () => {
  test("ends the reply, and the model is not called again until the next one", async () => {
    const tools = await startTools();
    const model = await startFakeOpenAi(calls("call_1", "look"), says("It is in Bremen."));
    onTestFinished(() => model.stop());
    const session = await openSession({
      model: { provider: "openai", name: "m", base_url: model.baseUrl },
      tools: [toolAt(tools, "look", { return_direct: true })],
    });

    const reply = await say(session, "Where is it?");
    expect([reply.status, textOf(reply), model.requests.length]).toEqual([
      "completed",
      "In Bremen.",
      1,
    ]);

    const next = await say(session, "Say it again.");
    expect([next.status, textOf(next)]).toEqual(["completed", "It is in Bremen."]);
    const [, sent] = model.requests.map(({ body }) => body as { messages: { role: string }[] });
    expect(sent?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });

  test("of an external tool is the answer when it is posted, and of one that a person allows", async () => {
    const tools = await startTools();
    const look = toolAt(tools, "look", { return_direct: true, read_only: false });
    const label = { type: "external", name: "label", read_only: true, return_direct: true };
    const session = await openSession({ tools: [look, label] });
    const { key, path } = session;
    const { id, pending } = await say(session, "/call label {}\n/call look {}\n/say no");
    const post = (event: object) =>
      request("POST", `${path}/events`, { key, body: { reply_id: id, ...event } });
    const result = { type: "tool_result", name: "label", output: "Label 4711.", state: "success" };
    const execution_results = [{ ...result, id: pending[0]?.tool_call.id }];
    await post({ type: "EXTERNAL_EXECUTION_RESULT", execution_results });
    await expect.poll(() => statusOf(session, id)).toBe("awaiting_permission");
    const asked = await request<Reply>("GET", `${path}/replies/${id}`, { key });
    const confirm_results = [{ confirmed: true, tool_call: asked.body.pending[0]?.tool_call }];
    await post({ type: "USER_CONFIRM_RESULT", confirm_results });
    await expect.poll(() => statusOf(session, id)).toBe("completed");
    const { body } = await request<Reply>("GET", `${path}/replies/${id}`, { key });

    expect(pending).toHaveLength(1);
    expect(textOf(body)).toBe("Label 4711.|In Bremen.");
  });

  test("that is an error, or that a person denies, goes back to the model", async () => {
    const tools = await startTools();
    const direct = { return_direct: true };
    const session = await openSession({
      tools: [
        toolAt(tools, "fail", direct),
        toolAt(tools, "look", { ...direct, read_only: false }),
      ],
    });
    const failed = await say(session, "/call fail {}\n/say The model again.");
    const asked = await say(session, "/call look {}\n/say It may not.");
    await request("POST", `${session.path}/events`, {
      key: session.key,
      body: {
        type: "USER_CONFIRM_RESULT",
        reply_id: asked.id,
        confirm_results: [{ confirmed: false, tool_call: asked.pending[0]?.tool_call }],
      },
    });

    expect([failed.status, textOf(failed)]).toEqual(["completed", "The model again."]);
    await expect.poll(() => statusOf(session, asked.id)).toBe("completed");
    const { body } = await request<Reply>("GET", `${session.path}/replies/${asked.id}`, session);
    expect([textOf(body), tools.calls("/look")]).toEqual(["It may not.", 0]);
  });

  test("does not fill in a schema", async () => {
    const tools = await startTools();
    const session = await openSession({ tools: [toolAt(tools, "look", { return_direct: true })] });

    const reply = await say(session, '/call look {}\n/structured {"place":"Bremen"}', {
      structured_schema: { type: "object", properties: { place: { type: "string" } } },
    });

    expect([reply.status, reply.message?.structured_output, textOf(reply)]).toEqual([
      "completed",
      { place: "Bremen" },
      "",
    ]);
  });
});
