import { describe, expect, it } from "vitest";

import { readConformanceFile } from "../../support/conformance-files.ts";
import { fold } from "../../support/fold.ts";

interface Case {
  readonly id: string;
  readonly name: string;
  readonly events: readonly Record<string, unknown>[];
  readonly expected: Record<string, unknown>;
}

const cases = JSON.parse(readConformanceFile("append_event.json")) as readonly Case[];
const NEW_MESSAGE = {
  name: "A",
  role: "assistant",
  id: "r1",
  metadata: {},
  created_at: "T0",
  usage: null,
  finished_at: null,
  finished_reason: null,
  structured_output: null,
  error: null,
};

/** The placeholders of the cases stand for any string. */
function withPlaceholders(value: unknown): unknown {
  if (value === "<gen>" || value === "<ts>") return expect.any(String);
  if (Array.isArray(value)) return value.map(withPlaceholders);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withPlaceholders(member)]),
  );
}

describe("appendEvent, case by case as observed on the reference", () => {
  it("has all cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(28);
  });

  it.each(cases.map((row) => [`${row.id} ${row.name}`, row] as const))("%s", (_title, row) => {
    const message = fold(row.events);

    expect(message).toEqual({
      ...NEW_MESSAGE,
      ...(withPlaceholders(row.expected) as Record<string, unknown>),
    });
  });
});
