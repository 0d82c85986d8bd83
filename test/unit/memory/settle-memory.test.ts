import { describe, expect, it } from "vitest";

import { comparableWords } from "../../../agent/memory/comparable-text.ts";
import { settleMemory } from "../../../agent/memory/settle-memory.ts";

const settled = (known: string, content: string) =>
  settleMemory(content, [{ id: "mem_1", content: known }]).kind;

const DUPLICATES = [
  ["The user lives in Berlin.", "the user lives in BERLIN"],
  ["The user lives in Berlin.", "User currently lives in Berlin!"],
  ["The user lives in Berlin with two cats.", "The user lives in Berlin"],
  ["Der Kunde wohnt in Köln.", "Kunde wohnt derzeit in Koln"],
  ["用户住在北京。", "用户住在北京"],
  ["!!!", "!!!"],
] as const;

const SUPERSEDED = [
  ["The user lives in Berlin.", "The user lives in Munich."],
  ["The user lives in Berlin.", "The user lives in Munich now, since March."],
  ["User's favourite colour is blue.", "The user's favourite colour is dark green"],
  ["The user's email is a@example.com", "The user's email is b@example.com"],
  ["The customer is 30 years old.", "The customer is 31 years old."],
  ["Der Kunde wohnt in Köln.", "Der Kunde wohnt jetzt in Bonn."],
  ["Die Kundin heißt Meier.", "Die Kundin heißt Schulz."],
  ["用户住在北京", "用户住在上海"],
  ["ユーザーは東京に住んでいます", "ユーザーは大阪に住んでいます"],
  ["The user is vegetarian.", "The user is not vegetarian."],
  ["The user does not eat fish.", "The user does eat fish."],
  ["The user lives in Berlin.", "The user lives in Berlin with two cats."],
] as const;

const BESIDE = [
  ["The user is allergic to nuts.", "The user is allergic to milk."],
  ["The user likes tea.", "The user likes coffee."],
  ["Anna lives in Berlin.", "Ben lives in Berlin."],
  ["Order 1007 was refunded.", "Order 1008 was refunded."],
  ["The user has a dog.", "The user's dog is called Rex."],
  ["Der Kunde mag Tee.", "Der Kunde mag Kaffee."],
  ["用户喜欢茶", "用户喜欢咖啡"],
  ["!!!", "???"],
] as const;

/** Milliseconds of the quickest of some runs. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

describe("a new memory", () => {
  it.each(DUPLICATES)("%j says already what %j does", (known, content) => {
    expect(settled(known, content)).toBe("duplicate");
  });

  it.each(SUPERSEDED)("%j is superseded by %j", (known, content) => {
    expect(settled(known, content)).toBe("supersedes");
  });

  it.each(BESIDE)("%j is kept beside %j", (known, content) => {
    expect(settled(known, content)).toBe("new");
  });

  it("is compared with all that are similar, and a duplicate goes before a contradiction", () => {
    const similar = [
      { id: "mem_1", content: "The user lives in Berlin." },
      { id: "mem_2", content: "The user lives in Munich." },
    ];

    expect(settleMemory("User lives in Munich", similar)).toEqual({
      kind: "duplicate",
      id: "mem_2",
    });
  });

  it("of one sign over and over costs little more than to split it and the similar ones", () => {
    const similar = Array.from({ length: 8 }, (_, index) => ({
      id: `mem_${index}`,
      content: `${"的".repeat(7_900)}${"一".repeat(index + 1)}`,
    }));
    const content = `${"的".repeat(4_000)}二`;
    const texts = [content, ...similar.map((one) => one.content)];

    const splitting = quickest(() => texts.forEach(comparableWords));
    const settling = quickest(() => settleMemory(content, similar));

    expect(settleMemory(content, similar)).toEqual({ kind: "new" });
    // Comparing each place with each costs some sixty times of it.
    expect(settling / splitting).toBeLessThan(16);
  });
});
