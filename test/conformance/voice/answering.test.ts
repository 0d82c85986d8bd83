// Calls that ask while the agent talks: they are answered on the voice connection, and the answer is spoken.
import { expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  type VoiceDesk,
} from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";
const isAsked = ({ type }: { readonly type: string }) => type === "REQUIRE_USER_CONFIRM";

const SCRIPT = '/say I look.\n/call lookup_order {"order_id":"A-1001"}\n/say Found it.';

function openAskingDesk(agent: object = {}): Promise<VoiceDesk> {
  const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
  return openVoiceDesk({}, { permission, ...agent });
}

async function untilAsked(desk: VoiceDesk, key = desk.key) {
  const client = await VoiceClient.connect(desk.sessionId, { key });
  client.send({ type: "text", text: SCRIPT });
  const asked = (await client.event(isAsked)) as unknown as {
    readonly reply_id: string;
    readonly tool_calls: readonly { readonly id: string }[];
    readonly metadata: { readonly input_hashes?: Record<string, string> };
  };
  return { client, asked, id: asked.tool_calls[0]?.id ?? "" };
}

test("an approval lets the reply go on, aloud", async () => {
  const desk = await openAskingDesk();
  const { client, asked, id } = await untilAsked(desk);
  const confirm_results = [{ confirmed: true, tool_call: { id } }];
  client.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
  await client.event(isEnd);
  await client.until(() => client.heard().length === 2);
  expect(client.heard().map(({ text }) => text)).toEqual(["I look.", "Found it."]);
  expect(client.errors).toEqual([]);
  await client.close();
});

test("a credential without the right to confirm is told so, and the call waits on", async () => {
  const desk = await openAskingDesk();
  const verbs = ["read", "speak"];
  const path = `/v1/sessions/${desk.sessionId}/tokens`;
  const { body } = await request<{ token: string }>("POST", path, {
    key: desk.key,
    body: { verbs },
  });
  const { client, asked, id } = await untilAsked(desk, body.token);
  const confirm_results = [{ confirmed: true, tool_call: { id } }];
  client.send({ type: "confirm", id: "mine", reply_id: asked.reply_id, confirm_results });
  await client.until(() => client.errors.length > 0);
  expect(client.errors).toMatchObject([{ code: "verb_missing", ref: "mine" }]);
  const reply = await request("GET", `/v1/sessions/${desk.sessionId}/replies/${asked.reply_id}`, {
    key: desk.key,
  });
  expect(reply.body).toMatchObject({ status: "awaiting_permission" });
  await client.close();
});

test("a result of the client's own tool is spoken about", async () => {
  const external = {
    type: "external",
    name: "ask_shop",
    input_schema: { type: "object", properties: {} },
  };
  const permission = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };
  const desk = await openVoiceDesk({}, { tools: [external], permission });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.send({ type: "text", text: "/call ask_shop {}\n/say It is there." });
  const asked = (await client.event(
    ({ type }) => type === "REQUIRE_EXTERNAL_EXECUTION",
  )) as unknown as { reply_id: string; tool_calls: { id: string }[] };
  const execution_results = [{ id: asked.tool_calls[0]?.id ?? "", output: "on shelf 7" }];
  client.send({ type: "external_result", reply_id: asked.reply_id, execution_results });
  await client.event(isEnd);
  await client.until(() => client.heard().length > 0);
  expect(client.heard().map(({ text }) => text)).toEqual(["It is there."]);
  await client.close();
});

test("a call that is answered over HTTP while the connection is idle goes on aloud", async () => {
  const desk = await openAskingDesk();
  const { client, asked, id } = await untilAsked(desk);
  await request("POST", `/v1/sessions/${desk.sessionId}/events`, {
    key: desk.key,
    body: {
      type: "USER_CONFIRM_RESULT",
      reply_id: asked.reply_id,
      confirm_results: [{ confirmed: true, tool_call: { id } }],
    },
  });
  await client.event(isEnd);
  await client.until(() => client.heard().length === 2);
  expect(client.heard()[1]?.text).toBe("Found it.");
  const conversation = await readConversation(desk);
  expect(conversation.at(-1)).toContain("Found it.");
  await client.close();
});

test.each([
  ["realtime", {}],
  ["cascade", CASCADE],
])("what is said while a call waits is answered behind it, in mode %s", async (_, voice) => {
  const permission = { rules: [{ tool_name: "lookup_order", behavior: "ask" }] };
  const desk = await openVoiceDesk(voice, { permission });
  const { client, asked, id } = await untilAsked(desk);
  client.speak("/say And this.");
  client.send({ type: "commit" });
  const confirm_results = [{ confirmed: true, tool_call: { id } }];
  client.send({ type: "confirm", reply_id: asked.reply_id, confirm_results });
  await client.until(() => client.events.filter(isEnd).length === 2);
  await client.until(() => client.heard().some(({ text }) => text === "And this."));
  // Its words come with the message, which is written down when its reply begins, or behind it.
  const conversation = await readConversation(desk);
  expect(conversation.map((line) => line.replace(/<.*/s, ""))).toEqual([
    `user: ${SCRIPT}`,
    expect.stringMatching(/^assistant: I look\./),
    "user: /say And this.",
    "assistant: And this.",
  ]);
  expect(client.errors).toEqual([]);
  await client.close();
});
