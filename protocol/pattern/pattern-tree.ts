// A regular expression of JSON Schema as a tree. What one character is or is not stays in the runtime's own syntax.

export type PatternNode =
  /** Exactly this character, by its code point. */
  | { readonly type: "character"; readonly codePoint: number }
  /** One character out of a set: `.`, `\d`, `\p{L}`, `[^a-z]`. */
  | { readonly type: "set"; readonly source: string }
  | { readonly type: "assertion"; readonly holds: "start" | "end" | "word" | "no_word" }
  /** What stands before or behind this place, or does not; nothing is taken. */
  | {
      readonly type: "look";
      readonly isAhead: boolean;
      readonly isNegative: boolean;
      readonly part: PatternNode;
    }
  | { readonly type: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly type: "choice"; readonly options: readonly PatternNode[] }
  | {
      readonly type: "repeat";
      readonly part: PatternNode;
      readonly min: number;
      /** `Infinity` without an upper bound. */
      readonly max: number;
    };

/**
 * States of a machine that takes what the tree takes, with its repetitions written out: a choice has one to leave to
 * and one to come back from each option, a repetition one for each copy and one to go round.
 */
export function countStates(node: PatternNode): number {
  switch (node.type) {
    case "character":
    case "set":
    case "assertion":
      return 1;
    case "look":
      return 2 + countStates(node.part);
    case "sequence":
      return sum(node.parts);
    case "choice":
      return sum(node.options) + 2 * node.options.length;
    case "repeat": {
      const { part, min, max } = node;
      const copies = max === Infinity ? Math.max(min, 1) : max;
      return copies * (countStates(part) + 1) + 1;
    }
    default:
      return node satisfies never;
  }
}

function sum(nodes: readonly PatternNode[]): number {
  return nodes.reduce((total, node) => total + countStates(node), 0);
}
