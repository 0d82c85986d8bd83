// The table of dialects: the formats in which a session's events can be read, and what readers of each may rely on. It is
// below the contracts, which take the names from here; translators are above them, and the session's object has them.

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
  },
  "agentscope-java": {
    title: "AgentScope for Java",
    isOffered: true,
    cursor: numberedSeqs(1),
    page: "java-events",
    isJoined: false,
    hasConversation: false,
    parameters: [],
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
  },
} as const satisfies Readonly<Record<string, DialectOf<string>>>;

export type EventFormat = keyof typeof DIALECTS;

/** The names of the dialects that requests for events may name. */
type OfferedFormat = {
  readonly [Format in EventFormat]: (typeof DIALECTS)[Format]["isOffered"] extends true
    ? Format
    : never;
}[EventFormat];

/** Names of the pages of all dialects. */
export type DialectPage = NonNullable<(typeof DIALECTS)[EventFormat]["page"]>;

export type Dialect = DialectOf<DialectPage>;

export const LOG_FORMAT: OfferedFormat = "agentscope";

/** The names of the dialects that requests for events may name, in the order of the table. */
export const EVENT_FORMATS = (Object.keys(DIALECTS) as readonly EventFormat[]).filter(
  (format): format is OfferedFormat => dialectOf(format).isOffered,
);

/** Dialects with the parameter. */
export function formatsWith(parameter: DialectParameter): readonly EventFormat[] {
  return EVENT_FORMATS.filter((format) => dialectOf(format).parameters.includes(parameter));
}

/** The entry of the table, with the type of any. */
export function dialectOf(format: EventFormat): Dialect {
  return DIALECTS[format];
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
