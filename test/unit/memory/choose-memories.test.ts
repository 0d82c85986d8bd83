// The choice among the memories that a model proposes, and the reading of what it has written.
import { describe, expect, it } from "vitest";

import { chooseMemories } from "../../../agent/memory/choose-memories.ts";
import { readMemories } from "../../../agent/memory/read-memories.ts";
import {
  MAX_MEMORIES_A_RECORDING,
  MAX_NEW_MEMORY_CHARACTERS,
} from "../../../protocol/memory/limits.ts";

const PROMPT =
  "You are the refund desk of Lamplight. You are friendly and precise. Look every order up before you promise anything.";
const KNOWN = [
  { id: "mem_1", content: "The user lives in Lisbon." },
  { id: "mem_2", content: "用户喜欢喝绿茶。" },
];

function chosen(...proposed: readonly (string | readonly [string, string])[]) {
  const memories = proposed.map((one) =>
    typeof one === "string"
      ? { content: one, supersedes: null }
      : { content: one[0], supersedes: one[1] },
  );
  return chooseMemories(memories, { prompt: PROMPT, known: KNOWN });
}

describe("proposed memories", () => {
  it("are taken with the memory that they supersede", () => {
    expect(chosen("The user has a dog.", ["The user lives in Porto now.", "mem_1"])).toEqual([
      { content: "The user has a dog.", supersedes: null },
      { content: "The user lives in Porto now.", supersedes: "mem_1" },
    ]);
  });

  it("are none that say what the prompt says, in other case or punctuation, or in part", () => {
    expect(
      chosen(
        PROMPT,
        "you are friendly, and precise!",
        "You must look every order up before you promise anything.",
      ),
    ).toEqual([]);
  });

  it("are none that a known memory says already, in any script, whatever they supersede", () => {
    expect(
      chosen("the user lives in Lisbon", "lives in Lisbon", "用户喜欢喝绿茶", [
        "The user lives in LISBON!",
        "mem_1",
      ]),
    ).toEqual([]);
    expect(chosen("用户喜欢喝咖啡。")).toEqual([{ content: "用户喜欢喝咖啡。", supersedes: null }]);
  });

  it("are none that another one says already", () => {
    expect(chosen("The user has a dog.", "The user has a dog", "has a dog")).toEqual([
      { content: "The user has a dog.", supersedes: null },
    ]);
  });

  it("supersede nothing that the model was not shown, and each memory once", () => {
    expect(
      chosen(
        ["The user has a cat.", "mem_9"],
        ["The user lives in Porto.", "mem_1"],
        ["The user works from Madrid.", "mem_1"],
      ),
    ).toEqual([
      { content: "The user has a cat.", supersedes: null },
      { content: "The user lives in Porto.", supersedes: "mem_1" },
      { content: "The user works from Madrid.", supersedes: null },
    ]);
  });

  it("are bounded in number and length, and never empty", () => {
    const many = Array.from({ length: 40 }, (_, index) => `Fact number ${index} of the user.`);
    const long = "Long ".repeat(MAX_NEW_MEMORY_CHARACTERS);

    expect(chosen(...many)).toHaveLength(MAX_MEMORIES_A_RECORDING);
    expect(chosen(long, " ", "…", "")).toEqual([]);
  });
});

describe("a model's answer", () => {
  const one = (content: string, supersedes: string | null = null) => ({ content, supersedes });

  it("is read in a fence, cut off, or as a list of texts", () => {
    const mixed =
      '{"memories": ["A.", 7, {"content": 8}, {"content": "B.", "supersedes": ["mem_2"]}]}';

    expect(readMemories('```json\n{"memories": [{"content": "A."}]}\n```')).toEqual({
      ok: true,
      memories: [one("A.")],
    });
    expect(readMemories('{"memories": [{"content": "A.", "supersedes": "mem_1"}, {"con')).toEqual({
      ok: true,
      memories: [one("A.", "mem_1")],
    });
    expect(readMemories(mixed)).toEqual({ ok: true, memories: [one("A."), one("B.", "mem_2")] });
    expect(readMemories('{"memories": []}')).toEqual({ ok: true, memories: [] });
  });

  it("that names no memories has a problem", () => {
    expect(readMemories("")).toEqual({ ok: false, problem: "has no list of memories" });
    expect(readMemories("Nothing to remember.").ok).toBe(false);
    expect(readMemories('{"memories": {"content": "A."}}').ok).toBe(false);
    expect(readMemories(`{"memories": ${"[".repeat(5_000)}`).ok).toBe(false);
  });
});
