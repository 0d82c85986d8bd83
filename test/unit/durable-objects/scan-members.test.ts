import fc from "fast-check";
import { expect, it } from "vitest";

import { outlineOf } from "../../../durable-objects/bytes/outline-of.ts";
import { scanMembers } from "../../../durable-objects/bytes/scan-members.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import { MAX_SHOWN_MESSAGE_BYTES } from "../../../protocol/requests/limits.ts";
import { omitContent } from "../../../protocol/messages/omitted.ts";

function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += size) pieces.push(text.slice(from, from + size));
  return pieces;
}

it("the members of an object are found wherever its text is cut", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })),
      fc.integer({ min: 1, max: 20 }),
      (value, size) => {
        const text = JSON.stringify(value);

        const members = [...scanMembers(cut(text, size), Infinity)];

        const read = members.map(([name, member]) => [name, JSON.parse(member) as unknown]);
        expect(read).toEqual(Object.entries(JSON.parse(text) as object));
      },
    ),
  );
});

it("a member that is too long is left out, and those behind it are found", () => {
  const text = JSON.stringify({ a: "x".repeat(50), b: [1], ["c".repeat(60)]: 1, d: { a: '\\"}' } });

  expect([...scanMembers(cut(text, 7), 40)]).toEqual([
    ["b", "[1]"],
    ["d", '{"a":"\\\\\\"}"}'],
  ]);
});

it("an outline that was read is the one that the message itself gives", () => {
  const message = UserMsg({ id: "m", name: "user", content: 'a "b" {[,:]} \\ '.repeat(100_000) });
  const bytes = new TextEncoder().encode(JSON.stringify(message));

  const outline = outlineOf([bytes.subarray(0, 999), bytes.subarray(999)], MAX_SHOWN_MESSAGE_BYTES);

  expect(outline).toEqual(omitContent(message, MAX_SHOWN_MESSAGE_BYTES));
});
