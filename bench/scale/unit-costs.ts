// What one of each thing costs, as the benchmark measured it; the cell that says so stands beside each.

export interface UnitCosts {
  /** Of an object, for a session that is opened (`session-creation`). */
  readonly rowsOfSession: number;
  /** For a reply, however short, and for 1,000 tokens more at 50 tokens/s (`steady-4`). */
  readonly rowsOfReply: number;
  readonly rowsOf1000Tokens: number;
  /** Bytes of the object's database for 1,000 tokens, each an event (`replay`), messages included. */
  readonly objectBytesOf1000Tokens: number;
  /** Calls of an object for a session that is opened, and for a reply that is streamed. */
  readonly objectCallsOfSession: number;
  readonly objectCallsOfReply: number;
  /** D1, for each (`database`). */
  readonly databaseReadsOfSession: number;
  readonly databaseWritesOfSession: number;
  readonly databaseRowsOfSession: number;
  readonly databaseBytesOfSession: number;
  readonly databaseReadsOfReply: number;
  readonly databaseWritesOfReply: number;
  readonly databaseRowsOfReply: number;
  readonly databaseBytesOfReply: number;
  /** Of the runtime's processor, for 100,000 tokens at 50 tokens/s (`steady-32`). */
  readonly processorSecondsOf100kTokens: number;
  /** Of an object that waits (`idle-memory`). */
  readonly objectBytes: number;
}

export const MEASURED: UnitCosts = {
  rowsOfSession: 7,
  rowsOfReply: 16,
  rowsOf1000Tokens: 80,
  objectBytesOf1000Tokens: 350_000,
  // It is made, and told that it is listed.
  objectCallsOfSession: 2,
  // It is started, its stream is opened, and its alarm looks once whether it still runs.
  objectCallsOfReply: 3,
  databaseReadsOfSession: 4,
  databaseWritesOfSession: 1,
  databaseRowsOfSession: 5,
  databaseBytesOfSession: 530,
  databaseReadsOfReply: 1,
  databaseWritesOfReply: 1,
  databaseRowsOfReply: 4,
  databaseBytesOfReply: 500,
  processorSecondsOf100kTokens: 20,
  objectBytes: 600_000,
};
