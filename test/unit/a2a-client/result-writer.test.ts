// The result of a call as it grows with what an agent says of its artifacts.
import { describe, expect, it } from "vitest";

import { ResultWriter, type WrittenOutput } from "../../../agent/a2a/result-writer.ts";
import type { A2aPart } from "../../../protocol/a2a/wire.ts";

const PNG = { raw: "iVBORw0KGgo=", mediaType: "image/png" };

/** An update of an artifact, or a whole task. */
type Told =
  | { readonly id: string; readonly parts: readonly A2aPart[]; readonly append?: boolean }
  | { readonly task: Readonly<Record<string, readonly A2aPart[]>> };

function written(told: readonly Told[], before: WrittenOutput = []): readonly string[] {
  const writer = new ResultWriter("call_1", before);
  const chunks = told.flatMap((one) => {
    if ("task" in one) {
      const artifacts = Object.entries(one.task).map(([artifactId, parts]) => ({
        artifactId,
        parts,
      }));
      return writer.task({ artifacts });
    }
    const artifact = { artifactId: one.id, name: one.id, parts: one.parts };
    const append = one.append ?? false;
    return writer.update({ taskId: "t", contextId: "c", artifact, append });
  });
  return [...chunks, "end" as const, ...writer.end()].map((chunk) => {
    if (chunk === "end") return "|";
    return chunk.type === "text" ? chunk.delta : `${chunk.media_type} ${chunk.block_id}`;
  });
}

const text = (said: string): A2aPart => ({ text: said });

describe("artifacts of an agent", () => {
  it.each<[string, readonly Told[], readonly string[]]>([
    [
      "that stream are told as they come",
      [
        { id: "a", parts: [text("Hel")] },
        { id: "a", parts: [text("lo")], append: true },
      ],
      ["Hel", "lo", "|"],
    ],
    [
      "that come again as a whole are told once",
      [{ id: "a", parts: [text("Hel")] }, { task: { a: [text("Hel"), text("lo")] } }],
      ["Hel", "lo", "|"],
    ],
    [
      "that follow each other stand apart",
      [
        { id: "a", parts: [text("One")] },
        { id: "b", parts: [text("Two")] },
      ],
      ["One", "\n\nTwo", "|"],
    ],
    [
      "that grow behind another one are told at the end",
      [
        { id: "a", parts: [text("One")] },
        { id: "b", parts: [text("Two")] },
        { id: "a", parts: [text(" more")], append: true },
      ],
      ["One", "\n\nTwo", "|", "\n\n more"],
    ],
    [
      "that are changed are told again at the end",
      [
        { id: "a", parts: [text("Wrong")] },
        { id: "a", parts: [text("Right")] },
      ],
      ["Wrong", "|", '\n\n[changed by the agent: "a"]\nRight'],
    ],
    [
      "have media, data and links",
      [
        {
          id: "a",
          parts: [
            text("See"),
            PNG,
            { data: { n: 1 } },
            { url: "https://a.example/f", filename: "f" },
          ],
        },
      ],
      ["See", "image/png call_1_a2a_0_1", '{"n":1}\n\n[file "https://a.example/f": "f"]\n', "|"],
    ],
    [
      "of bytes without a type that can be shown are named",
      [{ id: "a", parts: [{ raw: "AAAA", mediaType: "no type" }] }],
      ['[left out: bytes of type "no type"]\n', "|"],
    ],
  ])("%s", (_, told, expected) => {
    expect(written(told)).toEqual(expected);
  });

  it.each<[string, WrittenOutput, readonly string[]]>([
    ["nothing", [], ["One", "\n\nTwo", "image/png call_1_a2a_1_1", "|"]],
    [
      "a part of a text",
      [{ type: "text", text: "On" }],
      ["e", "\n\nTwo", "image/png call_1_a2a_1_1", "|"],
    ],
    ["one artifact", [{ type: "text", text: "One" }], ["\n\nTwo", "image/png call_1_a2a_1_1", "|"]],
    [
      "all of it",
      [
        { type: "text", text: "One\n\nTwo" },
        { type: "data", id: "call_1_a2a_1_1" },
      ],
      ["|"],
    ],
    [
      "something else",
      [{ type: "text", text: "Four" }],
      ["\n\nOne", "\n\nTwo", "image/png call_1_a2a_1_1", "|"],
    ],
  ])("are told from where an earlier execution has written %s", (_, before, expected) => {
    expect(written([{ task: { a: [text("One")], b: [text("Two"), PNG] } }], before)).toEqual(
      expected,
    );
  });
});

it("a text of many pieces costs what its length does", () => {
  const writer = new ResultWriter("call_1");
  let characters = 0;
  for (let index = 0; index < 100_000; index += 1) {
    const artifact = { artifactId: "a", parts: [text("twenty characters...")] };
    const chunks = writer.update({ taskId: "t", contextId: "c", artifact, append: true });
    characters += chunks.reduce(
      (sum, one) => sum + (one.type === "text" ? one.delta.length : 0),
      0,
    );
  }

  expect(characters).toBe(2_000_000);
});

it("artifacts beyond the bound are left out", () => {
  const writer = new ResultWriter("call_1");
  const chunks = Array.from({ length: 300 }, (_, index) => {
    const artifact = { artifactId: `a${index}`, parts: [text("x")] };
    return writer.update({ taskId: "t", contextId: "c", artifact, append: true });
  }).flat();

  expect(chunks).toHaveLength(256);
});
