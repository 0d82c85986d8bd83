// Refusals: their word about trying again, and the credential that goes along.
import { describe, expect, it, onTestFinished } from "vitest";

import { credentialError, modelError } from "../../../agent/state/model-error.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { refundDeskTurn } from "../../../demo/refund-desk-turn.ts";
import { createModel } from "../../../model/create-model.ts";
import { ModelDefinitionSchema } from "../../../protocol/models/contract.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { secretsFor } from "../../support/call-tool.ts";
import { collect } from "../../support/collect.ts";
import { says, startFakeOpenAi, type FakeTurn } from "../../support/fake-openai.ts";

const outgoing = createOutgoing({ environment: "local", fetch });
const request = { system_prompt: "Be kind.", messages: [], tools: [] };

async function play(
  turn: FakeTurn,
  secrets: Record<string, string> = {},
  { credential_id, allowed_hosts }: { credential_id?: string; allowed_hosts?: string[] } = {},
) {
  const server = await startFakeOpenAi(turn);
  onTestFinished(() => server.stop());
  const definition = ModelDefinitionSchema.parse({
    provider: "openai",
    name: "gpt-fake",
    base_url: server.baseUrl,
    ...(credential_id && { credential_id }),
  });
  const model = createModel(definition, {
    outgoing,
    secrets: secretsFor(secrets, allowed_hosts),
    decideTurn: refundDeskTurn,
  });
  const chunks: ModelChunk[] = await collect(model.stream(request, new AbortController().signal));
  return { chunks, requests: server.requests };
}

describe("a refusal of the provider", () => {
  it.each([
    [429, "rate_limit"],
    [503, "upstream"],
  ] as const)("with %i carries the time that it asks for", async (status, type) => {
    const { chunks } = await play((stream) => stream.fail(status, "later", { "retry-after": "7" }));

    expect(chunks).toEqual([{ error: modelError(type), retry_after_ms: 7_000 }]);
  });

  it("because the budget is spent does not pass by waiting", async () => {
    const { chunks } = await play((stream) =>
      stream.fail(429, "no money", { "retry-after": "7" }, "insufficient_quota"),
    );

    expect(chunks).toEqual([{ error: modelError("permission") }]);
  });

  it.each([
    [405, "invalid_request"],
    [408, "connection"],
    [409, "upstream"],
    [418, "invalid_request"],
    [425, "upstream"],
    [529, "upstream"],
  ] as const)("with %i is %s", async (status, type) => {
    expect((await play((stream) => stream.fail(status))).chunks).toEqual([
      { error: modelError(type) },
    ]);
  });

  it.each([
    [{ message: "slow down", code: 429 }, "rate_limit"],
    [{ message: "who are you", code: 401 }, "authentication"],
    [{ message: "overloaded", code: 502 }, "upstream"],
    [{ message: "overloaded", code: "server_error" }, "upstream"],
    ["overloaded", "upstream"],
  ] as const)("within a stream is told by its code: %o", async (error, type) => {
    const { chunks } = await play((stream) => {
      stream.event({ error });
      stream.done();
    });

    expect(chunks).toEqual([{ error: modelError(type) }]);
  });
});

describe("the credential of a model", () => {
  it("is sent as the endpoint's key", async () => {
    const { requests } = await play(says("hi"), { crd_1: "sk-tenant" }, { credential_id: "crd_1" });

    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer sk-tenant"]);
  });

  it("is a placeholder when the model names none, whatever secrets there are", async () => {
    const { requests } = await play(says("hi"), { crd_1: "sk-tenant" });

    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer none"]);
  });

  it("that is gone, or is for another host, is an error that names it, and nothing is sent", async () => {
    const credential_id = "crd_1";
    const gone = await play(says("hi"), {}, { credential_id });
    const allowed_hosts = ["api.openai.com"];
    const other = await play(says("hi"), { crd_1: "sk-tenant" }, { credential_id, allowed_hosts });

    const messages = [gone, other].map(({ chunks }) => chunks[0]?.error?.message);
    expect([gone.requests, other.requests]).toEqual([[], []]);
    expect(messages[0]).toBe(
      credentialError("setup", "crd_1", "was deleted; nothing was sent").message,
    );
    expect(messages[1]).toMatch(
      /^The credential crd_1 of this agent's model may not be sent to 127\.0\.0\.1:\d+; its allowed_hosts say where it may\.$/,
    );
  });

  it.each([
    ["is empty", { crd_1: "" }],
    ["cannot be sent in a header", { crd_1: "two\nlines" }],
  ])("that %s is an error of the setup, and nothing is sent", async (_case, secrets) => {
    const { chunks, requests } = await play(says("hi"), secrets, { credential_id: "crd_1" });

    expect({ chunks, requests }).toEqual({
      chunks: [{ error: modelError("setup") }],
      requests: [],
    });
  });
});
