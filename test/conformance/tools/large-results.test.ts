// A tool result that is longer than the model is sent: the log has all of it, the model a beginning and a tool for the
// rest, in the same reply and in later ones.
import { expect, test, onTestFinished } from "vitest";

import type { Msg } from "../../../protocol/messages/messages.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";
import type { RecordedRequest } from "../../support/loopback-server.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer } from "../../support/tool-server.ts";

/** 34,000 characters; each line says where it is. */
const LOG = Array.from(
  { length: 2_000 },
  (_, line) => `line ${String(line).padStart(5, "0")} is ok\n`,
).join("");

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

function sentIn({ body }: RecordedRequest): { results: unknown[]; tools: string[] } {
  const { messages, tools = [] } = body as Sent;
  return {
    results: messages.flatMap(({ role, content }) => (role === "tool" ? [content] : [])),
    tools: tools.map(({ function: { name } }) => name),
  };
}

function calls(id: string, name: string, input: object): FakeTurn {
  return (stream) => {
    stream.calls({ index: 0, id, name, arguments: JSON.stringify(input) });
    stream.finish("tool_calls");
    stream.done();
  };
}

test("a long tool result is cut for the model, which reads the rest; the log and later replies have it", async () => {
  const tools = await startToolServer({ "/log": answer(LOG, "text/plain") });
  const model = await startFakeOpenAi(
    calls("call_1", "read_log", {}),
    calls("call_2", "read_tool_result", { tool_call_id: "call_1", offset: 4_000, length: 20 }),
    calls("call_3", "read_tool_result", { tool_call_id: "call_1", search: "line 01999" }),
    calls("call_4", "read_tool_result", { tool_call_id: "call_9" }),
    says("It is ok."),
    calls("call_5", "read_tool_result", { tool_call_id: "call_1", offset: 34_000 }),
    says("Still."),
  );
  onTestFinished(async () => {
    await tools.stop();
    await model.stop();
  });
  const { key } = await createTenant();
  const agent = await createAgent(key, {
    name: "Operations",
    model: { provider: "openai", name: "gpt-fake", base_url: model.baseUrl },
    tools: [{ type: "http", name: "read_log", url: `${tools.url}/log`, read_only: true }],
    context: { tool_result_limit: 1_000 },
  });
  const path = `/v1/sessions/${await createSession(key, agent)}`;
  for (const input of ["Look at the log.", "Look again."]) {
    const reply = await request<{ status: string }>("POST", `${path}/replies`, {
      key,
      body: { input },
    });
    expect(reply.body.status).toBe("completed");
  }

  const requests = model.requests.map(sentIn);
  expect(requests.map((sent) => sent.tools)).toEqual([
    ["read_log"],
    ...Array.from({ length: 6 }, () => ["read_log", "read_tool_result"]),
  ]);
  const [cut, range, place, unknown, later] = requests.at(-1)?.results ?? [];
  expect(cut).toBe(
    `${LOG.slice(0, 4_000)}\n<<<TRUNCATED>>> These are the first 4000 of 34000 characters. ` +
      'Call read_tool_result with {"tool_call_id":"call_1","offset":4000} for the next ones, or with "search" to find a text.',
  );
  expect(range).toBe(
    `Characters 4000 to 4020 of 34000. More from offset 4020 on.\n${LOG.slice(4_000, 4_020)}`,
  );
  expect(place).toMatch(/^1 place in characters 0 to 34000\.\n33983: ".*line 01999 is ok/);
  expect(unknown).toBe("This conversation has no result of call_9.");
  expect(later).toBe("The result has 34000 characters.");

  const { body } = await request<{ data: readonly Msg[] }>("GET", `${path}/messages`, { key });
  const stored = body.data
    .flatMap(({ content }) => content)
    .find((block) => block.type === "tool_result" && block.id === "call_1");
  expect(stored).toMatchObject({ output: [{ type: "text", text: LOG }], state: "success" });
});
