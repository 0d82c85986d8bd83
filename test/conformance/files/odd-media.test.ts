// Media with slips in its base64 at the doors that are no request: answers of hooks, and results of calls by hand.
import { describe, expect, it, onTestFinished } from "vitest";

import type { CalledTool } from "../../../protocol/tools/tool-calls.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { sampled } from "../../support/breadth.ts";
import { startHookServer } from "../../support/hook-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

const RIGHT = "iVBORw0KGgoB+/8=";
const SLIPS: readonly [string, string][] = [
  ["white space", "iVBORw0K\n GgoB+/8="],
  ["url-safe letters without padding", "iVBORw0KGgoB-_8"],
  ["the head of an address", `data:image/png;base64,${RIGHT}`],
];
const BROKEN: readonly [string, string][] = [
  ["letters of no alphabet", "iVBO*w0K"],
  ["no byte", ""],
];

const picture = (data: string) => ({
  type: "data",
  source: { type: "base64", media_type: "image/png", data },
});

/** A reply whose message a hook answers with the picture, and what the session has stored of it. */
async function answered(data: string, on_failure: string) {
  const hooks = await startHookServer(({ input }) => ({
    input: {
      messages: input.messages?.map(({ id, content }) => ({
        id,
        content: [...content, picture(data)],
      })),
    },
  }));
  onTestFinished(() => hooks.stop());
  const { key } = await createTenant();
  const hook = { name: "show", point: "pre_reply", type: "http", url: hooks.url, on_failure };
  const path = `/v1/sessions/${await createSession(key, await createAgent(key, { hooks: [hook] }))}`;
  const reply = await request<{ status: string }>("POST", `${path}/replies`, {
    key,
    body: { input: "/say seen" },
  });
  const [events, messages] = await Promise.all([
    request<{ data: LoggedEvent[] }>("GET", `${path}/events?limit=100`, { key }),
    request<{ data: Msg[] }>("GET", `${path}/messages`, { key }),
  ]);
  const sources = JSON.stringify([events.body, messages.body]).matchAll(/"data":"([^"]*)"/g);
  const outcome = events.body.data.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value] : [],
  );
  return {
    status: reply.body.status,
    stored: new Set([...sources].map(([, one]) => one)),
    outcome,
  };
}

describe("a picture in the answer of a hook", () => {
  it.each(SLIPS)("is put right: %s", async (_case, data) => {
    const { status, stored } = await answered(data, "closed");

    expect(status).toBe("completed");
    expect(stored).toEqual(new Set([RIGHT]));
  });

  for (const [rows, breadth] of sampled(BROKEN, 1))
    it.each(rows)("that cannot be read is no answer: %s", breadth, async (_case, data) => {
      const { status, stored, outcome } = await answered(data, "closed");

      expect(status).toBe("error");
      expect(stored).toEqual(new Set());
      expect(outcome).toMatchObject([{ outcome: "failed", failure: { kind: "invalid_answer" } }]);
    });
});

describe("a picture in the result of a call by hand", () => {
  async function called(data: string) {
    const server = await startToolServer({
      "/look": answer(JSON.stringify({ output: [picture(data)] })),
    });
    onTestFinished(() => server.stop());
    const { key } = await createTenant();
    const tool = { type: "http", name: "look", url: `${server.url}/look` };
    const agent = await createAgent(key, { tools: [tool] });
    const path = `/v1/agents/${agent}/tools/look/call`;
    return (await request<CalledTool>("POST", path, { key, body: { input: {} } })).body.result;
  }

  it.each(SLIPS)("is put right: %s", async (_case, data) => {
    expect(await called(data)).toMatchObject({ state: "success", output: [picture(RIGHT)] });
  });

  for (const [rows, breadth] of sampled(BROKEN, 1))
    it.each(rows)("that cannot be read is a note: %s", breadth, async (_case, data) => {
      const { output, state } = await called(data);

      expect(state).toBe("success");
      expect(output).toMatchObject([{ type: "text", text: expect.stringContaining("image/png") }]);
    });
});
