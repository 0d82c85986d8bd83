// Frames of stored logs in each format, byte for byte. The logs are the files `agentscope.txt`; the other files are what
// translators make of them, written anew by `npx vitest run --project unit test/unit/golden -u`.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import type { AgUiOptions } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { EventType } from "../../../protocol/event-type.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { createSseDecoder, encodeEventFrame, encodeFrame } from "../../../protocol/sse.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";

const GOLDEN = new URL("../../fixtures/golden/", import.meta.url);
const LOGS = [
  "every-kind",
  "session-1",
  "session-2",
  "session-3",
  "session-4",
  "disorder-1",
  "disorder-2",
  "disorder-3",
];
const FORMATS: Readonly<Record<string, (log: readonly LoggedEvent[]) => string>> = {
  agentscope: (log) => log.map(encodeEventFrame).join(""),
  "agentscope-java": javaFrames,
  "ag-ui": (log) => agUiFrames(log, { profile: "1.0" }),
  "ag-ui-0.0": (log) => agUiFrames(log, { profile: "0.0" }),
};

describe.each(LOGS)("the log %s", (name) => {
  const log = readLog(name);

  it.each(Object.entries(FORMATS))("has the same bytes in %s", async (format, framesOf) => {
    await expect(framesOf(log)).toMatchFileSnapshot(pathOf(name, format));
  });

  it("is read as it is written", () => {
    expect(log.map((event) => ({ ...parseEvent(event), seq: event.seq }))).toEqual(log);
  });
});

it("holds every type of event", () => {
  const types = new Set(readLog("every-kind").map(({ type }) => type));
  expect([...types].toSorted()).toEqual(Object.keys(EventType).toSorted());
});

it("has all of its files", () => {
  const files = readdirSync(GOLDEN, { recursive: true, encoding: "utf8" });
  const frames = LOGS.flatMap((name) =>
    Object.keys(FORMATS).map((format) => `frames/${name}/${format}.txt`),
  );
  expect(files.filter((file) => /\.\w+$/.test(file)).toSorted()).toEqual(
    [
      ...frames,
      "README.md",
      "crash-writes.json",
      "errors/every-code.txt",
      "errors/through-the-door.txt",
      "openapi.json",
      "schema/database.sql",
      "schema/memory.sql",
      "schema/migrated-session.sql",
      "schema/new-session.sql",
      "schema/room.sql",
      "schema/search.sql",
      "schema/tenant.sql",
      "schema/trigger.sql",
      "session/answers.txt",
      ...Object.keys(FORMATS).map((format) => `session/${format}.txt`),
    ].toSorted(),
  );
});

function pathOf(name: string, format: string): string {
  return new URL(`frames/${name}/${format}.txt`, GOLDEN).pathname;
}

function readLog(name: string): LoggedEvent[] {
  const frames = createSseDecoder().push(readFileSync(pathOf(name, "agentscope"), "utf8"));
  return frames.map(({ data }) => JSON.parse(data) as LoggedEvent);
}

function javaFrames(log: readonly LoggedEvent[]): string {
  const translator = createJavaTranslator();
  return log
    .flatMap((event) => {
      const events = translator.translate(event);
      return events.map((each, index) => {
        const id = events.length === 1 ? event.seq : `${event.seq}.${index + 1}`;
        return encodeFrame(id, each.type, JSON.stringify(each));
      });
    })
    .join("");
}

/** As a stream has them, then those of a client that joins at the end. */
function agUiFrames(log: readonly LoggedEvent[], options: AgUiOptions): string {
  const translator = sessionTranslator(log, { ...options, hasRawMembers: false });
  const encode = ({ seq, k, event }: AgUiFrame) =>
    encodeFrame(`${seq}.${k}`, event.type, JSON.stringify(event));
  const frames = [...log.flatMap((event) => translator.push(event)), ...translator.flush()];
  const joined = translator
    .join()
    .map((event) => encodeFrame("", event.type, JSON.stringify(event)));
  return [...frames.map(encode), ...joined].join("");
}
