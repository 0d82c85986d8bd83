// Tells the model which of its tools are missing, so that it neither looks for them nor pretends to have used them.
import type { Ability } from "../ability.ts";

/** @param missing A sentence of the platform's for each source of tools that has none in this reply. */
export function missingToolsAbility(missing: () => readonly string[]): Ability {
  return {
    name: "missing_tools",
    hint: {
      source: "missing_tools",
      // A later reply finds out anew.
      outlivesReply: false,
      text() {
        const sentences = missing();
        if (sentences.length === 0) return null;
        const list = sentences.map((sentence) => `- ${sentence}`).join("\n");
        return `Tools of yours are missing in this reply:\n${list}\nDo without them, and say so where it matters.`;
      },
    },
  };
}
