/** @module-tag broad */
// The ways to a server's question: AG-UI's interrupts, and the client tokens of end users.
import { describe, expect, it, onTestFinished } from "vitest";

import { startAskingServer, type AskingKind } from "../../support/mcp/asking-server.ts";
import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { createSession, openRequest, request } from "../../support/platform-client.ts";
import { readRun, typesOf, type RunAnswer } from "../../support/run-answer.ts";
import { waitFor } from "../../support/wait-for.ts";

const KINDS: readonly AskingKind[] = ["modern", "legacy"];
const ACCEPTED = { action: "accept", content: { seat: "12A" } };

async function open(kind: AskingKind) {
  const mcp = await startAskingServer(kind);
  onTestFinished(() => mcp.stop());
  return { mcp, desk: await openMcpDesk(mcp.url) };
}

interface Interrupt {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly responseSchema: object;
  readonly metadata: { readonly agentscope: { readonly kind: string; readonly round: number } };
}

function interruptOf({ frames }: RunAnswer): Interrupt {
  const outcome = frames.at(-1)?.event["outcome"] as { interrupts: readonly Interrupt[] };
  return outcome.interrupts[0]!;
}

describe.each(KINDS)("a question of a %s server", (kind) => {
  it("is an interrupt of AG-UI, again and again, until its call has a result", async () => {
    const { mcp, desk } = await open(kind);
    const threadId = desk.path.slice("/v1/sessions/".length);
    const run = async (input: object) => {
      const runId = crypto.randomUUID();
      const body = { threadId, runId, protocolVersion: "1.0", messages: [], ...input };
      const path = `/v1/agents/${desk.agent}/ag-ui`;
      return readRun(await openRequest("POST", path, { key: desk.key, body }));
    };
    const content = "/call mcp__wh__twice {}\n/say Done.";
    const first = await run({ messages: [{ id: "m-1", role: "user", content }] });
    const asked = interruptOf(first);
    const misfit = await run({
      resume: [{ interruptId: asked.id, status: "resolved", payload: { action: "accept" } }],
    });
    const second = await run({
      resume: [{ interruptId: asked.id, status: "resolved", payload: ACCEPTED }],
    });
    const again = interruptOf(second);
    const last = await run({ resume: [{ interruptId: again.id, status: "cancelled" }] });

    expect([asked.reason, asked.message, asked.metadata.agentscope.round]).toEqual([
      "agentscope:elicitation",
      "Which seat?",
      1,
    ]);
    expect(asked.responseSchema).toMatchObject({
      properties: { action: {}, content: { properties: { seat: { type: "string" } } } },
      required: ["action"],
    });
    expect(JSON.stringify(misfit.frames.at(-1) ?? misfit.problem)).toContain("resume_invalid");
    expect([again.id, again.metadata.agentscope.round]).toEqual([asked.id, 2]);
    expect(typesOf(last).at(-1)).toBe("RUN_FINISHED");
    expect(last.frames.at(-1)?.event["outcome"]).toEqual({ type: "success" });
    expect(JSON.stringify(mcp.heard.at(-1))).toContain('"action":"cancel"');
  });

  it("is answered by the end user of its session, whose token may give results, and by no other", async () => {
    const { mcp, desk } = await open(kind);
    const { key, path } = desk;
    const reply = await desk.say("/call mcp__wh__book {}\n/say Done.");
    const elsewhere = `/v1/sessions/${await createSession(key)}`;
    const tokenFor = async (session: string, verbs: readonly string[]) => {
      const wish = { key, body: { verbs } };
      const { body } = await request<{ token: string }>("POST", `${session}/tokens`, wish);
      return body.token;
    };
    const result = { id: reply.pending[0]?.tool_call.id, output: JSON.stringify(ACCEPTED) };
    const body = {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: reply.id,
      execution_results: [result],
    };
    const post = async (token: string) =>
      request<{ code?: string }>("POST", `${path}/events`, { key: token, body });
    const other = await post(await tokenFor(elsewhere, ["tool_result"]));
    const weak = await post(await tokenFor(path, ["read"]));
    const before = mcp.heard.length;
    const own = await post(await tokenFor(path, ["tool_result"]));
    await waitFor(() => expect(mcp.heard).toHaveLength(1));

    expect([other.status, weak.status, before, own.status]).toEqual([404, 403, 0, 202]);
  });
});
