/** @module-tag broad */
// The examples with people in them, as a person runs them against a running platform.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

import { expect, inject, test } from "vitest";

import { provisionDemo } from "../../../scripts/provision-demo.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";

const APPROVALS = "examples/approvals/main.ts";
const QUICK = "examples/sdk-approval.ts";

async function play(example: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [example], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, code };
}

test("the story plays to its end, and everything that it checks is true", async () => {
  const { key } = await createTenant();
  const agentId = await createAgent(key);

  const played = await play(APPROVALS, {
    BASE_URL: inject("baseUrl"),
    API_KEY: key,
    AGENT_ID: agentId,
  });

  expect({ ...played, stdout: played.stdout.match(/^ {2}(?:ok|no) .*$/gm) }).toEqual({
    stdout: [
      "  ok  the reply waited for a person, then for the printer, and came to its end",
      "  ok  the shop paid back once, and 60.00 EUR",
      "  ok  the answer names the label",
      "  ok  the app holds the message that the platform stores",
      "  ok  it saw every event of the reply once",
      "  ok  the record tells who allowed what",
      "  ok  a webhook that nobody signed is refused",
      "  ok  the address takes no second answer",
      "  ok  the office heard of each pause and of the end, once",
    ],
    stderr: "",
    code: 0,
  });
  expect(played.stdout).toMatch(/through [1-9]\d* tunnels/);
  const left = [];
  for (const resource of ["agents", "sessions", "webhook-endpoints", "credentials"]) {
    const { body } = await request<{ data: { id: string }[] }>("GET", `/v1/${resource}`, { key });
    left.push(...body.data.map(({ id }) => id));
  }
  expect(left).toEqual([agentId]);
});

test("a platform that says no ends it with one line and code 1", async () => {
  const played = await play(APPROVALS, {
    BASE_URL: inject("baseUrl"),
    API_KEY: "rk_live_no",
    AGENT_ID: "agt_1",
  });

  expect(played).toEqual({
    stdout: "",
    stderr: expect.stringMatching(/^\n401 unauthenticated: .*\n$/),
    code: 1,
  });
});

test("README's example of people in the loop is the checked file", () => {
  const section = /## People in the loop\n[^]*?```ts\n([^]*?)```/;
  const [, shown] = section.exec(readFileSync("README.md", "utf8")) ?? [];

  expect(shown).toBe(readFileSync(QUICK, "utf8"));
});

test("on the demo's agent it pays the amount that the person gave, and names the label", async () => {
  const baseUrl = inject("baseUrl");
  const { api_key, agent_id } = await provisionDemo({
    baseUrl,
    operatorKey: inject("operatorKey"),
    toolsPort: Number(new URL(inject("toolsUrl")).port),
    known: {},
  });

  const played = await play(QUICK, { BASE_URL: baseUrl, API_KEY: api_key, AGENT_ID: agent_id });

  expect({ ...played, stdout: played.stdout.split("\n").slice(1, 3) }).toEqual({
    stdout: [
      expect.stringMatching(/^The refund is on its way: 60\.00 EUR for order A-1003, as refund R-/),
      "Your shipping label: RETURN-7741, to be handed in with the parcel.",
    ],
    stderr: "",
    code: 0,
  });
});
