// Permission decisions per second with the maximum number of rules.
import type { Cell } from "../cell.ts";
import { countDecisions, RULE_BOOKS } from "../permission-decisions.ts";

const RULES = 1_000;
const MIN_DECISIONS = 1_000;

export const permissions: Cell = {
  name: "permissions",
  title: `decisions in a second of processor time, under ${RULES.toLocaleString("en-US")} rules that do not match`,
  isQuick: true,
  async run({ rounds }) {
    return RULE_BOOKS.map((book) => ({
      name: `${book.syntax}: ${book.name}`,
      unit: "per second",
      samples: { reprise: Array.from({ length: rounds }, () => countDecisions(book, RULES)) },
      targets: [{ type: "value", min: MIN_DECISIONS }],
    }));
  },
};
