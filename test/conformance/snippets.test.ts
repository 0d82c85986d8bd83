// README.md and the guides do what they say: their snippets are run in order, against the running platform.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { expect, inject, onTestFinished, test } from "vitest";

import { refundDeskAgent } from "../../scripts/refund-desk-agent.ts";
import { sampled } from "../support/breadth.ts";
import { says, startFakeOpenAi } from "../support/fake-openai.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";
import { createTenant, request } from "../support/platform-client.ts";
import { readSnippets, type Snippet } from "../support/read-snippets.ts";
import { runSnippets } from "../support/run-snippets.ts";

const RUN = new Set(["sh", "bash", "ts", "js"]);
/** Pages whose snippets are run, unless a comment says why not. On the others those that are marked are run. */
const PAGES = [
  "README.md",
  ...readdirSync("docs/guides")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/guides/${name}`),
];
const CHECKED = readdirSync("docs", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !/^(guides|decisions)\//.test(name))
  .map((name) => `docs/${name}`);

function snippetsOf(path: string): readonly Snippet[] {
  return readSnippets(readFileSync(path, "utf8"));
}

/** The state folder and the model that a reader has. */
async function openReader() {
  const [baseUrl, toolsUrl] = [inject("baseUrl"), inject("toolsUrl")];
  const { key } = await createTenant("A reader");
  const toolsPort = Number(new URL(toolsUrl).port);
  const agent = refundDeskAgent(toolsPort);
  const model = { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 0 } };
  const { body } = await request<{ id: string }>("POST", "/v1/agents", {
    key,
    body: { ...agent, model },
  });
  const provider = await startFakeOpenAi(says("Yes, ", "we do."));
  onTestFinished(() => provider.stop());
  const dev = {
    base_url: baseUrl,
    operator_key: inject("operatorKey"),
    api_key: key,
    agent_id: body.id,
  };
  return {
    state: { "dev.json": dev, "demo.json": { tools_port: toolsPort } },
    environment: {
      BASE_URL: baseUrl,
      OPERATOR_KEY: inject("operatorKey"),
      MODEL_URL: provider.baseUrl,
      MODEL_NAME: "some-model",
      MODEL_KEY: "sk-reader",
      TOOL_URL: toolsUrl,
    },
  };
}

for (const [pages, breadth] of sampled(PAGES, 2, "each"))
  test.each(pages)("what %s tells to run does what it says", breadth, async (path) => {
    const snippets = snippetsOf(path).filter(
      ({ language, reason }) => RUN.has(language) && reason === null,
    );

    expect(await runSnippets({ snippets, ...(await openReader()) })).toEqual([]);
  });

test("docs/deploy.md leads from the operator's key to a reply of a model", async () => {
  const snippets = snippetsOf("docs/deploy.md").filter(({ isMarked }) => isMarked);

  expect(snippets.length).toBe(3);
  expect(await runSnippets({ snippets, ...(await openReader()) })).toEqual([]);
});

test("docs/untrusted-content.md shows a transfer that a mail has asked for, and that asks", async () => {
  const snippets = snippetsOf("docs/untrusted-content.md").filter(({ isMarked }) => isMarked);

  expect(snippets.length).toBe(2);
  expect(await runSnippets({ snippets, ...(await openReader()) })).toEqual([]);
});

test("docs/mcp.md and its pages show a server, its tool alone, the same tool in an agent, a question, and a sign-in", async () => {
  // As one page, since a snippet is known by its line.
  const pages = ["docs/mcp.md", "docs/mcp/people.md", "docs/mcp/sign-in.md"];
  const snippets = readSnippets(pages.map((path) => readFileSync(path, "utf8")).join("\n")).filter(
    ({ isMarked, language }) => isMarked || language === "js",
  );

  expect(snippets.length).toBe(10);
  expect(await runSnippets({ snippets, ...(await openReader()) })).toEqual([]);
});

test.each([...PAGES, ...CHECKED])(
  "every snippet of %s can at least be read by its language",
  (path) => {
    const unreadable = snippetsOf(path).flatMap(({ language, code, line }) => {
      try {
        // `…` stands for what an example leaves out.
        if (language === "json") JSON.parse(code.replace(/, …(?=[}\]])/g, ""));
        if (language === "sh" || language === "bash")
          execFileSync("bash", ["-n"], { input: code, stdio: "pipe" });
        if (language === "ts") stripTypeScriptTypes(code);
        return [];
      } catch (error) {
        return [`line ${line}: ${String(error)}`];
      }
    });

    expect(unreadable).toEqual([]);
  },
);

test("a snippet that fails, prints something else, or is not reached is told", async () => {
  const page =
    "<!-- expect: two -->\n```sh\necho one\n```\n\n```sh\ncurl -s $BASE_URL/v1/agents\n```\n\n```sh\necho three\n```\n";
  const snippets = readSnippets(page);
  const wrong = await runSnippets({ snippets, ...(await openReader()) });

  expect(snippets.map(({ line }) => line)).toEqual([3, 7, 11]);
  expect(wrong.map((text) => text.split("\n")[0]?.slice(0, 40))).toEqual([
    expect.stringContaining("line 3 does not print two"),
    "line 11 was not reached",
    expect.stringContaining("it ended with 22"),
  ]);
});

test("a page whose port another program has runs with a port of its own", async () => {
  const other = await startLoopbackServer((_request, response) => void response.end("another"));
  onTestFinished(() => other.stop());
  const { port } = new URL(other.url);
  const page = `
\`\`\`js
// greeter.js
import { createServer } from "node:http";

createServer((_request, response) => response.end("the greeter")).listen(${port}, "127.0.0.1");
\`\`\`

<!-- expect: the greeter -->
\`\`\`sh
node greeter.js &
trap 'kill $!' EXIT
until curl -s http://127.0.0.1:${port}/; do sleep 0.2; done
\`\`\`
`;

  const snippets = readSnippets(page);
  expect(await runSnippets({ snippets, state: {}, environment: {} })).toEqual([]);
});
