// The example's page in a browser, as `npm run ag-ui` plays it.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

import { expect, inject, test } from "vitest";

import { createAgent, createTenant, request } from "../../support/platform-client.ts";

const EXAMPLE = "examples/ag-ui/main.ts";

const CLAIMS = [
  "the order was looked up, and the case file tells of it",
  "the refund asks a person first",
  "it still asks when the page is opened again",
  "the shop paid back once, and 60.00 EUR",
  "the case file has it, and what the page knew of the customer",
  "the page has printed the label, and the agent knows its number",
  "the answer was shown while it came",
  "the connection was lost in the middle of a word, and the word was finished",
  "the page showed that it was away",
  "the page holds what the platform stores",
  "a page that is opened again shows the same",
  "and holds the same",
  "the protocol's client had nothing to complain about",
];

async function play(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { key } = await createTenant();
  const agentId = await createAgent(key);
  const child = spawn(process.execPath, [EXAMPLE, ...flags], {
    env: {
      ...process.env,
      BASE_URL: inject("baseUrl"),
      API_KEY: key,
      AGENT_ID: agentId,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const left: string[] = [];
  for (const resource of ["agents", "sessions"]) {
    const { body } = await request<{ data: { id: string }[] }>("GET", `/v1/${resource}`, { key });
    left.push(...body.data.map(({ id }) => id).filter((id) => id !== agentId));
  }
  return { claims: stdout.match(/^ {2}(?:ok|no) .*$/gm), stdout, stderr, code, left };
}

test("the page plays its story in Chromium, and everything that it checks is true", async () => {
  const played = await play(["--browser"]);

  expect(played).toEqual({
    claims: CLAIMS.map((claim) => `  ok  ${claim}`),
    stdout: expect.stringContaining("The refund desk's page is at http://127.0.0.1:"),
    stderr: "",
    code: 0,
    left: [],
  });
});

test("without a browser the same story is played, and says so", async () => {
  const played = await play([], { CHROMIUM: "/nowhere/chromium" });

  expect(played).toEqual({
    claims: CLAIMS.map((claim) => `  ok  ${claim}`),
    stdout: expect.stringContaining("There is no Chromium on this machine: install one"),
    stderr: "",
    code: 0,
    left: [],
  });
});

test("a browser that has to be there and is not ends it with one line and code 1", async () => {
  const played = await play(["--browser"], { CHROMIUM: "/nowhere/chromium" });

  expect(played).toEqual({
    claims: null,
    stdout: "",
    stderr: expect.stringMatching(/^\nThere is no Chromium on this machine: .*\n$/),
    code: 1,
    left: [],
  });
});
