// docs/mistakes.md is made of the platform's own answers: a changed word changes the page, and the test says so.
// `npx vitest run --project conformance test/conformance/agents/mistakes.test.ts -u` writes it.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { openMistakeWorld, type MistakeWorld } from "../../support/mistake-world.ts";
import { MISTAKES, type Mistake } from "../../support/mistakes.ts";
import { request } from "../../support/platform-client.ts";

const GENERATED = "<!-- mistakes: written by `test/conformance/agents/mistakes.test.ts` -->";
const END = "<!-- end of the mistakes -->";

const INTRODUCTION = `# Typical mistakes

Requests that go wrong at the beginning, with what the platform answers. \`code\` is meant for programs and stays the same;
the words are for people and may become better. Each invalid place is named by a JSON pointer in \`errors\`; the SDK has
the first one in \`ApiError.message\`. Ids are shortened here.

This page is written by \`test/conformance/agents/mistakes.test.ts\`, which sends each of these requests and compares every word.
`;

async function answerTo(
  mistake: Mistake,
  world: MistakeWorld,
): Promise<Problem & { status: number }> {
  const { method, path, body, send, options } = mistake;
  const { key } = world;
  const sent = send ? send(world) : body;
  const { status, body: problem } = await request<Problem>(method, path(world), {
    key,
    ...(sent !== undefined && { body: sent }),
    ...options?.(world),
  });
  return { ...problem, status };
}

function rowOf({ what, method, shown, body, remedy }: Mistake, problem: Problem): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const asked =
    text === undefined || text === "" ? `${method} ${shown}` : `${method} ${shown} ${text}`;
  const places = (problem.errors ?? [])
    .filter(({ detail }) => detail !== problem.detail)
    .map(({ pointer, detail }) => `\`${pointer}\`: ${plain(detail)}`);
  const words = [plain(problem.detail), ...places].join("<br>");
  return `| ${what}: \`${asked.replaceAll("|", "\\|")}\` | ${problem.status} \`${problem.code}\` | ${words} | ${remedy} |`;
}

/** Words as text of a table: ids are shortened, and nothing in them is markup but code. */
function plain(words: string): string {
  return words
    .replace(/\b([a-z]{3,4})_[0-9a-hjkmnp-tv-z]{26}\b/g, "$1_…")
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll("*", "\\*");
}

it("the page of mistakes has the platform's own words for each of them", BROAD, async () => {
  const world = await openMistakeWorld();
  const rows: string[] = [];
  for (const mistake of MISTAKES) {
    // One after another: some are about the same session.
    const problem = await answerTo(mistake, world);
    expect([mistake.what, problem.status >= 400 && problem.status < 500]).toEqual([
      mistake.what,
      true,
    ]);
    rows.push(rowOf(mistake, problem));
  }
  expect(rows.length).toBeGreaterThanOrEqual(40);

  const head = "| Mistake | Answer | Words | What to do |\n|---|---|---|---|";
  const table = [GENERATED, "", head, ...rows, "", END].join("\n");
  await expect(`${INTRODUCTION}\n${table}\n`).toMatchFileSnapshot("../../../docs/mistakes.md");
});
