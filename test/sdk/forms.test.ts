// The option `format` of the SDK's reads: the query that it sends, and the types that come back.
import { expect, expectTypeOf, inject, it } from "vitest";

import {
  getTextContent,
  Reprise,
  type AgentScope1Msg,
  type AgentScope1Reply,
  type JavaMsg,
  type JavaReply,
  type Msg,
  type Reply,
} from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { createAgent, createTenant } from "../support/platform-client.ts";

const SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
};
const PERSON = { name: "Einstein", age: 76 };

async function openSession() {
  const { key } = await createTenant();
  const reprise = new Reprise({ baseUrl: inject("baseUrl"), apiKey: key });
  return { reprise, session: await reprise.sessions.create({ agent_id: await createAgent(key) }) };
}

it("reads messages and replies in the form that it is asked for, with its types", async () => {
  const { session } = await openSession();
  const input = `/structured ${JSON.stringify(PERSON)}`;
  const options = { structuredSchema: SCHEMA };
  const told = await session.replies.create(input, { ...options, format: "agentscope-1" });

  const native = await session.replies.get(told.id);
  const [, first] = await collect(session.messages.list({ format: "agentscope-1" }));
  const [, java] = await collect(session.messages.list({ format: "agentscope-java", limit: 1 }));
  const { message } = await session.messages.get(told.id, { format: "agentscope-java" });
  const [listed] = await collect(session.replies.list({ format: "agentscope-java" }));

  expectTypeOf(told).toEqualTypeOf<AgentScope1Reply>();
  expectTypeOf(native).toEqualTypeOf<Reply>();
  expectTypeOf(first).toEqualTypeOf<AgentScope1Msg | undefined>();
  expectTypeOf(message).toEqualTypeOf<JavaMsg>();
  expectTypeOf(listed).toEqualTypeOf<JavaReply | undefined>();
  expect([told.message?.metadata, first]).toEqual([PERSON, told.message]);
  expect(message.metadata).toMatchObject({
    agentscope_generate_reason: "STRUCTURED_OUTPUT",
    reprise: { structured_output: PERSON },
  });
  expect([java?.role, listed?.message]).toEqual(["USER", message]);
  expect(getTextContent(native.message as Msg)).toBe(JSON.stringify(PERSON));
});

it("reads waiting calls in a form", async () => {
  const { reprise } = await openSession();

  const calls = await collect(reprise.confirmations.list({ format: "agentscope-java" }));

  expect(calls).toEqual([]);
});
