// The examples of rooms run against the platform, and check themselves.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, inject, test } from "vitest";

import { createTenant } from "../../support/platform-client.ts";

async function run(example: string) {
  const { key } = await createTenant();
  const environment = { API_KEY: key, AGENT_ID: "none", BASE_URL: inject("baseUrl") };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [example], {
    env: { ...process.env, ...environment },
  });
  return { lines: stdout.trim().split("\n"), stderr };
}

test("examples/rooms.ts debates with a person, who is waited for, and goes on in another room", async () => {
  const { lines, stderr } = await run("examples/rooms.ts");

  expect(stderr).toBe("");
  expect(lines).toEqual([
    "✓ the room waits for: waiting Mia",
    "✓ the room waits for: waiting Mia",
    "✓ the debate ends: completed",
    "✓ who spoke, in order: Ada, Bo, Mia, Judge, Ada, Bo, Mia, Judge",
    "✓ what Mia says is hers: Mia: I live on the third floor.",
    "✓ the judge has the last word: Judge: So the customer decides",
    "✓ Mia cannot speak as Ada: speaks as Mia alone",
    "✓ states by name: Ada, Bo, Judge",
    "✓ a missing name is refused: agents of the room",
    "✓ the loaded room goes on: Judge: Closed.",
    "✓ and has what was said before: Bo: It rains, and things get lost.",
  ]);
});

test("examples/saved-sessions.ts saves the agents of a session to a file, and loads them by their names", async () => {
  const { lines, stderr } = await run("examples/saved-sessions.ts");

  expect(stderr).toBe("");
  expect(lines).toEqual([
    "✓ both answer: friday: I am Friday.; jarvis: I am Jarvis.",
    "✓ the loaded session has what was said: user: Hello!; friday: I am Friday.",
    "✓ and goes on: friday: Friday, still.; jarvis: And Jarvis.",
    "✓ other names are refused: agents of the room",
    "✓ the initial state is empty: 0",
  ]);
});

test("examples/speaking-room.ts talks with two agents, who end together", async () => {
  const { lines, stderr } = await run("examples/speaking-room.ts");

  expect(stderr).toBe("");
  expect(lines).toEqual([
    "✓ both agents were started: Agent1, Agent2",
    "✓ the first has spoken: Agent1: Hello, I am the first.",
    "✓ the second has heard it: Agent2: And I am the second.",
    "✓ all end together: Agent1 stopped, Agent2 stopped, in order",
    "✓ both were heard: Agent1, Agent2",
  ]);
});
