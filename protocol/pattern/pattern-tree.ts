// Syntax tree of a JSON Schema regular expression. Character classes keep the runtime's own syntax.

export type PatternNode =
  /** Exactly this character, by its code point. */
  | { readonly type: "character"; readonly codePoint: number }
  /** One character out of a set: `.`, `\d`, `\p{L}`, `[^a-z]`. */
  | { readonly type: "set"; readonly source: string }
  | { readonly type: "assertion"; readonly holds: "start" | "end" | "word" | "no_word" }
  /** Lookahead or lookbehind, positive or negative; consumes nothing. */
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
 * Number of states of the automaton for this tree with repetitions expanded: a choice adds one and one per option, a
 * repetition one per copy and one for the loop.
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
