// The table of dialects: the formats in which a session's events and its stored messages can be read, and what readers of
// each may rely on. It is below the contracts, which take the names from here; translators are above them, and the
// session's object has them.

/** A reader's position: the last frame that it has. */
export interface DialectCursor {
  readonly seq: number;
  /** The number of that frame among those of its seq; null when the reader has all of them. */
  readonly part: number | null;
}

/** The form of a dialect's cursors, which are the ids of its frames and the values of `after` and `Last-Event-ID`. */
export interface CursorForm {
  /** The cursor of this text; null when it is none of the dialect. */
  readonly read: (text: string) => DialectCursor | null;
  /** @param part Null for the only frame of its seq. */
  readonly write: (seq: number, part: number | null) => string;
}

/** A query parameter that dialects have beside those of all streams. */
export type DialectParameter = "raw" | "profile";

/** An entry of the table. */
interface DialectOf<Page extends string> {
  /** The name of the format for people. */
  readonly title: string;
  /** Whether requests for events may name it; the others are parts of protocols that have routes of their own. */
  readonly isOffered: boolean;
  readonly cursor: CursorForm;
  /** The name of the request for its pages in the session's object; null for a dialect with streams alone. */
  readonly page: Page | null;
  /** Whether a reader without a cursor is shown what is there and open, in place of the log from its beginning. */
  readonly isJoined: boolean;
  /** Whether its streams may have the whole conversation and the shared state, also those of one reply. */
  readonly hasConversation: boolean;
  readonly parameters: readonly DialectParameter[];
  readonly hasEvents: true;
  /** Stored messages, replies and waiting calls can be read in it. */
  readonly hasMessages: boolean;
}

/** A dialect of stored messages alone: it has no events. */
interface MessageDialect {
  readonly title: string;
  readonly hasEvents: false;
  readonly hasMessages: true;
}

/** The log's own format comes first; it is the one of a request that names none. */
export const DIALECTS = {
  agentscope: {
    title: "AgentScope",
    isOffered: true,
    cursor: seqs(),
    page: "events",
    isJoined: false,
    hasConversation: false,
    parameters: [],
    hasEvents: true,
    hasMessages: true,
  },
  "agentscope-1": {
    title: "AgentScope 1.x",
    hasEvents: false,
    hasMessages: true,
  },
  "agentscope-java": {
    title: "AgentScope for Java",
    isOffered: true,
    cursor: numberedSeqs(1),
    page: "java-events",
    isJoined: false,
    hasConversation: false,
    parameters: [],
    hasEvents: true,
    hasMessages: true,
  },
  "ag-ui": {
    title: "AG-UI",
    isOffered: true,
    // Its frame 0 is the log's own event, before those that it becomes.
    cursor: numberedSeqs(0),
    page: null,
    isJoined: true,
    hasConversation: true,
    parameters: ["raw", "profile"],
    hasEvents: true,
    hasMessages: false,
  },
  a2a: {
    title: "A2A",
    isOffered: false,
    // The task that a stream begins with is frame 0 of its event.
    cursor: numberedSeqs(0),
    page: null,
    isJoined: true,
    hasConversation: false,
    parameters: [],
    hasEvents: true,
    hasMessages: false,
  },
} as const satisfies Readonly<Record<string, DialectOf<string> | MessageDialect>>;

type DialectName = keyof typeof DIALECTS;

/** The names of the dialects that have what the member says. */
type NameWith<Member extends "hasEvents" | "hasMessages"> = {
  readonly [Name in DialectName]: (typeof DIALECTS)[Name][Member] extends true ? Name : never;
}[DialectName];

export type EventFormat = NameWith<"hasEvents">;
export type MessageFormat = NameWith<"hasMessages">;

/** The names of the dialects that requests for events may name. */
type OfferedFormat = {
  readonly [Format in EventFormat]: (typeof DIALECTS)[Format]["isOffered"] extends true
    ? Format
    : never;
}[EventFormat];

/** Names of the pages of all dialects. */
export type DialectPage = NonNullable<(typeof DIALECTS)[EventFormat]["page"]>;

export type Dialect = DialectOf<DialectPage>;

export const LOG_FORMAT = "agentscope" satisfies OfferedFormat & MessageFormat;

/** The names of the dialects that requests for events may name, in the order of the table. */
export const EVENT_FORMATS = namesWith("hasEvents").filter(
  (format): format is OfferedFormat => dialectOf(format).isOffered,
);

/** The names of the dialects in which stored messages can be read, in the order of the table. */
export const MESSAGE_FORMATS = namesWith("hasMessages");

/** The names of all dialects that requests may name, for answers that are events or whole replies. */
export const ANSWER_FORMATS = (Object.keys(DIALECTS) as readonly DialectName[]).filter(
  (name): name is OfferedFormat | MessageFormat =>
    isIn(EVENT_FORMATS, name) || isIn(MESSAGE_FORMATS, name),
);
export type AnswerFormat = OfferedFormat | MessageFormat;

/** The name as that of a dialect with events; null for one of stored messages alone. */
export function asEventFormat(format: AnswerFormat): OfferedFormat | null {
  return EVENT_FORMATS.find((one) => one === format) ?? null;
}

/** The name as that of a dialect in which stored messages can be read; null for one of events alone. */
export function asMessageFormat(format: AnswerFormat): MessageFormat | null {
  return MESSAGE_FORMATS.find((one) => one === format) ?? null;
}

/** Dialects with the parameter. */
export function formatsWith(parameter: DialectParameter): readonly EventFormat[] {
  return EVENT_FORMATS.filter((format) => dialectOf(format).parameters.includes(parameter));
}

/** The entry of the table, with the type of any. */
export function dialectOf(format: EventFormat): Dialect {
  return DIALECTS[format];
}

function namesWith<Member extends "hasEvents" | "hasMessages">(
  member: Member,
): readonly NameWith<Member>[] {
  return (Object.keys(DIALECTS) as readonly DialectName[]).filter(
    (name): name is NameWith<Member> => DIALECTS[name][member],
  );
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** Cursors of a dialect in which each event of the log is one frame. */
function seqs(): CursorForm {
  return {
    read(text) {
      const cursor = readCursor(text);
      return cursor?.part === null ? cursor : null;
    },
    write: writeCursor,
  };
}

/** Cursors of a dialect in which one event of the log may be several frames. @param first The number of the first. */
function numberedSeqs(first: 0 | 1): CursorForm {
  return {
    read(text) {
      const cursor = readCursor(text);
      return cursor === null || (cursor.part ?? first) < first ? null : cursor;
    },
    write: writeCursor,
  };
}

/** `<seq>` or `<seq>.<part>`. */
function readCursor(text: string): DialectCursor | null {
  const [, digits, part] = /^(\d{1,16})(?:\.(0|[1-9]\d{0,3}))?$/.exec(text) ?? [];
  const seq = digits === undefined ? Number.NaN : Number(digits);
  if (!Number.isSafeInteger(seq)) return null;
  return { seq, part: part === undefined ? null : Number(part) };
}

function writeCursor(seq: number, part: number | null): string {
  return part === null ? String(seq) : `${seq}.${part}`;
}
