// The gate of `npm run check` for the sizes of pages, paragraphs and cells of docs/.
import { describe, expect, test } from "vitest";

import { measureDocs } from "../../../scripts/measure-docs.ts";

const SENTENCE = "A sentence of forty characters, and more. ";
const NONE = { pages: 0, paragraphs: 0, cells: 0 };

function measure(text: string) {
  return measureDocs(new Map([["docs/page.md", text]]));
}

describe("what is too long is counted and named", () => {
  test.each<[string, string, Partial<typeof NONE>]>([
    ["a page", `# Page\n\n${`${SENTENCE}\n\n`.repeat(500)}`, { pages: 1 }],
    ["a paragraph", SENTENCE.repeat(16), { paragraphs: 1 }],
    ["a paragraph of several lines", `${SENTENCE}\n`.repeat(16), { paragraphs: 1 }],
    ["an item of a list", `- short\n- ${SENTENCE.repeat(16)}`, { paragraphs: 1 }],
    ["a paragraph in an item", `1. short\n\n   ${SENTENCE.repeat(16)}`, { paragraphs: 1 }],
    ["a cell", `| a | b |\n|---|---|\n| c | ${SENTENCE.repeat(6)} |`, { cells: 1 }],
    ["a cell of the head", `| a | ${SENTENCE.repeat(6)} |\n|---|---|\n| c | d |`, { cells: 1 }],
  ])("%s", (_what, text, long) => {
    const found = measure(text);

    expect(found.long).toEqual({ ...NONE, ...long });
    expect(found.problems).toEqual([expect.stringMatching(/^docs\/page\.md/)]);
  });
});

test("code, short texts and what a program has written are not", () => {
  const table = `| a |\n|---|\n| ${SENTENCE.repeat(600)} |`;
  const generated = `<!-- bounds: written by \`npm run x\` -->\n\n${table}\n\n<!-- end of the bounds -->`;
  const text = `# Page\n\n${SENTENCE.repeat(14)}\n\n\`\`\`sh\n${SENTENCE.repeat(20)}\n\`\`\`\n\n${generated}\n`;

  expect(measure(text)).toEqual({ long: NONE, problems: [] });
});
