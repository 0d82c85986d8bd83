// Markdown that grows: what has ended stays as it is, and nothing of the text is lost.
import { expect, test } from "vitest";

import { GrowingText } from "../../../console/pages/playground/chat/growing-text.ts";

const DOCUMENT = `# A title

A paragraph with **bold** words,
over two lines.

- one

- two

  with more of it

\`\`\`ts
const blank = 1;

const line = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

The end.`;

/** The parts and the tail after each letter. */
function grow(text: string, step = 1) {
  const growing = new GrowingText();
  const seen = [];
  for (let end = step; end < text.length; end += step)
    seen.push(growing.take(text.slice(0, end), true));
  return { seen, last: growing.take(text, false) };
}

test("the parts are the text, and what is a part stays one", () => {
  const { seen, last } = grow(DOCUMENT.repeat(3).replaceAll("The end.", "The end.\n\n"));
  const whole = DOCUMENT.repeat(3).replaceAll("The end.", "The end.\n\n");

  seen.forEach(({ parts, tail }, index) => {
    expect(parts.join("") + tail).toBe(whole.slice(0, index + 1));
    expect(last.parts.slice(0, parts.length)).toEqual(parts);
  });
  expect([last.parts.join(""), last.tail]).toEqual([whole, ""]);
  expect(seen.at(-1)?.parts.length).toBeGreaterThan(10);
});

test("a block with empty lines in it is one part: a list, code", () => {
  const { last } = grow(DOCUMENT);

  expect(last.parts.map((part) => part.trim().split("\n")[0])).toEqual([
    "# A title",
    "A paragraph with **bold** words,",
    "- one",
    "```ts",
    "| a | b |",
    "The end.",
  ]);
});

test("a text that is replaced by another one is read anew", () => {
  const growing = new GrowingText();
  const long = "First words.\n\nSecond words. ".repeat(40);
  expect(growing.take(long, true).parts.length).toBeGreaterThan(1);

  expect(growing.take("Checked.", false)).toEqual({
    parts: ["Checked."],
    tail: "",
    isTailPlain: false,
  });
});

test("a text with a definition of a link is one part when it has ended, since each part may use it", () => {
  const text = "See [the shop].\n\nMore.\n\n[the shop]: https://shop.example\n";

  expect(grow(text).last.parts).toEqual([text]);
});

test("a block without an end stays the tail, and is plain once it is long", () => {
  const growing = new GrowingText();
  const text = "word ".repeat(20_000);
  for (let end = 0; end < text.length; end += 20) {
    const whole = text.slice(0, end);
    expect(growing.take(whole, true)).toEqual({ parts: [], tail: whole, isTailPlain: end > 3_000 });
  }
});
