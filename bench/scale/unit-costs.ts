// Unit costs measured by the benchmark, each with the name of its cell.

export interface UnitCosts {
  /** Rows written in the object per created session (`stored`). */
  readonly rowsOfSession: number;
  /** Rows per reply of any length, and per further 1,000 tokens at 50 tokens/s (`steady-4`). */
  readonly rowsOfReply: number;
  readonly rowsOf1000Tokens: number;
  /** Bytes of the object's database per 1,000 tokens, each an event (`stored`), including messages. */
  readonly objectBytesOf1000Tokens: number;
  /** Calls of an object per created session, and per streamed reply. */
  readonly objectCallsOfSession: number;
  readonly objectCallsOfReply: number;
  /** D1 usage of each (`database`). */
  readonly databaseReadsOfSession: number;
  readonly databaseWritesOfSession: number;
  readonly databaseRowsOfSession: number;
  readonly databaseBytesOfSession: number;
  readonly databaseReadsOfReply: number;
  readonly databaseWritesOfReply: number;
  readonly databaseRowsOfReply: number;
  readonly databaseBytesOfReply: number;
  /** Processor seconds of the runtime per 100,000 tokens at 50 tokens/s (`steady-32`). */
  readonly processorSecondsOf100kTokens: number;
  /** Memory of an idle object (`idle-memory`). */
  readonly objectBytes: number;
}

export const MEASURED: UnitCosts = {
  rowsOfSession: 7,
  rowsOfReply: 11,
  rowsOf1000Tokens: 80,
  objectBytesOf1000Tokens: 53_000,
  // Creation, and the notice that it is listed.
  objectCallsOfSession: 2,
  // Start, stream, and one watchdog alarm.
  objectCallsOfReply: 3,
  databaseReadsOfSession: 1,
  databaseWritesOfSession: 1,
  databaseRowsOfSession: 6,
  databaseBytesOfSession: 530,
  databaseReadsOfReply: 0,
  databaseWritesOfReply: 1,
  databaseRowsOfReply: 5,
  databaseBytesOfReply: 500,
  processorSecondsOf100kTokens: 20,
  objectBytes: 600_000,
};
