// Sums of what an answer to many calls decides about: money by currency, other quantities by their title.
import { decimalsOf, type Fact } from "./call-facts.ts";
import { addDecimals, decimalText, type Decimal } from "./decimal.ts";

export interface Sum {
  /** Title of the field. */
  readonly label: string;
  readonly currency: string | null;
  /** With its currency. */
  readonly text: string;
  /** Calls that have it. */
  readonly calls: number;
}

interface CallsSum {
  /** Money first, then what most calls have. */
  readonly sums: readonly Sum[];
  /** Calls by tool, the most frequent first. */
  readonly tools: readonly (readonly [toolName: string, calls: number])[];
  /** Calls whose input cannot be read here: nothing of them is in the sums. */
  readonly unread: number;
}

interface CallToSum {
  readonly toolName: string;
  readonly facts: readonly Fact[] | null;
}

export function sumCalls(calls: readonly CallToSum[]): CallsSum {
  const totals = new Map<string, { fact: Fact; value: Decimal; calls: number }>();
  const tools = new Map<string, number>();
  let unread = 0;
  for (const { toolName, facts } of calls) {
    tools.set(toolName, (tools.get(toolName) ?? 0) + 1);
    if (facts === null) unread += 1;
    for (const fact of facts ?? []) {
      if (!fact.amount) continue;
      const { value, currency } = fact.amount;
      const key = JSON.stringify([fact.label, currency]);
      const known = totals.get(key);
      totals.set(key, {
        fact,
        value: known ? addDecimals(known.value, value) : value,
        calls: (known?.calls ?? 0) + 1,
      });
    }
  }
  const sums = [...totals.values()].map(({ fact, value, calls: count }): Sum => {
    const currency = fact.amount?.currency ?? null;
    const text =
      currency === null
        ? decimalText(value)
        : `${decimalText(value, decimalsOf(currency))} ${currency}`;
    return { label: fact.label, currency, text, calls: count };
  });
  sums.sort(
    (one, other) =>
      Number(one.currency === null) - Number(other.currency === null) || other.calls - one.calls,
  );
  return { sums, tools: [...tools].sort(([, one], [, other]) => other - one), unread };
}
