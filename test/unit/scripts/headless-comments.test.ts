// The gate that lists comments without a head.
import { expect, test } from "vitest";

import { findHeadlessComments } from "../../../scripts/headless-comments.ts";

const DOUBTFUL = `
/** What leaves the context. */
export const left = 1;

/**
 * They wait for the connection.
 */
export const waiting = 2; // Which is held.

// Messages that left the context.
// It is read once.
/* Those of a session. */
`;

test("each comment that begins without a noun is listed with its line", () => {
  expect(findHeadlessComments("agent/doubtful.ts", DOUBTFUL)).toEqual([
    "agent/doubtful.ts:2 What leaves the context.",
    "agent/doubtful.ts:5 They wait for the connection.",
    "agent/doubtful.ts:8 Which is held.",
    "agent/doubtful.ts:12 Those of a session.",
  ]);
});

test.each([
  ["a noun", "/** Messages that left the context. */"],
  ["a word that only begins so", "// Its owner.\n\n/** However long. */"],
  ["a string", 'const text = "// What is this";'],
  ["a template", "const text = `/** ${`// It is`} */`;"],
  ["a regular expression", "const pattern = /[/*] What/;"],
  ["a tag's text", "const tag = <p>https://What.example</p>;"],
  ["a line that goes on with a comment", "// Messages\n  // which left the context."],
])("%s is not listed", (_name, source) => {
  expect(findHeadlessComments("agent/good.tsx", source)).toEqual([]);
});

test("a comment behind code ends with its line", () => {
  const source = "const a = 1; // Kept.\n// It is read once.\n// Which no one sees.";

  expect(findHeadlessComments("agent/good.ts", source)).toEqual([
    "agent/good.ts:2 It is read once.",
  ]);
});
