// The table of dialects: names and cursors.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import {
  DIALECTS,
  dialectOf,
  EVENT_FORMATS,
  MESSAGE_FORMATS,
  type DialectCursor,
  type EventFormat,
} from "../../../protocol/dialects/dialects.ts";
import {
  AnswerFormatSchema,
  EventFormatSchema,
  MESSAGE_FORMAT_WORDS,
  MessageFormatSchema,
} from "../../../protocol/schemas/event-format.ts";

const CURSORS: readonly DialectCursor[] = [
  { seq: 0, part: null },
  { seq: 7, part: null },
  { seq: 7, part: 0 },
  { seq: 7, part: 1 },
  { seq: Number.MAX_SAFE_INTEGER, part: 9_999 },
];
const NO_CURSORS = [
  "",
  "x",
  "-1",
  "1.",
  ".1",
  "1.01",
  "1.10000",
  "1.1.1",
  "9007199254740992",
  "1e3",
];
const PARTS = {
  agentscope: [],
  "agentscope-java": [1, 9_999],
  "ag-ui": [0, 1, 9_999],
  a2a: [0, 1, 9_999],
};

it("are the formats of a request, the log's own when it names none", () => {
  expect(EventFormatSchema.unwrap().options).toEqual(["agentscope", "agentscope-java", "ag-ui"]);
  expect(EventFormatSchema.parse(undefined)).toBe("agentscope");
});

it("of stored messages are those in which they can be read, without a stream's", () => {
  expect(MessageFormatSchema.unwrap().options).toEqual([
    "agentscope",
    "agentscope-1",
    "agentscope-java",
  ]);
  expect(MessageFormatSchema.parse(undefined)).toBe("agentscope");
  expect(AnswerFormatSchema.unwrap().options).toEqual([
    "agentscope",
    "agentscope-1",
    "agentscope-java",
    "ag-ui",
  ]);
  const asked = (format: string) => MessageFormatSchema.safeParse(format).error?.issues[0]?.message;
  expect(asked("ag-ui")).toBe(
    "ag-ui has no form of stored messages, only a stream: ask for the events with `Accept: text/event-stream`",
  );
  expect(asked("a2a")).toContain("Invalid option");
});

it.each(MESSAGE_FORMATS)("%s is named in the docs as a form of messages", (format) => {
  expect(MESSAGE_FORMAT_WORDS).toContain(`\`${format}\``);
  if (format === "agentscope") return;
  expect(readFileSync("docs/api.md", "utf8")).toContain(`?format=${format}\``);
});

describe.each(withEvents())("%s", (format) => {
  const { cursor } = dialectOf(format);

  it("reads the cursors that it writes, and no others", () => {
    const parts: readonly (number | null)[] = [null, ...PARTS[format]];
    for (const { seq, part } of CURSORS) {
      const read = parts.includes(part) ? { seq, part } : null;
      expect(cursor.read(cursor.write(seq, part))).toEqual(read);
    }
    expect(NO_CURSORS.map(cursor.read)).toEqual(NO_CURSORS.map(() => null));
  });

  it("is named in the docs, and where the API describes the parameter, if requests may name it", () => {
    if (!dialectOf(format).isOffered) return;
    expect(describedFormats()).toContain(`\`${format}\``);
    if (format === "agentscope") return;
    expect(readFileSync("docs/api.md", "utf8")).toContain(`\`?format=${format}\``);
  });
});

function withEvents(): readonly EventFormat[] {
  return Object.keys(DIALECTS).filter(
    (name): name is EventFormat => DIALECTS[name as keyof typeof DIALECTS].hasEvents,
  );
}

/** The description of `format` in the document of the API. */
function describedFormats(): string {
  const { components } = JSON.parse(readFileSync("test/fixtures/golden/openapi.json", "utf8")) as {
    components: {
      parameters: Record<string, { description: string; schema: { enum?: string[] } }>;
    };
  };
  const found = Object.values(components.parameters).find(
    ({ schema }) => schema.enum?.join() === EVENT_FORMATS.join(),
  );
  return found?.description ?? "";
}
