/** @module-tag broad */
// The snippets of the reference pages are run, each with what its text presupposes: a session, a reply that waits, or a
// few values of the reader's own program.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";

import { says, startFakeOpenAi, type FakeTurn } from "../support/fake-openai.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { readSnippets } from "../support/read-snippets.ts";
import { runSnippets } from "../support/run-snippets.ts";
import { REFERENCE_PRELUDES } from "../support/reference-preludes.ts";

/** docs/ag-ui.md is held to its example, which test/matrix/clients/ runs. */
const PAGES = [
  "api",
  "api/replies",
  "api/sessions",
  "client-tokens",
  "files",
  "replays",
  "webhooks",
  "sdk",
  "sdk/front-ends",
  "tools",
  "background-tools",
  "plans",
  "tool-groups",
  "agents-as-tools",
  "hooks",
  "agents-in-code",
] as const;
/** The address at which a file of the platform, which a snippet changes, finds its neighbours. */
const NEIGHBOUR = JSON.stringify(fileURLToPath(new URL("../../tools/code.ts", import.meta.url)));

/** The model asks for the call that the pages name. */
const ASKS: FakeTurn = (stream) => {
  const input = JSON.stringify({ order_id: "A-1001", amount: 40 });
  stream.calls({ index: 0, id: "call_2", name: "refund_order", arguments: input });
  stream.finish("tool_calls");
  stream.done();
};

/** A tenant with a session whose first reply waits for a person, and what the pages call their ids. */
async function openReader(): Promise<Readonly<Record<string, string>>> {
  const { key } = await createTenant("A reader");
  const provider = await startFakeOpenAi(ASKS, says("Done."));
  onTestFinished(() => provider.stop());
  const agent = await createAgent(key, {
    name: "Desk",
    model: { provider: "openai", name: "some-model", base_url: provider.baseUrl },
    tools: [
      { type: "external", name: "print_label", description: "Prints a label." },
      { type: "http", name: "lookup_order", url: `${inject("toolsUrl")}/lookup_order` },
      { type: "http", name: "refund_order", url: `${inject("toolsUrl")}/refund_order` },
    ],
    shared_state: { enabled: true },
    plan: {},
  });
  const session = await createSession(key, agent);
  const path = `/v1/sessions/${session}`;
  const { body: reply } = await request<{ id: string; status: string }>("POST", `${path}/replies`, {
    key,
    body: { input: "I want my money back." },
  });
  expect(reply.status).toBe("awaiting_permission");
  await request("PATCH", `${path}/shared-state`, {
    key,
    body: [{ op: "replace", path: "", value: { order_id: "A-1001", items: [] } }],
  });
  const free = await createSession(key, agent);
  const tokenOf = async (id: string) => {
    const body = { verbs: ["read", "reply"], ttl_seconds: 900 };
    const answer = await request<{ token: string }>("POST", `/v1/sessions/${id}/tokens`, {
      key,
      body,
    });
    return answer.body.token;
  };
  const { body: inbound } = await request<{ id: string; secret: string }>(
    "POST",
    "/v1/inbound-endpoints",
    { key, body: { name: "Labels" } },
  );
  return {
    BASE_URL: inject("baseUrl"),
    API_KEY: key,
    AGENT_ID: agent,
    SESSION_ID: session,
    FREE_SESSION_ID: free,
    REPLY_ID: reply.id,
    CLIENT_TOKEN: await tokenOf(session),
    FREE_CLIENT_TOKEN: await tokenOf(free),
    ENDPOINT_ID: inbound.id,
    ENDPOINT_SECRET: inbound.secret,
  };
}

const CASES = PAGES.flatMap((name) =>
  readSnippets(readFileSync(`docs/${name}.md`, "utf8"))
    .filter(({ language, reason }) => ["sh", "ts"].includes(language) && reason === null)
    .map((snippet, index) => ({ page: `docs/${name}.md`, name, number: index + 1, snippet })),
);

test.each(CASES)("$page, snippet $number, does what it says", async ({ name, number, snippet }) => {
  const prelude = REFERENCE_PRELUDES[`${name} ${number}`] ?? "";
  const code = `${prelude}\n${snippet.code}`.replace('"./code.ts"', NEIGHBOUR);
  const snippets = [{ ...snippet, code }];

  expect(await runSnippets({ snippets, state: {}, environment: await openReader() })).toEqual([]);
});

test("each prelude belongs to a snippet", () => {
  const known = CASES.map(({ name, number }) => `${name} ${number}`);

  expect(Object.keys(REFERENCE_PRELUDES).filter((key) => !known.includes(key))).toEqual([]);
});
